import { isCurrency } from '#contract/currencies.ts'
import { isUnreadAmount } from '#contract/imports.ts'
import { PROPERTY_DEFAULTS, propertyField } from '#contract/property-fields.ts'
import { cellText, type Cell } from '#server/features/imports/pipeline/read/cells.ts'
import { codesOfName, CURRENCY_OF_COUNTRY, currencyIn, isUnclearName } from '#server/features/imports/pipeline/read/currency-signs.ts'
import { isFieldName } from '#server/features/imports/pipeline/read/header-synonyms.ts'
import { wordTable } from '#server/features/imports/pipeline/read/word-table.ts'
import { warning, type CellResult, type FilledCell, type ReadRow, type RowFields } from './results.ts'

const CURRENCY_WORDS = wordTable(
  'USD:$,US$,DOLLARS,DOLLAR,US DOLLARS; CAD:C$,CA$; EUR:€,EURO; GBP:£; BRL:R$; AUD:A$; NZD:NZ$; HKD:HK$; SGD:S$; MXN:MX$; CHF:FR,FR.,SFR,SFR.; PLN:ZŁ; INR:₹; KRW:₩; RUB:₽; TRY:₺',
)

export function readCurrency(cell: FilledCell): CellResult {
  const text = String(cell).trim()
  const word = text.toUpperCase()
  const code = CURRENCY_WORDS.get(word) ?? (isCurrency(word) ? word : undefined)
  if (code !== undefined) return { value: code }
  return warning('unknown_code', `“${text}” is not a known currency. Type its three-letter code, such as USD.`)
}

const DOLLARS: ReadonlySet<string> = new Set(['USD', 'CAD', 'AUD', 'NZD', 'MXN', 'BRL', 'HKD', 'SGD'])

/** Whether an amount with a dollar sign alone is in none of these currencies. */
export const excludesDollars = (currencies: ReadonlySet<string>): boolean =>
  currencies.size > 0 && ![...currencies].some((currency) => DOLLARS.has(currency))

/** The currencies of the amounts of a row. */
export function currenciesOfRow({ fields, issues }: Pick<ReadRow, 'fields' | 'issues'>): string[] {
  const mixed = issues.find(({ code }) => code === 'mixed_currency')?.value?.split(LIST) ?? []
  return mixed.length > 1 || mixed.some(isUnclearName) ? mixed : [fields.currency ?? PROPERTY_DEFAULTS.currency]
}

const LIST = ', '

/** Whether a cell has an amount that could not be read, in the currency of its sign or else in that of its header. */
const isAmountUnread = (text: string, letter: string, { issues }: ReadRow): boolean =>
  (/[\d$]/.test(text) || currencyIn(text) !== undefined) && issues.some((issue) => issue.column === letter && isUnreadAmount(issue))

/** Whether a row has an amount that could not be read, although the file names its currency. */
export const hasUnreadInCurrency = ({ issues, origin }: Pick<ReadRow, 'issues' | 'origin'>): boolean =>
  (origin.currency !== undefined || issues.some(({ code }) => code === 'mixed_currency')) && issues.some(isUnreadAmount)

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
export function readCurrencies(cells: readonly (Cell | undefined)[], plan: Plan, row: ReadRow): void {
  const { columns, currency: titled } = plan
  const { fields, origin } = row
  const named = new Set(fields.currency ? [fields.currency] : [])
  const { currency: chosen } = plan.constants
  let hasDollars = false
  let hasDollarCells = false
  let hasUnnamed = false
  for (const { index, column, header, target } of columns) {
    if (!isFieldName(target) || propertyField(target).kind !== 'money') continue
    const text = cellText(cells[index])
    if (!fields[target] && !isAmountUnread(text, column, row)) continue
    const currency = currencyIn(text) ?? currencyIn(header)
    hasDollars ||= currency === undefined && (text.includes('$') || header.includes('$'))
    hasDollarCells ||= currency === undefined && text.includes('$')
    hasUnnamed ||= currency === undefined
    if (currency === undefined) continue
    named.add(currency)
    origin.currency ??= column
  }
  // The currency in a column of its own or in a title also applies below headers with a dollar sign.
  if (titled !== undefined && !fields.currency && (hasUnnamed || named.size === 0)) named.add(titled)
  else if (
    !fields.currency &&
    ((hasDollars && excludesDollars(named)) || (hasDollarCells && excludesDollars(new Set(chosen ? [chosen] : []))))
  )
    named.add(PROPERTY_DEFAULTS.currency)
  if (named.size === 0 && row.empty.includes('currency')) delete origin.currency
  checkCurrency(row, resolved(named, row, plan), chosen)
}

/**
 * The names of currencies, with what a sign of several currencies means in this row: the one that the row names elsewhere, that the user
 * chose, that the title names, or that of its country. Only the user can say what an unknown sign means.
 */
function resolved(named: ReadonlySet<string>, { fields }: ReadRow, { constants, currency: titled }: Plan): Set<string> {
  const chosen = constants.currency ?? undefined
  const ofCountry = CURRENCY_OF_COUNTRY[fields.country ?? constants.country ?? '']
  const meaningOf = (name: string) => {
    const codes = codesOfName(name)
    return codes.length === 0 ? chosen : [...named, chosen, titled, ofCountry].find((code) => code !== undefined && codes.includes(code))
  }
  return new Set([...named].map((name) => (isUnclearName(name) ? (meaningOf(name) ?? name) : name)))
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
  if (!isUnclearName(own)) row.fields.currency = own
  if (others.length > 0)
    reject(`The amounts of this row are in ${[...named].join(' and ')}. Convert them to one currency, or ignore the columns of the others.`)
  else if (chosen && chosen !== own) reject(`This row is in ${own}, the import in ${chosen}. Convert its amounts, or import it separately.`)
  else if (isUnclearName(own)) reject(`The amounts of this row are in ${own}. Answer the question about the currency, or correct the sign.`)
}
