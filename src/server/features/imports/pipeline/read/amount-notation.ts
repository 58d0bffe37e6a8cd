import { CURRENCY_CODES, SIGN, SIGN_WORD } from './currency-signs.ts'

const START = '(?<![\\p{L}\\p{N}])'

const LEADING = new RegExp(`^(?:${SIGN}|(?:${CURRENCY_CODES})(?!\\p{L})|${SIGN_WORD})\\s*`, 'iu')
const TRAILING = new RegExp(`(?:${SIGN}|(?<!\\p{L})(?:${SIGN_WORD})|dollars|(?<!\\p{L})(?:${CURRENCY_CODES}))$`, 'iu')
/** More than the longest of them has. A search through all of a long text takes too long. */
const TRAILING_CHARACTERS_MAX = 12
/** Written for no cents: `5'000.-` and `5.000,--`. */
const NO_CENTS = /[.,]\s?[-–—]{1,2}$/

const CURRENCY_IN_TEXT = new RegExp(`\\p{Sc}|(?<!\\p{L})(?:[tk]?(?:${CURRENCY_CODES})|z[łl]|tl)(?!\\p{L})|${START}s?fr\\.`, 'iu')

/** Whether a text contains a currency. */
export const hasCurrency = (text: string): boolean => CURRENCY_IN_TEXT.test(text)

/** Thousands of a currency in one word. */
const THOUSANDS_AFTER = new RegExp(`(?<=\\d\\s*)[tk](?:${CURRENCY_CODES}|€|£)$`, 'iu')
const THOUSANDS_BEFORE = new RegExp(`^[tk](?:${CURRENCY_CODES}|€|£)\\s*(?=\\d)(.*)$`, 'isu')

/** An amount without its currency: `CHF 1'000`, `284'250.-` and `5 000 €`; `350 TEUR` is `350 K`. */
export function withoutCurrency(text: string): string {
  const trimmed = text.trim()
  // Most cells of a file are numbers without a currency.
  if (/^\d$|^\d.*\d$/s.test(trimmed)) return trimmed
  const inThousands = trimmed.slice(-TRAILING_CHARACTERS_MAX).search(THOUSANDS_AFTER)
  if (inThousands >= 0) return `${trimmed.slice(0, Math.max(0, trimmed.length - TRAILING_CHARACTERS_MAX) + inThousands).trim()} K`
  const [, thousands] = THOUSANDS_BEFORE.exec(trimmed) ?? []
  if (thousands !== undefined) return `${thousands} K`
  const bare = trimmed.replace(LEADING, '').replace(LEADING, '').replace(NO_CENTS, '').trim()
  return withoutTrailing(withoutTrailing(bare).replace(NO_CENTS, ''))
}

function withoutTrailing(text: string): string {
  const [currency = ''] = TRAILING.exec(text.slice(-TRAILING_CHARACTERS_MAX)) ?? []
  return text.slice(0, text.length - currency.length).trim()
}

/** By the first letter of the word, unless the whole word is here. */
const MULTIPLES: Readonly<Record<string, number>> = { k: 1e3, t: 1e3, m: 1e6, b: 1e9, mrd: 1e9, milliarden: 1e9, milliards: 1e9 }
const MULTIPLIED = /^(.*\d\.?)\s*(k|thousand|tsd|mm|mil|mio|m|millions?|millionen|mrd|milliarden|milliards|bn|b|billion)\.?$/i

/** The number and the multiple of an amount without its currency, such as `4.50M` and `900 K`. */
export function splitMultiple(text: string): { number: string; unit: string; multiple: number } {
  const [, number = text, word = ''] = MULTIPLIED.exec(text) ?? []
  const unit = word.toLowerCase()
  return { number, unit, multiple: MULTIPLES[unit] ?? MULTIPLES[unit.charAt(0)] ?? 1 }
}

export type Factor = 1 | 1_000 | 1_000_000

const UNIT = `(?:${SIGN}|${CURRENCY_CODES})`
/** Currencies that are written in one word with an M for millions: not all, since `Maud` is a name. */
const MILLIONS_OF = '\\$|€|£|usd|eur|gbp|chf|sek|nok|dkk|pln'
/** At the end of the name of a value, a short word is a unit without brackets, too: “Building Value mio”. */
const AFTER_VALUE = '(?<=\\b(?:values?|contents|buildings?|bldg|tiv|stock|rents?|income|bi|rcv|bpp|equipment|costs?|amounts?)\\s)'
const DIGIT_GAP = "[,.'’ ]?"
const THOUSAND = `1${DIGIT_GAP}0{3}`
const MILLION = `${THOUSAND}${DIGIT_GAP}0{3}`
/** At the end, in brackets or after a comma, a short word is a unit: “Building, mio”. Elsewhere it may be a part of a name. */
const LAST = '(?=\\.?\\s*(?:[)\\]]|$))'
const APART = '(?<=[,:([–—-]\\s?)'
/** `($1,000)`, `in 1,000s`, `(x10^3)` and `* 1000`, unless it is the size or the number of something. */
const writtenOut = (number: string, exponent: number) =>
  `[([](?:in )?(?:${UNIT}\\s?${number}|(?<=in )${number}(?:\\s?${UNIT})?|${number}(?=['’]?s))['’]?s?[)\\]]|(?<![\\d.,'’][\\s$€£]?)(?:in )?(?:${UNIT}\\s?)?${number}['’]?s\\b|` +
  `(?:divided by|(?:in )?units of) (?:${UNIT}\\s?)?${number}(?!,?\\d)|[([]?(?<!\\d\\s?)(?:\\bx|[×*])\\s?(?:(?:${UNIT}\\s?)?${number}|10\\^?${exponent}|1e${exponent})(?!,?\\d)[)\\]]?`
