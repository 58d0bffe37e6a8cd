import { PROPERTY_DEFAULTS } from '#contract/property-fields.ts'
import { normalizeHeader } from '#server/features/imports/pipeline/read/headers.ts'
import type { SheetUnits } from '#server/features/imports/pipeline/read/title-units.ts'
import type { PlannedColumn, ReadPlan } from './read-plan.ts'

type Sheets = NonNullable<ReadPlan['sheets']>

/** The sheets whose texts announce a factor; none if all of them announce the same one for all columns. */
function factoredSheets(sheets: Sheets): number[] {
  const factorOf = ({ factor, columnFactors }: SheetUnits) => Math.max(factor, ...(columnFactors?.values() ?? []))
  const factors = new Set([...sheets.values()].map(factorOf))
  const isByColumn = [...sheets.values()].some(({ columnFactors }) => columnFactors !== undefined)
  return factors.size > 1 || isByColumn ? [...sheets].flatMap(([index, units]) => (factorOf(units) > 1 ? [index] : [])) : []
}

const columnFactor = ({ columnFactors }: SheetUnits, { column, target }: PlannedColumn): number | undefined =>
  columnFactors?.get(column) ?? columnFactors?.get(target)

/** The names of the sheets whose texts announce a factor, if others announce none or another one; of the columns, where texts name these. */
export function announcedFactors({ columns, sheets = new Map() }: ReadPlan, nameOf: (sheet: number) => string) {
  return factoredSheets(sheets).flatMap((index) => {
    const units: SheetUnits = sheets.get(index) ?? { factor: 1, currency: undefined }
    const { factor } = units
    const named = columns.flatMap((column) => {
      const own = columnFactor(units, column) ?? 1
      return own > 1 ? [{ name: `${column.header} (${nameOf(index)})`, factor: own }] : []
    })
    return factor > 1 ? [{ name: nameOf(index), factor }, ...named] : named
  })
}

/**
 * The currency of a sheet. Where one sheet names a currency, another one without a name has the usual one, so that an answer for the first
 * does not apply to it. A currency of all sheets is that of the import, which the user may change.
 */
function currencyOf({ currency }: SheetUnits, { sheets = new Map<number, SheetUnits>(), constants }: ReadPlan): string | undefined {
  const isCommon = new Set([...sheets.values()].map((other) => other.currency)).size === 1
  if (isCommon) return constants.currency ? undefined : currency
  return currency ?? PROPERTY_DEFAULTS.currency
}

/** The plan of each sheet: its titles and notes say which currency its amounts are in, and whether they are multiplied. */
export function sheetPlans(plan: ReadPlan): (sheet: number) => ReadPlan {
  const { sheets = new Map<number, SheetUnits>() } = plan
  const isAsked = [...sheets.values()].some(({ asked }) => asked !== undefined)
  const isByFactor = isAsked || factoredSheets(sheets).length > 0
  const plans = new Map(
    [...sheets].map(([index, units]): [number, ReadPlan] => {
      const columns = plan.columns.map((column) => {
        const announced = columnFactor(units, column) ?? units.factor
        const factor = isAsked
          ? (units.asked?.answers.get(column.column) ?? 1)
          : Math.min(column.style.factor, Math.max(announced, normalizeHeader(column.header).factor))
        return { ...column, style: { ...column.style, factor } }
      })
      return [index, { ...plan, currency: currencyOf(units, plan), columns: isByFactor ? columns : plan.columns }]
    }),
  )
  return (sheet) => plans.get(sheet) ?? plan
}
