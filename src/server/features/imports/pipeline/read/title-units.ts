import { cellText, isFilled, type Cell } from './cells.ts'
import { factorOf, withoutMultiples } from './amount-notation.ts'
import { OTHER_AMOUNTS, isOfOtherAmounts, withoutFilling } from './unit-notes.ts'

/** The title of a section of a sheet. */
export interface SectionText {
  /** Number of the row in the import. */
  number: number
  /** The letter. */
  column: string
  text: string
}

/** The rows below the title of a section, or above the first one, if titles of sections name units or currencies of their own. */
export interface SheetPart {
  /** Number of the title in the import; 0 above the first one. */
  number: number
  title: string
  /** 1 if none is announced; undefined if no title of a section announces one. */
  factor: number | undefined
  /** Whether nothing says which unit it has, although other titles name theirs. */
  isUnclear: boolean
  currency: string | undefined
}

/** What the titles of a sheet say about all of its amounts, and the titles of its sections. */
export interface SheetUnits {
  sections?: readonly SectionText[]
  parts?: readonly SheetPart[]
  currency: string | undefined
  /** If they name several. */
  currencies?: readonly string[]
  /** 1 if they announce none. */
  factor: number
  /** Those of single columns, by field or letter, if the sheets announce different ones: `factor` is that of the others. */
  columnFactors?: ReadonlyMap<string, number> | undefined
  /** Set if a text of the file does not say clearly which columns its unit is for: a user says it column by column. */
  asked?: AskedUnits
}

/** What the questions about the unit of each column of a sheet say. */
export interface AskedUnits {
  /** The name of the sheet, if there are several. */
  sheet?: string
  /** Index of the sheet, if there are several. */
  index?: number
  /** The texts of the sheet that announce a unit; none if only those of other sheets do. */
  texts: readonly string[]
  factors: readonly number[]
  /** What the user said, by letter. */
  answers: ReadonlyMap<string, number>
}

const CODES =
  'USD|CAD|EUR|GBP|CHF|AUD|NZD|MXN|JPY|SEK|NOK|DKK|PLN|BRL|HKD|SGD|INR|CNY|ZAR|KRW|AED|SAR|ILS|HUF|CZK|THB|PHP|IDR|MYR|TWD|CLP|ARS'
const VALUES = '(?:in|currency|values?|amounts?|figures?|sums?|money|limits?|tiv|sov|all|devise|moneda|en)'
/** A code alone may be the name of a company, so it counts after a word for values, in brackets, alone or at the end after a dash. */
const CODE = new RegExp(
  `(?:\\b(?:${VALUES})\\b[\\s:=(–—-]*|[([]\\s*)(?<after>${CODES})(?![\\p{L}\\p{N}])|(?<=(?:${CODES})\\s*(?:and|or|&|/|,)\\s*)(?<next>${CODES})(?![\\p{L}\\p{N}])|(?<![\\p{L}\\p{N}])(?<first>${CODES})(?=\\s*(?:and|or|&|/|,)\\s*(?:${CODES})(?![\\p{L}\\p{N}]))|^\\W*(?<alone>${CODES})\\W*$|[–—:,/-]\\s*(?<last>${CODES})\\W*$`,
  'giu',
)

/** Next to these and years only, a code says what the amounts are in: "EUR 2025", "Schedule GBP", "CAD values". */
const SCHEDULE_WORDS =
  /(?<![\p{L}\p{N}])(?:(?:fy ?)?(?:19|20)?\d\d|sov|statement|schedule|locations?|propert(?:y|ies)|values?|amounts?|limits?|tiv|register|insured|total|building|contents|sums?|of|the|werte|summen?|standorte|valeurs|montants|valores|importes|sites)(?![\p{L}\p{N}])/giu
const ONLY_CODE = new RegExp(`^\\P{L}*(${CODES})\\P{L}*$`, 'u')
const besideScheduleWords = (title: string): string[] =>
  ONLY_CODE.exec(title.replace(/_/g, ' ').replace(SCHEDULE_WORDS, ' '))?.slice(1) ?? []

const NAMES = (
  [
    ['USD', '[tk]usd\\b|u\\.? ?s\\.? ?(?:dollars|\\$)|(?:united states|american) dollars|dollars americains'],
    ['CAD', 'canadian (?:dollars?|funds|currency|\\$)|ca?n?\\$|cdn\\b(?: ?\\$| dollars)?|dollars canadiens'],
    ['AUD', 'australian (?:dollars?|\\$)|au?\\$'],
    ['NZD', '(?:new zealand|nz) ?(?:dollars?|\\$)'],
    ['HKD', '(?:hong kong|hk) ?(?:dollars?|\\$)'],
    ['SGD', '(?:singapore(?:an)? dollars?|s\\$)'],
    ['GBP', '£|[tk]gbp\\b|pounds? sterling|(?:british|uk|gb|u\\.k\\.) pounds?|in (?:pounds|sterling)\\b(?! per)|livres sterling'],
    ['EUR', '€|[tk]€|[tk]eur\\b|euros\\b|in euro\\b|en euro\\b'],
    ['CHF', '[tk]chf\\b|swiss francs?|s?fr\\.|francs suisses'],
    ['JPY', '¥|(?:japanese |in )yen\\b'],
    ['SEK', 'swedish kron(?:a|or|er)'],
    ['NOK', 'norwegian kron(?:e|er|or)'],
    ['DKK', 'danish kron(?:e|er|or)'],
    ['COP', 'colombian pesos?|pesos colombianos'],
    ['CLP', 'chilean pesos?|pesos chilenos'],
    ['ARS', 'argentin(?:e|ian|ean) pesos?|pesos argentinos'],
    ['PHP', 'philippine pesos?'],
    ['MXN', 'mexican pesos?|pesos(?! [a-z]+[oa]s\\b)|pesos mexicanos'],
    ['BRL', 'brazilian reais|in reais|em reais|r\\$'],
    ['INR', '(?:indian |in )rupees'],
    ['ZAR', 'south african rand|in rand\\b'],
    ['PLN', 'polish zloty(?:s|ch)?'],
    ['CNY', 'renminbi|rmb\\b|chinese yuan'],
  ] as const
).map(([code, pattern]) => ({ code, pattern: new RegExp(`(?<![\\p{L}\\p{N}])(?:${pattern})`, 'giu') }))

