const TERM = '(?:expiring|expired|prior|previous|last)'
const WORDS = "(?:years?|terms?|periods?|policy|sov|schedule|values?|totals?|tiv|insured|amounts?|['’]s|\\d+|[\\p{P}\\p{S}]|\\s)*"
const CHANGE = '(?:change|increase|decrease|difference|variance|chg|delta)'
const CHANGE_WORDS = `(?:from|to|over|vs|on|in|of|percent|yoy|${TERM}|years?|terms?|values?|totals?|tiv|amounts?|\\d+|[\\p{P}\\p{S}]|\\s)*`

const OTHER_TERM = new RegExp(
  `^[\\p{P}\\p{S}\\s]*(?:(?:totals?|sum)\\s+(?:of\\s+)?(?:the\\s+)?)?${TERM}(?!\\p{L})${WORDS}$|^(?:percent|net|total|[\\p{P}\\p{S}]|\\s)*${CHANGE}(?!\\p{L})${CHANGE_WORDS}$`,
  'iu',
)

/** What a spreadsheet program computes below the totals. */
const STATISTIC =
  /^\W*(?:averages?|avg|counts?|number|mean|median|max(?:imum)?|min(?:imum)?|std\.? ?dev|margin)(?!\p{L})[\d\p{P}\p{S}\s]*(?:(?:per|of)\s+(?:location|building|site|all)s?)?\W*$/iu

/** Whether the only text of a row says that its amounts are those of an earlier term, or the change since: `Prior Year Total`, `Change %`, or a mean. */
export const isOfOtherTerm = (label: string): boolean => OTHER_TERM.test(label) || STATISTIC.test(label)

const SHARE_OR_CHANGE = /(?<!\d )\b(?:percent(?:age)?|pct)\b|\b(?:change|variance|difference|delta)\b/

/** Whether a header, as comparable words, names a share or the change of a value: `contents percent`, `building change`. */
export const namesShareOrChange = (words: string): boolean => SHARE_OR_CHANGE.test(words)