const MONEY = `(?:${UNIT}|(?:u\\.?s\\.? |us |canadian )?dollars?|euros?|pounds?|francs?|franken|d[oó]lares|pesos)`
/** `two hundred thousand dollars` is an amount. */
const NO_NUMBER =
  '(?<!(?:\\d|hundred|one|two|three|four|five|six|seven|eight|nine|ten|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundert)[\\s-])'
/** `in $1,000`, `in 1000 USD`, `Unit: USD 1,000`, `in 10^3 EUR`, and `multiply values by 1,000`. */
const asUnit = (number: string, exponent: number) =>
  `(?:in|en) ${MONEY}\\s?${number}(?![.,]?\\d| (?:steps|increments|units of))|(?:in|en) ${number} ?${MONEY}|(?<!per )(?:units?|einheit(?:en)?|unit[eé]s?|unidad(?:es)?)\\s*[:=]\\s*(?:${MONEY}\\s?${number}|${number}\\s?${MONEY})(?![.,]?\\d)|` +
  `(?:in )?10(?:\\^${exponent}|${exponent === 3 ? '³' : '⁶'})\\s?${MONEY}|(?:multipl(?:y|ied)(?: \\p{L}+){0,4} (?:by|with)(?: a factor of)?|(?:multiplier|factor|faktor|scale)\\s*[:=]?) ${number}(?![.,]?\\d)`
const FACTORS = (
  [
    [
      1_000_000,
      `${asUnit(MILLION, 6)}|${NO_NUMBER}\\bmillion (?:of )?${MONEY}|\\bmm\\b|(?:in|en) (?:millions|millionen|millones|mio|mln)\\b|\\(millions\\)|${AFTER_VALUE}in m$|${AFTER_VALUE}(?:in )?(?:millions?|mio|mln|mn|mill)\\.?$|${AFTER_VALUE}x? ?10(?:\\^6|⁶)$|${UNIT}\\s?(?:millions?|mio|mil|mln|mn|mm|m)\\b|\\b(?:millions|mio|mln|mn)\\.? ?${UNIT}|\\bm(?:${MILLIONS_OF}|n?kr)|` +
        `${APART}m\\s?${UNIT}|${APART}(?:millions?|mio|mln|mn)\\b${LAST}|${writtenOut(MILLION, 6)}`,
    ],
    [
      1_000,
      `${asUnit(THOUSAND, 3)}|(?:add|omit) (?:three|3) zeroe?s|(?:three|3) zeroe?s (?:are )?(?:omitted|left out|missing|to be added)|${NO_NUMBER}\\b(?:thousand|tausend) (?:of )?${MONEY}|\\b(?:miles de|milliers d['’]|milliers de) ?${MONEY}|(?<=^|(?:values?|amounts?|figures?) )k ${UNIT}|${AFTER_VALUE}(?:thousands?|tausend|tsd|x ?1?k)\\.?$|${AFTER_VALUE}x? ?10(?:\\^3|³)$|(?:in (?:thousands?|tsd|tausend|k|0{3}'?s?|migliaia|duizend(?:en)?)|en (?:milliers|miles)|em milhares|w tys)\\b|\\(?\\b0{3}'?s\\b\\)?|\\((?:thousands|k)\\)|\\[0{3}'?s?\\]|0{3}'?s? omitted\\b|/ ?1[,.]?0{3}(?![\\d,.])|(?<=\\p{L}\\s?,\\s?)['’]?0{3}$|(?<!\\d[.,'’ ]?)['’]?0{3}'?s?\\s?${UNIT}(?!\\p{L})|\\bthousands\\b|(?<!\\d)['’]0{3}(?:'?s)?(?!\\d)|\\('?0{3}\\)|` +
        `(?<!\\d[.,'’ ]?)0{3}'?s?(?= (?:g?sf|sq\\.? ?ft|sqft|square feet|m2|m²|sqm)(?!\\p{L}))|(?:in )?${UNIT}\\s?(?:['’]?0{3}|thousands?|tsd|k|t)\\b|\\btsd\\.? ?${UNIT}|\\b[tk](?:${UNIT}|kr)|` +
        `(?:in )?\\b(?:thous|thsds?|thsnds?|thds|tsd)\\b\\.?|${APART}[kt]\\s?${UNIT}|${APART}(?:thousand|k)\\b${LAST}|${writtenOut(THOUSAND, 3)}`,
    ],
  ] as const
).map(([factor, pattern]) => ({ factor, pattern: new RegExp(`(?<!\\p{L})(?:${pattern})(?!\\p{L})`, 'giu') }))

