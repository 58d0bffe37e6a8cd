import { PROPERTY_DEFAULTS } from '#contract/property-fields.ts'
import { normalizeHeader } from '#server/features/imports/pipeline/read/headers.ts'
import type { SheetUnits } from '#server/features/imports/pipeline/read/title-units.ts'
import type { ReadPlan } from './read-plan.ts'

type Sheets = NonNullable<ReadPlan['sheets']>

/** The factor of each sheet whose texts announce one; none if all of them announce the same one. */
export function sheetFactors(sheets: Sheets): Map<number, number> {
  const factors = new Set([...sheets.values()].map(({ factor }) => factor))
  const announced = [...sheets].flatMap(([index, { factor }]) => (factor > 1 ? [[index, factor] as const] : []))
  return new Map(factors.size > 1 ? announced : [])
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
  const isByFactor = sheetFactors(sheets).size > 0
  const plans = new Map(
    [...sheets].map(([index, units]): [number, ReadPlan] => {
      const columns = plan.columns.map((column) => {
        const factor = Math.min(column.style.factor, Math.max(units.factor, normalizeHeader(column.header).factor))
        return { ...column, style: { ...column.style, factor } }
      })
      return [index, { ...plan, currency: currencyOf(units, plan), columns: isByFactor ? columns : plan.columns }]
    }),
  )
  return (sheet) => plans.get(sheet) ?? plan
}
