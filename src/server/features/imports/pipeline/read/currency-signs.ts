import { isCurrency } from '#contract/currencies.ts'

/** Currency codes that count in amounts and headers. Few do, since others are abbreviations, too. */
export const CURRENCY_CODES =
  'usd|cad|eur|gbp|chf|aud|nzd|mxn|jpy|sek|nok|dkk|pln|brl|hkd|sgd|inr|cny|krw|zar|rub|try|huf|czk|thb|ils|aed|twd|myr|idr'

const DOLLARS: Readonly<Record<string, string>> = {
  us: 'USD',
  c: 'CAD',
  ca: 'CAD',
  can: 'CAD',
  cdn: 'CAD',
  a: 'AUD',
  au: 'AUD',
  nz: 'NZD',
  r: 'BRL',
  hk: 'HKD',
  s: 'SGD',
  mx: 'MXN',
  nt: 'TWD',
}
/** Longer ones first. */
const DOLLAR_PREFIXES = Object.keys(DOLLARS)
  .toSorted((a, b) => b.length - a.length)
  .join('|')
const START = '(?<![\\p{L}\\p{N}])'
const DOLLAR = '[$＄﹩]'
/** In a header, these letters are no words: `R$`, `zł`. */
export const SIGN_LETTERS = `${START}(?:(?:${DOLLAR_PREFIXES})\\$|(?:z[łl]|kr)(?![\\p{L}\\p{N}]))`

const OR = ' or '
const either = (...codes: string[]) => codes.join(OR)

/** Signs of Unicode category Sc and words. One that several countries use names each of their currencies. */
const SIGNS: readonly (readonly [pattern: string, currency: string])[] = [
  ['€', 'EUR'],
  ['[£￡]', 'GBP'],
  ['[¥￥]', either('JPY', 'CNY')],
  ['₹', 'INR'],
  ['[₩￦]', 'KRW'],
  ['₽', 'RUB'],
  ['₺', 'TRY'],
  ['₪', 'ILS'],
  ['₫', 'VND'],
  ['₴', 'UAH'],
  ['₦', 'NGN'],
  ['₱', 'PHP'],
  ['฿', 'THB'],
  ['₡', 'CRC'],
  ['₲', 'PYG'],
  ['₵', 'GHS'],
  ['₸', 'KZT'],
  ['₼', 'AZN'],
  ['₾', 'GEL'],
  ['₮', 'MNT'],
  ['₭', 'LAK'],
  ['₨', either('INR', 'PKR', 'LKR', 'NPR')],
  ['﷼', either('SAR', 'IRR', 'OMR', 'QAR')],
]
const WORDS: readonly (readonly [pattern: string, currency: string])[] = [
  [`${START}s?fr(?:\\.|(?=\\s*\\d)|(?<=\\d\\s*s?fr)$)`, 'CHF'],
  [`(?<!\\p{L})z[łl](?![\\p{L}\\p{N}])`, 'PLN'],
  [`(?<!\\p{L})(?:t|mn?)?kr(?!\\p{L})`, either('SEK', 'NOK', 'DKK')],
  [`${START}rmb(?!\\p{L})`, 'CNY'],
  [`${START}tl(?!\\p{L})`, 'TRY'],
]

/** The signs before or after an amount. */
export const SIGN = `(?:${DOLLAR_PREFIXES})?${DOLLAR}|${SIGNS.map(([pattern]) => pattern).join('|')}`
/** The words before or after one. */
export const SIGN_WORD = `s?fr\\.?(?!\\p{L})|kr\\.?(?!\\p{L})|z[łl](?!\\p{L})|rmb(?!\\p{L})|tl(?!\\p{L})`

const WRITTEN: readonly [RegExp, string][] = [
  [/\beuros?\b/i, 'EUR'],
  [/\bCA?N?\s?\$|\$\s?CA\b/i, 'CAD'],
  ...Object.entries(DOLLARS).map(([prefix, code]): [RegExp, string] => [new RegExp(`${START}${prefix}\\$`, 'iu'), code]),
  ...[...SIGNS, ...WORDS].map(([pattern, code]): [RegExp, string] => [new RegExp(pattern, 'iu'), code]),
]
/** Also of thousands and millions: `TEUR`, `kCHF`, `MSEK`. */
const WRITTEN_CODE = new RegExp(`(?<!\\p{L})[TKkM]?(${CURRENCY_CODES.toUpperCase()})(?!\\p{L})`, 'u')
/** A sign that is not in the list; a dollar sign alone names no currency. */
const OTHER_SIGN = /(?![$＄﹩])\p{Sc}/u
/** Nearly all cells of a file have none of the signs, which this test shows faster than all the others. */
const MAY_NAME = /[\p{Sc}\p{L}]/u

/**
 * The currency that a header or an amount names: `Building (€)`, `TIV EUR`, `£5,000`. A sign of several currencies names all of them
 * (`JPY or CNY`), and an unknown sign itself.
 */
export function currencyIn(text: string): string | undefined {
  if (!MAY_NAME.test(text)) return undefined
  return WRITTEN.find(([pattern]) => pattern.test(text))?.[1] ?? WRITTEN_CODE.exec(text)?.[1] ?? OTHER_SIGN.exec(text)?.[0]
}

/** The codes that a name of `currencyIn` may mean; none for an unknown sign. */
export const codesOfName = (name: string): string[] => name.split(OR).filter(isCurrency)

/** Whether the name of a currency may mean this one. Anything may be meant by an unknown sign. */
export function mayMean(name: string, code: string): boolean {
  const codes = codesOfName(name)
  return codes.length === 0 || codes.includes(code)
}

/** Whether a name is not that of one currency. */
export const isUnclearName = (name: string): boolean => !isCurrency(name)

/** Countries with schedules in a currency of their own. */
export const CURRENCY_OF_COUNTRY: Readonly<Record<string, string>> = Object.fromEntries(
  (
    'AU AUD, BR BRL, CA CAD, CH CHF, CN CNY, DK DKK, GB GBP, IN INR, JP JPY, MX MXN, NO NOK, NZ NZD, PL PLN, SE SEK, SG SGD, ZA ZAR, ' +
    'AT EUR, BE EUR, DE EUR, ES EUR, FI EUR, FR EUR, GR EUR, IE EUR, IT EUR, LU EUR, NL EUR, PT EUR'
  )
    .split(', ')
    .map((pair) => pair.split(' ')),
)