/** The sentence is about a rate of exchange, or about the currency before a conversion. */
const EXCHANGE = /\bexchange|\brates?\b|\bfx\b|=/i
const CONVERTED = /\b(converted )?from [^,;.()]*?(?=\b(to|into)\b|[,;.()]|$)/gi

const OTHER = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:${OTHER_AMOUNTS}|(?:policy|loss|aggregate|program(?:me)?) limits?)(?:\\s+(?:amounts?|values?|figures|sums?))?(?![\\p{L}\\p{N}])`,
  'giu',
)
const OF_VALUES =
  /(?<![\p{L}\p{N}])(?:values?|amounts?|figures|sums? insured|tiv|sov|buildings?|contents|werte|summen?|betrage|valeurs|montants|valores|importes)(?![\p{L}\p{N}])/iu
const ONLY_CODES = new RegExp(`(?<![\\p{L}\\p{N}])(?:${CODES})(?![\\p{L}\\p{N}])`, 'gu')
const PARTS = /([;|,()[\]:\n]|\.(?=\s|$)|\s[–—-]\s)/u

/** `Limits: CAD 5,000,000 per occurrence` is the limit of a policy, not the currency of limits. */
const LIMIT = new RegExp(`\\blimits?\\s*[:–—-]?\\s*(?=(?:(?:${CODES})|\\p{Sc})?\\s?\\d)`, 'giu')

/** A title without its parts about premiums, loans, deductibles and rates, whose currency is not that of the values. Limits may be values. */
function aboutValues(title: string): string {
  const named = title.replace(LIMIT, 'policy limit ')
  if (named.search(OTHER) < 0) return title
  let isOther = false
  const parts = named.split(PARTS).map((part, index) => {
    const isSeparator = index % 2 === 1
    const rest = part.replace(OTHER, ' ')
    if (!isSeparator && OF_VALUES.test(rest)) isOther = false
    else if (!isSeparator && rest !== part) isOther = true
    // `Premium (GBP)`
    else if (!isSeparator && withoutFilling(rest.replace(ONLY_CODES, ' ').replace(/\d/g, ' ')) !== '') isOther = false
    return isOther && !isSeparator ? ' ' : part
  })
  return parts.join('')
}

/** The currencies that a title names, without those of premiums and the like. */
export function currenciesIn(title: string): string[] {
  if (EXCHANGE.test(title)) return []
  let text = withoutMultiples(aboutValues(title.normalize('NFKD').replace(/\p{M}/gu, '').replace(CONVERTED, ' ')))
  const codes = [...text.matchAll(CODE)].map(
    ({ groups = {} }) => groups['after'] ?? groups['next'] ?? groups['first'] ?? groups['alone'] ?? groups['last'] ?? '',
  )
  const found = [...codes.filter((code) => code === code.toUpperCase()), ...besideScheduleWords(text)]
  for (const { code, pattern } of NAMES) {
    const rest = text.replace(pattern, ' ')
    if (rest !== text) found.push(code)
    text = rest
  }
  return found
}

/**
 * A note that names the currency of all amounts, and nothing else: `Note: all amounts in euros`, `Values are stated in EUR.`, `Currency: GBP`. Others
 * name the currency of a premium, of a limit, of a loan or of some locations.
 */
const OF_ALL =
  /^\W*(?:notes?\W+|nb\W+)?(?:(?:(?:unless otherwise stated,? )?all )?(?:amounts|values|figures|sums|monetary values)(?: are)?(?: shown| stated| expressed| reported| given| quoted)? in |(?:reporting )?currency\s*[:=]\s*)(?:[\p{L}$€£.]+ ?){1,3}\W*$/iu
const currencyOfAll = (note: string): string[] => (OF_ALL.test(note.trim()) ? currenciesIn(note) : [])

/** A row with more texts has names of columns, whose currencies are not those of the sheet. */
const TITLE_CELLS_MAX = 3

/**
 * @param titles the rows above the header of a sheet
 * @param notes other texts that announce a factor
 * @param name of the sheet, which says the currency if no title and no remark does
 * @param remarks the notes below the rows
 */
export function unitsOf(
  titles: readonly (readonly Cell[])[],
  notes: readonly string[] = [],
  name = '',
  remarks: readonly string[] = [],
): SheetUnits {
  const rows = titles.map((cells) => cells.filter(isFilled).map(cellText))
  const titled = rows
    .filter(({ length }) => length <= TITLE_CELLS_MAX)
    .flatMap((texts) => aboutValues(texts.join('|')).split('|').flatMap(currenciesIn))
  const [currency, ...others] = new Set([titled, remarks.flatMap(currencyOfAll), currenciesIn(name)].find((codes) => codes.length > 0))
  return {
    currency: others.length === 0 ? currency : undefined,
    ...(currency !== undefined && others.length > 0 ? { currencies: [currency, ...others] } : {}),
    factor: Math.max(1, ...[...rows.flat(), ...notes].filter((text) => !isOfOtherAmounts(text)).map(factorOf)),
  }
}
