import { isCurrency } from '#contract/currencies.ts'
import { PROPERTY_DEFAULTS, propertyField } from '#contract/property-fields.ts'
import { CURRENCY_CODES } from '#server/features/imports/pipeline/read/amount-notation.ts'
import { cellText, type Cell } from '#server/features/imports/pipeline/read/cells.ts'
import { isFieldName } from '#server/features/imports/pipeline/read/header-synonyms.ts'
import { wordTable } from '#server/features/imports/pipeline/read/word-table.ts'
import { warning, type CellResult, type FilledCell, type ReadRow, type RowFields } from './results.ts'

const CURRENCY_WORDS = wordTable('USD:$,US$,DOLLARS,DOLLAR,US DOLLARS; CAD:C$,CA$; EUR:€,EURO; GBP:£')

export function readCurrency(cell: FilledCell): CellResult {
  const text = String(cell).trim()
  const word = text.toUpperCase()
  const code = CURRENCY_WORDS.get(word) ?? (isCurrency(word) ? word : undefined)
  if (code !== undefined) return { value: code }
  return warning('unknown_code', `“${text}” is not a known currency. Type its three-letter code, such as USD.`)
}

/** A dollar sign alone does not count, since several currencies have it. */
const WRITTEN: readonly [RegExp, string][] = [
  [/€|\beuros?\b/i, 'EUR'],
  [/£/, 'GBP'],
  [/\bs?fr\./i, 'CHF'],
  [/\bCA?N?\s?\$|\$\s?CA\b/i, 'CAD'],
  [/\bUS\$/i, 'USD'],
]
const WRITTEN_CODE = new RegExp(`(?<!\\p{L})(?:${CURRENCY_CODES.toUpperCase()})(?!\\p{L})`, 'u')

/** The currency that a header or an amount names: `Building (€)`, `TIV EUR`, `£5,000`. */
export const currencyIn = (text: string): string | undefined =>
  WRITTEN.find(([pattern]) => pattern.test(text))?.[1] ?? WRITTEN_CODE.exec(text)?.[0]

const DOLLARS: ReadonlySet<string> = new Set(['USD', 'CAD', 'AUD', 'NZD', 'MXN', 'BRL', 'HKD', 'SGD'])

/** Whether an amount with a dollar sign alone is in none of these currencies. */
export const excludesDollars = (currencies: ReadonlySet<string>): boolean =>
  currencies.size > 0 && ![...currencies].some((currency) => DOLLARS.has(currency))

/** The currencies of the amounts of a row. */
export function currenciesOfRow({ fields, issues }: Pick<ReadRow, 'fields' | 'issues'>): string[] {
  const mixed = issues.find(({ code }) => code === 'mixed_currency')?.value?.split(LIST) ?? []
  return mixed.length > 1 ? mixed : [fields.currency ?? PROPERTY_DEFAULTS.currency]
}

const LIST = ', '

interface Plan {
  columns: readonly { index: number; column: string; header: string; target: string }[]
  constants: RowFields
  /** The currency that the titles name. */
  currency?: string | undefined
}

/**
 * Sets the currency of a row from its column, its amounts or the headers above them. Amounts in different currencies are never mixed,
 * and a row in another currency than the one that the user chose for the import is an error.
 */
export function readCurrencies(cells: readonly (Cell | undefined)[], { columns, constants, currency: titled }: Plan, row: ReadRow): void {
  const { fields, origin } = row
  const named = new Set(fields.currency ? [fields.currency] : [])
  let hasDollars = false
  let hasUnnamed = false
  for (const { index, column, header, target } of columns) {
    if (!isFieldName(target) || propertyField(target).kind !== 'money' || !fields[target]) continue
    const text = cellText(cells[index])
    const currency = currencyIn(text) ?? currencyIn(header)
    hasDollars ||= currency === undefined && (text.includes('$') || header.includes('$'))
    hasUnnamed ||= currency === undefined
    if (currency === undefined) continue
    named.add(currency)
    origin.currency ??= column
  }
  // The currency in a column of its own or in a title also applies below headers with a dollar sign.
  if (titled !== undefined && !fields.currency && (hasUnnamed || named.size === 0)) named.add(titled)
  else if (hasDollars && !fields.currency && excludesDollars(named)) named.add(PROPERTY_DEFAULTS.currency)
  checkCurrency(row, named, constants.currency)
}

function checkCurrency(row: ReadRow, named: ReadonlySet<string>, chosen: string | null | undefined): void {
  const [own, ...others] = named
  if (own === undefined) return
  const reject = (message: string) =>
    row.issues.push({
      column: row.origin.currency ?? null,
      field: 'currency',
      code: 'mixed_currency',
      severity: 'error',
      message,
      value: [...named].join(LIST),
    })
  row.fields.currency = own
  if (others.length > 0)
    reject(`The amounts of this row are in ${[...named].join(' and ')}. Convert them to one currency, or ignore the columns of the others.`)
  else if (chosen && chosen !== own) reject(`This row is in ${own}, the import in ${chosen}. Convert its amounts, or import it separately.`)
}
