import { isCurrency } from '#contract/currencies.ts'

/** What the texts in a number format say about an amount. */
export interface FormatMeaning {
  /** As written in the format, or as a code if the locale of the format shows whose sign it is; `$` alone is one, too. */
  currency?: string | undefined
  /** How many units the stored number counts, other than one: a literal `K` without a comma that divides by a thousand. */
  multiple?: number
}

/** Parts of a format code up to its second section: literals, the currency of a locale, fillers, and signs. */
const PART = /"([^"]*)"|\\(.)|\[\$([^\]-]*)(?:-([0-9a-f]+))?\]|\[[^\]]*\]|[_*].|([;])|(\p{Sc}|k)|([\s\S])/giu

/** By sign and the number of the language (MS-LCID, in hexadecimal). */
const BY_LOCALE: Readonly<Record<string, string>> = {
  '$ 1009': 'CAD',
  '$ C0C': 'CAD',
  '$ C09': 'AUD',
  '$ 1409': 'NZD',
  '$ C04': 'HKD',
  '$ 1004': 'SGD',
  '$ 4804': 'SGD',
  '$ 80A': 'MXN',
  '$ 404': 'TWD',
  '¥ 411': 'JPY',
  '¥ 804': 'CNY',
  'kr 41D': 'SEK',
  'kr 414': 'NOK',
  'kr 814': 'NOK',
  'kr 406': 'DKK',
  'kr. 406': 'DKK',
}

const CURRENCY = /(?:\p{Lu}{1,3})?\p{Sc}|(?<!\p{L})(?:s?fr\.?|kr\.?|zł)(?!\p{L})/iu
const CODE = /(?<!\p{L})[A-Z]{3}(?!\p{L})/gu
const THOUSANDS = /(?<!\p{L})(?:k|thousands?|tsd|0{3}(?:'?s)?)(?!\p{L})/iu
const MILLIONS = /(?<!\p{L})(?:MM?|(?:mio|mln|mn|millions?)\.?)(?!\p{L})|(?<=\p{Sc}\s*)mm?(?!\p{L})/u

export function meaningOf(code: string): FormatMeaning {
  const { literals, named, digits } = partsOf(code)
  const currency = named ?? currencyOf(literals)
  const literal = MILLIONS.test(literals) ? 1_000_000 : THOUSANDS.test(literals) ? 1_000 : 1
  const multiple = literal / 1_000 ** divisorsIn(digits)
  return { ...(currency === undefined ? {} : { currency }), ...(literal > 1 && multiple > 1 ? { multiple } : {}) }
}

/** The texts of the first section, the currency that it names with a locale, and the rest. */
function partsOf(code: string) {
  let [literals, digits] = ['', '']
  let named: string | undefined
  for (const [, quoted, escaped, symbol, locale = '', end, sign, other] of code.matchAll(PART)) {
    if (end !== undefined) break
    literals += quoted ?? escaped ?? sign ?? symbol ?? (other === undefined ? '' : ' ')
    digits += other ?? ''
    if (symbol) named ??= BY_LOCALE[`${symbol.trim()} ${locale.replace(/^0+/, '').toUpperCase()}`] ?? symbol.trim()
  }
  return { literals, named, digits }
}

const currencyOf = (literals: string): string | undefined =>
  CURRENCY.exec(literals)?.[0] ?? literals.match(CODE)?.find((code) => isCurrency(code))

/** Commas after the last digit before the point, or at the end, divide by a thousand each. */
const divisorsIn = (digits: string): number => (digits.match(/(?<=[0#?]),+(?=\.|[^0#?,.]*$)/g) ?? []).join('').length
