import { plural } from '#contract/format.ts'
import type { Import } from '#contract/imports.ts'
import { PROPERTY_DEFAULTS } from '#contract/property-fields.ts'
import type { PartCurrency } from '#server/features/imports/pipeline/map/column-currency.ts'
import { CURRENCY_OF_COUNTRY, codesOfName, isUnclearName } from '#server/features/imports/pipeline/read/currency-signs.ts'
import { accountCurrency } from './account-currency.ts'
import { foreignQuestion } from './foreign-question.ts'
import { listColumns, partCurrencyQuestion } from './part-currency-question.ts'
import { currenciesOf } from './summarize.ts'
import { unnamedCurrencies, type Tally } from './tally.ts'

type Question = Import['questions'][number]

/** What the titles of the sheets say: whether one names a currency, and which ones a title names if it names several. */
interface Titled {
  isClear: boolean
  several: readonly string[]
}

/**
 * @param named the currencies of the columns, if rows have amounts in several
 * @param part the currency that only some columns name
 */
export function currencyQuestion(tally: Tally, named: ReadonlyMap<string, string>, titled: Titled, part?: PartCurrency): Question[] {
  const isTitled = titled.isClear
  const columns = Map.groupBy(named.keys(), (column) => named.get(column) ?? '')
  const isByColumn = columns.size > 1
  const aboutPart = part === undefined || isTitled ? [] : partCurrencyQuestion(tally, part)
  if (aboutPart.length > 0) return aboutPart
  const [counts, before] = [isByColumn ? countsOf(columns) : currenciesOf(tally), currenciesOf(tally, 'before')]
  // The one of the register, otherwise the most frequent one, and of several the usual one.
  const rank = (currency: string) => Number(before.has(currency)) * 2 + Number(currency === PROPERTY_DEFAULTS.currency)
  const [most = 0] = counts.values()
  const possible = [...counts].filter(([currency, count]) => before.has(currency) || count === most)
  const [first] = possible.map(([currency]) => currency).toSorted((a, b) => rank(b) - rank(a))
  if (first === undefined) return []
  if (counts.size === 1 && isUnclearName(first)) return signQuestion(first, counts.get(first) ?? 0)
  if (counts.size === 1) return isTitled ? [] : titled.several.length > 0 ? titlesQuestion(titled.several, tally) : foreignQuestion(tally)
  // Rows in another currency than the properties of the account could never be written.
  const own = accountCurrency(tally)
  const codes = [...new Set([...counts.keys()].flatMap(codesOfName))].filter((code) => own === undefined || code === own)
  if (codes.length === 0 && own !== undefined) return []
  const unnamedIn = isTitled ? [] : unnamedCurrencies(tally)
  const unnamed = unnamedIn.reduce((sum, [, rows]) => sum + rows, 0)
  const isMost = unnamed * 2 >= [...counts.values()].reduce((sum, count) => sum + count, 0)
  const local = isMost ? CURRENCY_OF_COUNTRY[unnamedIn[0]?.[0] ?? ''] : undefined
  const isPossible = (code: string | undefined) => code !== undefined && codes.includes(code)
  const suggestion = [local, ...codesOfName(first)].find(isPossible) ?? codes[0] ?? PROPERTY_DEFAULTS.currency
  if (isByColumn) {
    const list = [...columns].map(([currency, letters]) => `${currency} (${listColumns(letters)})`).join(' and ')
    const message = `The amounts are in ${list}, which cannot be added up. Import only the amounts in ${suggestion}?`
    const options = Object.fromEntries(codes.map((currency) => [currency, `Only the amounts in ${currency}`]))
    return [{ constant: 'currency', suggestion, message, options }]
  }
  return [
    {
      constant: 'currency',
      suggestion,
      ...(unnamed > 0 ? unnamedQuestion(counts, unnamed, codes, suggestion) : namedQuestion(counts, codes, suggestion)),
    },
  ]
}

/** No row names its currency, and a title names several. */
function titlesQuestion(several: readonly string[], tally: Tally): Question[] {
  const unnamed = unnamedCurrencies(tally).reduce((sum, [, rows]) => sum + rows, 0)
  const [first, ...others] = [...new Set(several)].toSorted(
    (a, b) => Number(b === PROPERTY_DEFAULTS.currency) - Number(a === PROPERTY_DEFAULTS.currency),
  )
  if (first === undefined || unnamed === 0) return []
  const message = `The file names ${[first, ...others].join(' and ')} above the columns, and ${plural(unnamed, 'row has', 'rows have')} amounts without a currency. Are they in ${first}? Rows in another currency need a column that names it.`
  const options = Object.fromEntries([first, ...others].map((code) => [code, code === first ? `Yes, in ${code}` : `No, in ${code}`]))
  return [{ constant: 'currency', suggestion: first, message, options }]
}

type Choice = Pick<Question, 'message' | 'options'>

const listOf = (counts: ReadonlyMap<string, number>) =>
  [...counts].map(([currency, count]) => `${currency} (${plural(count, 'row')})`).join(' and ')

/** Every row names its currency. */
function namedQuestion(counts: ReadonlyMap<string, number>, codes: readonly string[], suggestion: string): Choice {
  const message = `The amounts are in ${listOf(counts)}, which cannot be added up. Import only the rows in ${suggestion}?`
  return { message, options: Object.fromEntries(codes.map((currency) => [currency, `Only rows in ${currency}`])) }
}

/** Some rows name no currency: they are counted in the usual one, and an answer applies to them. */
function unnamedQuestion(counts: ReadonlyMap<string, number>, unnamed: number, codes: readonly string[], suggestion: string): Choice {
  const usual = PROPERTY_DEFAULTS.currency
  const named = new Map([...counts].map(([currency, count]) => [currency, currency === usual ? count - unnamed : count] as const))
  if ((named.get(usual) ?? 0) <= 0) named.delete(usual)
  const describe = (code: string) =>
    named.has(code) ? `Rows in ${code}, and those without one as ${code}` : `Only rows without one, as ${code}`
  const without = `${plural(unnamed, 'row')} ${unnamed === 1 ? 'has' : 'have'} no currency or only “$”`
  const message = `Some amounts are in ${listOf(named)}, and ${without}. Amounts in several currencies cannot be added up. Which rows are imported?`
  return { message, options: Object.fromEntries([suggestion, ...codes].map((code) => [code, describe(code)])) }
}

/** Every amount has a sign that several currencies have, or an unknown one. */
function signQuestion(name: string, rows: number): Question[] {
  const codes = codesOfName(name)
  const [suggestion = PROPERTY_DEFAULTS.currency] = codes
  const meaning = codes.length > 0 ? `may be in ${name}` : `have the sign “${name}”, which is not known`
  const message = `The amounts of ${plural(rows, 'row')} ${meaning}. Are they in ${suggestion}?`
  const options = Object.fromEntries([suggestion, ...codes].map((code) => [code, `${code === suggestion ? 'Yes' : 'No'}, in ${code}`]))
  return [{ constant: 'currency', suggestion, message, options }]
}

/** How many columns are in each currency, the most frequent first. */
const countsOf = (columns: ReadonlyMap<string, readonly string[]>): Map<string, number> =>
  new Map([...columns].map(([currency, { length }]) => [currency, length] as const).sort(([, a], [, b]) => b - a))
