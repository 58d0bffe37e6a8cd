/** For properties that are no longer owned or insured, in names of sheets, titles of sections and cells; for a regular expression. */
export const ENDED_WORDS =
  'sold|delete[ds]?|deletions?|divested|divestitures?|disposed|disposals?|dispositions?|dropped|cancell?ed|removals?'

/** The end of a word. */
export const END = '(?![\\p{L}\\p{N}])'
const MONTH = '(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)(?:uary|ruary|ch|il|ust|ember|tember|ober)?'
const DATE = `(?:\\d{1,4}[./-]\\d{1,2}${END}|(?:19|20)\\d\\d${END}|['’]\\d\\d${END}|(?:q[1-4]|fy)${END}|fy ?\\d\\d|(?:\\d{1,2}[ -])?${MONTH}(?=[\\s'’,.-]*(?:\\d|$)))`
const POLICY = '(?:the |this |our )?(?:schedule|policy|program|sov|coverage|insurance)'
/** `effective 3/1/26`, `at renewal`, `from the policy` */
const WHEN = `(?:(?:eff|effective|as of|on|in|per|since|at|from|before|after)\\.?\\s+)?(?:${DATE}|(?:the |this |next |our )?renewal|${POLICY})`
/** Behind words that mean the whole property only if nothing else follows. */
const TAIL = `${END}(?=\\s*(?:$|[.;,!)\\]*"]|:(?!\\d)|\\s[-–—]|[–—]|${WHEN}))`

const BEFORE_REMARK = '(?:(?:to be|please|pls|now|being|is|was|has been|location|property|building|bldg|store)\\s+){0,3}'
const REMARK =
  '(?:delete[ds]?|sold|removed?|(?:permanently )?closed(?: permanently)?|divested|disposed(?: of)?|dropped|drop(?= at | from )|cancell?ed|terminated|demolished|torn down|razed|inactive|taken? off|' +
  'no longer (?:own(?:ed)?|insured?|leased?|in use)|not (?:insured|owned)|lease (?:ended|expired|terminated|not renewed))'
const FRONT = '(?:delete[ds]?|sold|removed?|closed|divested|disposed|dropped|cancell?ed|terminated|demolished)'
const UPPER = '(?:DELETED?|SOLD|REMOVED?|CLOSED|DIVESTED|DISPOSED|DROPPED|CANCELL?ED|TERMINATED|DEMOLISHED)'

