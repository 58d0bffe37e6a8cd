import { COUNTRIES } from '#contract/countries.ts'
import { languageOf } from '#server/features/imports/pipeline/read/header-language.ts'
import type { ClearDates, DateOrder } from '#server/features/imports/pipeline/read/clear-dates.ts'

/** What a file says about the order of its dates, apart from the dates in question. */
export interface DateFacts {
  /** Of each sheet. */
  dates: readonly ClearDates[]
  /** Rows by the country of the address. */
  countries: ReadonlyMap<string, number>
  /** Rows by the currency of the amounts, if the file names it. */
  currencies: ReadonlyMap<string, number>
  headers: readonly string[]
}

interface Suggestion {
  order: DateOrder
  /** A sentence. */
  reason: string
}

const MONTH_FIRST = new Set('US AS FM GU MH MP PH PR PW VI'.split(' '))
/** Both orders are usual, or the year comes first. */
const UNCERTAIN = new Set('CA CN HU JP KE KR KZ LT MN PA SA TW ZA'.split(' '))
/** Used in many countries, or in one where both orders are usual. */
const UNCERTAIN_CURRENCIES = new Set('USD CAD CNY HUF JPY KES KRW KZT MNT PAB PHP SAR TWD ZAR'.split(' '))
/** Of the rows, for one order. Some of them may be abroad. */
const NEARLY_ALL = 0.8

const orderInCountry = (country: string): DateOrder | undefined =>
  UNCERTAIN.has(country) ? undefined : MONTH_FIRST.has(country) ? 'mdy' : 'dmy'

const first = (order: DateOrder) => (order === 'mdy' ? 'the month' : 'the day')

/**
 * Suggests the order of dates that can be read in two ways: by other dates of the file, then by the country of the addresses, the currency,
 * and the language of the headers. Undefined if nothing shows it, or if the signs contradict each other.
 */
export function suggestDateOrder({ dates, countries, currencies, headers }: DateFacts): Suggestion | undefined {
  const { mdy, dmy } = Object.assign({}, ...dates) as ClearDates
  if (mdy !== undefined && dmy !== undefined) return undefined
  const clear = mdy ?? dmy
  if (clear !== undefined) {
    const order = mdy === undefined ? 'dmy' : 'mdy'
    return { order, reason: `In ${clear}, another date of the file, ${first(order)} comes first.` }
  }
  return byRows(countries, orderInCountry, countryReason) ?? byRows(currencies, orderOfCurrency, currencyReason) ?? byLanguage(headers)
}

const orderOfCurrency = (currency: string): DateOrder | undefined => (UNCERTAIN_CURRENCIES.has(currency) ? undefined : 'dmy')

function byRows(
  rows: ReadonlyMap<string, number>,
  orderOf: (name: string) => DateOrder | undefined,
  reasonOf: (order: DateOrder, names: readonly string[]) => string,
): Suggestion | undefined {
  const all = [...rows.values()].reduce((sum, count) => sum + count, 0)
  for (const order of ['mdy', 'dmy'] as const) {
    const names = [...rows].filter(([name]) => orderOf(name) === order)
    const count = names.reduce((sum, [, some]) => sum + some, 0)
    if (count > 0 && count >= all * NEARLY_ALL) {
      return {
        order,
        reason: reasonOf(
          order,
          names.map(([name]) => name),
        ),
      }
    }
  }
  return undefined
}

const countryReason = (order: DateOrder, [country = '', ...others]: readonly string[]): string =>
  others.length > 0
    ? `In the countries of the addresses ${first(order)} comes first.`
    : `In the country of the addresses, ${COUNTRIES[country] ?? country}, ${first(order)} comes first.`

const currencyReason = (order: DateOrder, currencies: readonly string[]): string =>
  `Where amounts are in ${currencies.join(' or ')}, ${first(order)} comes first.`

function byLanguage(headers: readonly string[]): Suggestion | undefined {
  const language = languageOf(headers)
  return language === undefined ? undefined : { order: 'dmy', reason: `In ${language}, the language of the headers, the day comes first.` }
}
