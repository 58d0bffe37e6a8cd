import { isTivPart } from '#contract/property-fields.ts'
import type { Reader } from '#server/access/viewer.ts'
import type { ImportRecord } from '#server/features/imports/imports.queries.ts'
import { columnCurrencies } from '#server/features/imports/pipeline/map/column-currency.ts'
import { columnsWithFactor } from '#server/features/imports/pipeline/map/column-style.ts'
import { isIncludedPart } from '#server/features/imports/pipeline/plan/included-parts.ts'
import { sumUnmapped } from '#server/features/imports/pipeline/plan/unmapped-money.ts'
import { factorOf } from '#server/features/imports/pipeline/read/amount-notation.ts'
import { currencyIn, mayMean } from '#server/features/imports/pipeline/read/currency-signs.ts'
import { isMoneyField } from '#server/features/imports/pipeline/read/header-synonyms.ts'
import { normalizeHeader, scoreHeader } from '#server/features/imports/pipeline/read/headers.ts'
import { totalsCells } from './file-facts.ts'
import { titlesOf } from './sheet-units.ts'

type Column = ImportRecord['columns'][number]

/**
 * The columns without a field: those without a mapping, and those that a user has left out or keeps as custom fields, unless their amounts
 * are included in others. So are columns that no user has left out: an amount per area if no column has the value of the building, and a
 * column that gave way to another one of the same field which is not imported either.
 */
export function unmappedColumns({ columns, mapping, constants }: ImportRecord) {
  const hasBuildings = Object.values(mapping).includes('building_value')
  const isLeftOut = ({ column, target, status }: Column) =>
    (mapping[column] === 'custom' || (mapping[column] === 'ignore' && status === 'mapped')) && !isIncludedPart(constants, target)
  const isUndecided = ({ column, status }: Column) => mapping[column] === 'ignore' && status === 'unmapped'
  const isMissing = (one: Column) =>
    mapping[one.column] === undefined ||
    (isUndecided(one) && ((!hasBuildings && normalizeHeader(one.header).isPerArea) || gaveWayInVain(one, mapping, constants['currency'])))
  const leftOut = new Set(columns.filter(isLeftOut).map(({ column }) => column))
  const currencies = columnCurrencies(columns, (column) => (leftOut.has(column) ? 'building_value' : mapping[column]))
  return columns.flatMap((one, index) => {
    const { column, header } = one
    if (leftOut.has(column))
      return [{ index, column, header, isLeftOut: true, isCustom: mapping[column] === 'custom', currency: currencies.get(column) }]
    return isMissing(one) ? [{ index, column, header }] : []
  })
}

/** Whether the values of a column are not imported because of a better column whose values are not imported either. */
function gaveWayInVain({ header, note }: Column, mapping: ImportRecord['mapping'], chosenCurrency: string | undefined): boolean {
  if (note !== 'older_year' && note !== 'limit') return false
  const [named] = scoreHeader(normalizeHeader(header))
  if (named === undefined || !isTivPart(named.target) || Object.values(mapping).includes(named.target)) return false
  const currency = currencyIn(header)
  return currency === undefined || chosenCurrency === undefined || mayMean(currency, chosenCurrency)
}

/** The columns with insured values. */
const amountColumns = ({ columns, mapping }: ImportRecord): number[] =>
  columns.flatMap(({ column }, index) => (isTivPart(mapping[column]) ? [index] : []))

/** Finds money in the columns without a mapping. */
export const unmappedMoney = async (db: Reader, record: ImportRecord) =>
  sumUnmapped(unmappedColumns(record), {
    amounts: amountColumns(record),
    headers: record.columns.map(({ header }) => header),
    totalsRows: (await totalsCells(db, record.id)).map(({ cells }) => cells),
    ...factorsOf(record, await titlesOf(db, record)),
  })

/** How the amounts of a column are multiplied: as if it were imported. */
function factorsOf({ columns, mapping, constants }: ImportRecord, titles: readonly string[]) {
  const titled = Math.max(1, ...titles.map(factorOf))
  const announces = ({ column, header }: Column) => isMoneyField(mapping[column] ?? '') && normalizeHeader(header).factor > 1
  const isOpen = titled > 1 || columns.some(announces)
  const chosen = constants['factor'] === undefined ? undefined : Number(constants['factor'])
  const isByHeader = (header: string) => columnsWithFactor([...columns, { header, target: 'building_value' }], titles).length > 0
  return {
    fileFactor: (header: string): number => (isByHeader(header) ? 1 : (chosen ?? titled)),
    shownFactor: (header: string): number => {
      const announced = normalizeHeader(header).factor
      if (chosen === undefined) return isOpen ? 1 : announced
      return isByHeader(header) ? Math.min(chosen, announced) : chosen
    },
  }
}