const REMARKS: readonly RegExp[] = [
  // `2 - DELETE`, `Mill (SOLD)`, `Mill - sold 3/15/26`, `Mill - remove, demolished`
  new RegExp(`(?:[-–—:/([*,;|]\\s*|^\\d+\\s+)${BEFORE_REMARK}(?:${REMARK}${TAIL}|sold to\\s)`, 'iu'),
  // `*SOLD* Mill`
  new RegExp(`^[\\s*([<!#"]*[*([<!#"]${FRONT}${END}[^\\p{L}*)\\]>!#"]{0,24}[*)\\]>!#"]`, 'iu'),
  // `SOLD - Mill`, `Sold 3/15/26: Mill`; `Closed-loop plant` is a name.
  new RegExp(`^${FRONT}(?:\\s+[\\d./-]{4,10})?\\s*(?:[:|]|[-–—/](?=\\s)|$)`, 'iu'),
  // `DELETE MILL`, `DELETE 7`
  /^(?:delete[ds]?\s+\S|(?:sold|removed?|closed)\s+#?\d+$)/iu,
]
/** `SOLD Mill`, `Mill SOLD`: only next to words that are not written in capitals too. */
const CAPITALS: readonly RegExp[] = [new RegExp(`^${UPPER}\\s+\\S`, 'u'), new RegExp(`\\s${UPPER}(?:\\s[\\d./-]{1,10})?$`, 'u')]

/** Whether a number or name of a location has a remark that it is no longer owned or insured. */
export function isEndedRemark(text: string): boolean {
  if (REMARKS.some((remark) => remark.test(text))) return true
  return /\p{Ll}/u.test(text) && CAPITALS.some((remark) => remark.test(text))
}

const PLACE = '(?:location|loc|property|building|bldg|site|store|facility|warehouse|plant|office|house|home|dwelling|structure|unit|branch)'
const SUBJECT = `(?:(?:the |this |our |entire ){0,2}${PLACE}\\s+)?(?:(?:has been|is being|is to be|to be|will be|being|was|is|has)\\s+)?`
const OTHERS = '(?:the )?(?:landlord|lessor|owner|tenant|lessee|others?|hoa|(?:condo )?association)'
const NOTES = [
  // What is sold at the location is something else.
  `${SUBJECT}sold(?!\\s+(?:by|out|at|as|through|under|with|here|online|wholesale|retail|separately|individually)${END})${END}`,
  `${SUBJECT}(?:divested|disposed of)${END}`,
  `${SUBJECT}(?:demolished|torn down|razed|foreclosed(?: on)?)(?:${TAIL}|(?=\\s+(?:in|by|on|after|due|during)\\s))`,
  `(?:(?:the |this |our )?${PLACE}\\s+)(?:(?:has been|was|is|has)\\s+)?(?:permanently )?closed(?: permanently)?(?=\\s*(?:$|[.;]|${WHEN}))`,
  `sale (?:closed|completed)${TAIL}`,
  `(?:(?:we|insured|client)\\s+)?(?:(?:is|are)\\s+)?no longer (?:owned|insured|leased(?! to)|occupied|in use)(?!\\s+by)${END}`,
  `(?:(?:we|insured|client)\\s+)?no longer (?:own|insure|lease|rent|occupy|operate)s?(?=\\s*(?:$|[.;,–—-]|${WHEN}|(?:it|this|the (?:property|building|location)|property|building|location)${END}))`,
  `(?:removed?|deleted?|excluded?|dropped|drop) from ${POLICY}${END}`,
  `${SUBJECT}delete[ds]?(?=\\s*$|[\\s,:-]+(?:eff|effective|as of|from|at|per|on|\\d))`,
  `(?:(?:please|pls|plz|kindly|to be)\\.?\\s+)?(?:removed?|delete[ds]?|drop(?:ped)?|excluded?|(?:take|taken|come|comes|coming) off)(?: (?:it|this|(?:this |the )?(?:location|loc|property|site)))?(?=\\s*(?:$|[.;,!]|${WHEN}[\\d./' ]*(?:$|[.;,(–—-]|(?:per|due|because|since|when|after)${END})))`,
  `(?:the |our )?lease (?:has |was |is )?(?:been )?(?:ended|expired|terminated|cancell?ed|not (?:been )?renewed|non-?renewed)(?!.{0,80}\\b(?:month|mtm|hold ?over|extend|extension))${END}`,
  `(?:insured|covered) (?:elsewhere|separately|under another policy)${END}`,
  `(?:insured|covered) by ${OTHERS}(?=\\s*(?:$|[.;,–—-]))(?!.{0,80}\\b(?:contents|bpp|improvements|betterments|ti|tib|only|we)\\b)`,
  `not (?:insured|covered)(?=\\s*(?:$|[.;,]|here${END}|under this${END}))`,
]
/** A note counts only if it begins with what happened to the property, at most after a date. */
const ENDED_NOTE = new RegExp(`^(?:\\d{1,4}[./-]\\d{1,2}(?:[./-]\\d{1,4})?)?[\\s*([!"',:–—-]*(?:${NOTES.join('|')})`, 'iu')
const DEMOLISHED = /\b(?:demolished|torn down|razed)\b/iu
/** A building that was replaced by a new one is still there. */
const REBUILT = /\b(?:re-?buil[dt]|re-?constructed|replaced(?! by (?:loc|site|#|\d))|new building)/iu

/** Whether a note says that the property is sold, closed or not insured. */
export const isEndedNote = (text: string): boolean => ENDED_NOTE.test(text) && !(DEMOLISHED.test(text) && REBUILT.test(text))

/** What a longer title is about: `Locations to be deleted effective 3/1/2026`. */
const TITLE_SUBJECT = '(?:locations?|propert(?:y|ies)|buildings?|sites?|stores?)(?:[^\\p{L}]+\\p{L}+){0,3}[^\\p{L}]+'
const ENDED_TITLE =
  `${ENDED_WORDS}|removed?|terminated|excluded|exclusions|no longer (?:owned|insured|leased)|uninsured|self[- ]insured|not (?:to be )?(?:insured|covered|included)|insured elsewhere|` +
  '(?:landlord|tenant|lessor|others?) insures?|insured by (?:the )?(?:landlord|tenant|lessor|others)|for information only|' +
  '(?:closed|vacated|former) (?:locations?|stores?|sites?|offices?|plants?|branches|buildings?|propert(?:y|ies))|' +
  `(?:take|taken|taking|come|comes|coming|going) off(?!-)|(?:off|not on|not part of) ${POLICY}`
/** `drop` alone is also a place, such as a mail drop. */
const DROP =
  '(?:(?:please|to|locations?|propert(?:y|ies)|buildings?|sites?|stores?)[^\\p{L}]+){0,2}drop(?=\\s*:?\\s*$|\\s+(?:the|these|from|at|as of|eff|effective|on)(?!\\p{L}))'
/** At the start, or after a word or two: a section may also have the name of a place with such a word. */
const ENDED_SECTION = new RegExp(`^\\P{L}*(?:(?:${TITLE_SUBJECT}|(?:\\p{L}+[^\\p{L}]+){0,2})(?:${ENDED_TITLE})${END}|${DROP})`, 'iu')

/** Whether the title of a section says that the locations below it are sold, closed or not insured. */
export const isEndedTitle = (title: string): boolean => ENDED_SECTION.test(title)
