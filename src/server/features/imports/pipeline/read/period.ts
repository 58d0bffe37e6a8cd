/** The year, term or date that a header names, or a word for it. Later periods are larger; 0 without one. */
export interface Period {
  /** What remains of the header. */
  text: string
  period: number
}

/** Older than a column without a period. */
const PRIOR = -1
/** Newer than every year. */
const CURRENT = 9_000
const NEXT = 9_999

const START = '(?<![\\p{L}\\p{N}])'
const END = '(?![\\p{L}\\p{N}])'
const PREFIX = '(?:(?:fy|fye|cy|ay) ?-?)?'
/** The year is in the named groups; of a term (`2026-27`) it is the last one. */
const YEARS = [
  `${START}(?<month>\\d{1,2})([/ -])\\d{1,2}\\2(?<year>(?:19|20)\\d\\d|\\d\\d)${END}`,
  `${START}(?<year>(?:19|20)\\d\\d)-(?<month>\\d\\d)-\\d\\d${END}`,
  `${START}${PREFIX}(?<from>(?:19|20)\\d\\d) ?[-/–] ?(?<to>(?:19|20)?\\d\\d)(?!\\d)`,
  `${START}${PREFIX}(?<from>\\d\\d) ?[-/–] ?(?<to>\\d\\d)${END}`,
  `${START}(?:fy|fye|cy|ay) ?-?(?<year>(?:19|20)\\d\\d|\\d\\d)(?!\\d)`,
  `(?<!\\d)(?<year>(?:19|20)\\d\\d)(?!\\d)`,
].map((pattern) => new RegExp(pattern, 'u'))

const fullYear = (digits: string) => (digits.length === 2 ? 2_000 + Number(digits) : Number(digits))

function yearOf({ year, month, from, to }: Readonly<Record<string, string | undefined>>): number | undefined {
  if (year !== undefined) return Number(month ?? 0) > 12 ? undefined : fullYear(year) + Number(month ?? 0) / 100
  const last = fullYear(to ?? '')
  return fullYear(from ?? '') + 1 === last ? last : undefined
}

const tidy = (text: string) => text.replace(/\s+/g, ' ').replace(/^[\s,/–-]+|[\s,/–-]+$/g, '')

/** They lead to a year before the name of a value: `new for 2026 building`. At the end, “year” may be a part of the name. */
const LEADING_WORDS = /(?:^|\s)(?:as of|as at|at|per|for|(?:(?:policy|fiscal|calendar|financial) )?(?:year|yr))\s*$/

/** Removes a year, term or date anywhere in a header, unless nothing else is left. */
export function takeYear(text: string): Period {
  for (const pattern of YEARS) {
    const match = pattern.exec(text)
    const year = match?.groups ? yearOf(match.groups) : undefined
    if (!match || year === undefined) continue
    const [before, after] = [text.slice(0, match.index), text.slice(match.index + match[0].length)]
    const rest = tidy(`${after.trim() === '' ? before : before.replace(LEADING_WORDS, ' ')} ${after}`)
    if (rest !== '') return { text: rest, period: year }
  }
  return { text, period: 0 }
}

const WORDS = (
  [
    [PRIOR, 'expiring|expired|prior year|prior|previous year|previous|last year|old|py|valeur precedente'],
    [CURRENT, 'current year|current|this year|cy'],
    [NEXT, 'renewal year|renewal|proposed|next year|upcoming|new'],
  ] as const
).map(([period, words]) => ({ period, pattern: new RegExp(`${START}(?:(?:as of|as at|at|per|for) )?(?:the )?(?:${words})${END}`, 'u') }))

/** Removes a word for the last, present or next period at the start or end of a header, unless nothing else is left. */
export function takePeriodWord(text: string): Period {
  for (const { period, pattern } of WORDS) {
    const match = pattern.exec(text)
    if (!match || (match.index > 0 && match.index + match[0].length < text.length)) continue
    const rest = tidy(text.replace(pattern, ' '))
    if (rest !== '') return { text: rest, period }
  }
  return { text, period: 0 }
}

const REVISION = new RegExp(`${START}(?:revised|updated|corrected|amended|restated)${END}`, 'u')
/** A revision is newer than the values of the same year, and than all of no or an earlier one. */
const REVISED_LATER = 0.5

/** Removes a word for a revision at the start or end of a header whose other words name a value: `Revised Building Value`. */
export function takeRevision({ text, period }: Period, isValue: (text: string) => boolean): Period {
  const match = REVISION.exec(text)
  if (!match || (match.index > 0 && match.index + match[0].length < text.length)) return { text, period }
  const rest = tidy(text.replace(REVISION, ' '))
  if (rest === '' || !isValue(rest)) return { text, period }
  return { text: rest, period: period === 0 ? CURRENT : period + REVISED_LATER }
}

/** The words that lead to a period: `building value as of`. */
export const withoutLink = (text: string): string => tidy(text.replace(/\s(as of|as at|at|per|for|fy|fye|eoy|year end(ing)?)$/, ''))

const RATE = '(?<![\\d.,])(?:[12]\\d|\\d)(?:[.,]\\d+)?\\s?(?:%|percent|pct)'
const TREND_WORDS = 'trend(?:ed|ing)?|factor|increase|inflation(?: guard)?|uplift|growth|adjustment|indexation'
/** `Contents + 10%`, `2026 Building @ 4%` and `Building (5% trend)`. A larger share, such as 80 %, is another value. */
const TREND = new RegExp(
  `[([]?\\s*(?:(?:[+@]|${START}(?:plus|with|incl\\.?|including|w/))\\s*${RATE}(?:\\s+(?:${TREND_WORDS}))*|[+]?${RATE}\\s+(?:annual\\s+)?(?:${TREND_WORDS}))(?!\\p{L})\\s*[)\\]]?`,
  'giu',
)

/** A header without the rate by which its values were raised, unless nothing else is left. */
export function withoutTrend(header: string): string {
  const rest = header.replace(TREND, ' ').trim()
  return /\p{L}/u.test(rest) ? rest : header
}