/** Words between “not” and the unit that it denies: `not rounded to the nearest thousands`. */
const DENIED_WORDS =
  'be|been|being|show[ns]?|stated?|given?|report(?:ed)?|express(?:ed)?|list(?:ed)?|enter(?:ed)?|written|write|quoted?|round(?:ed)?|present(?:ed)?|provided?|displayed|values?|amounts?|figures?|numbers|to|the|nearest|in|as|use|using'
const DENIED = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:(?:is|are|do|does|must|should|ca|wo)?n['’]t|not|never|nor|no longer|no(?=\\s+(?:thousands|millions)(?!\\p{L}))|rather than|instead of|nicht|pas)(?:\\s+(?:${DENIED_WORDS}))*\\s*[([]?(?:${UNIT}\\s?)?(?:${FACTORS.map(({ pattern }) => pattern.source).join('|')})`,
  'giu',
)

/** What divides the digits of numbers is no unit. */
const SEPARATORS =
  /(?<!\p{L})(?:thousands?(?: digit)? (?:separators?|commas?|delimiters?)|separators? (?:of|for) thousands|thousands? (?:are )?(?:separated|grouped|delimited))(?!\p{L})/giu

/** The factor that a text names, also if it denies it. */
export function namedFactor(written: string): Factor {
  const text = written.replace(SEPARATORS, ' ')
  return FACTORS.find(({ pattern }) => text.search(pattern) >= 0)?.factor ?? 1
}

/** A text without the units that it denies: `not in thousands`. */
export const withoutDenied = (text: string): string => text.replace(DENIED, ' ')

/** The factor that a header or a title announces: `in thousands`, `(000s)`, `$mm`, `€m`, `kSEK`, `tkr`; otherwise 1, also for `not in thousands`. */
export const factorOf = (text: string): Factor => (namedFactor(text) === 1 ? 1 : namedFactor(withoutDenied(text)))

/** A unit of amounts in a text, with the text before it since the last one. */
export interface NamedUnit {
  /** 1 for full amounts. */
  factor: Factor
  before: string
}

/** Words for thousands and millions after a currency. */
const MULTIPLIER = "th|tsd|mi[loq]|mm?n?(?!\\p{L})|k(?!\\p{L})|t(?!\\p{L})|['’]?0{3}|1[,.]?0{3}|\\("
const FULL = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:(?:in |as )?(?:full|whole|actual|exact|single|unrounded)(?: (?:us|u\\.s\\.|canadian))? (?:${UNIT}|dollars?|euros?|pounds?|francs?|amounts?|units?|figures?|numbers?|currency|values?)|in full|in (?:us |u\\.s\\. |canadian )?(?:dollars|euros|pounds|units)|in ${UNIT}(?!\\s*(?:${MULTIPLIER})))(?![\\p{L}\\p{N}])`,
  'iu',
)
const patternOf = (factor: Factor) => FACTORS.flatMap((one) => (one.factor === factor ? one.pattern.source : [])).join('')
const UNITS = new RegExp(
  `(?<full>${DENIED.source}|${FULL.source})|(?<millions>${patternOf(1_000_000)})|(?<thousands>${patternOf(1_000)})`,
  'giu',
)

/** The units that a text names, and what follows the last of them. */
export function unitsIn(text: string): { units: NamedUnit[]; after: string } {
  const units: NamedUnit[] = []
  let end = 0
  for (const { index, 0: written, groups = {} } of text.matchAll(UNITS)) {
    const before = text.slice(end, index)
    const factor = groups['millions'] !== undefined ? 1_000_000 : groups['thousands'] !== undefined ? 1_000 : 1
    const last = units.at(-1)
    end = index + written.length
    // `in US dollars (thousands)` is one unit.
    if (last && !/\p{L}/u.test(before)) last.factor = factor > last.factor ? factor : last.factor
    else units.push({ factor, before })
  }
  return { units, after: text.slice(end) }
}

/** A header without the factor that it announces, and without the comma before it. */
export function withoutFactor(text: string): string {
  const rest = FACTORS.reduce((remaining, { pattern }) => remaining.replace(pattern, ' '), text)
  return rest === text ? text : rest.replace(/[\s,:–—-]+$/u, '')
}

const MULTIPLE_WORD =
  /(?<![\p{L}\p{N}.,])(?:(?:thousands?|millions?|tausend|tsd\.?|millionen|mio\.?|mln\.?|milliers?)(?:\s+(?:of|de|d'))?(?!\p{L})|['’]?0{3}(?:['’]?s)?(?![\p{L}\p{N}]))/giu

/** A title without its words for thousands and millions, so that a currency is where others are: `in thousands of EUR`, `EUR '000`. */
export const withoutMultiples = (title: string): string => title.replace(MULTIPLE_WORD, ' ').replace(/\s+/g, ' ').trim()
