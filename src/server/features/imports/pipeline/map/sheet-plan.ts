import { PROPERTY_DEFAULTS } from '#contract/property-fields.ts'
import { normalizeHeader } from '#server/features/imports/pipeline/read/headers.ts'
import { partOf } from '#server/features/imports/pipeline/read/section-units.ts'
import type { SheetPart, SheetUnits } from '#server/features/imports/pipeline/read/title-units.ts'
import type { PlannedColumn, ReadPlan } from './read-plan.ts'

type Sheets = NonNullable<ReadPlan['sheets']>

/** The factors that the texts of a sheet announce for any of its amounts. */
const factorsOf = ({ factor, columnFactors, parts = [] }: SheetUnits): number[] => {
  const ofParts = parts.map((part) => part.factor ?? factor)
  return [...(ofParts.length > 0 ? ofParts : [factor]), ...(columnFactors?.values() ?? [])]
}

const hasPartFactors = ({ parts = [] }: SheetUnits): boolean => parts.some(({ factor }) => factor !== undefined)

/** The sheets whose texts announce a factor; none if all of them announce the same one for all columns. */
function factoredSheets(sheets: Sheets): number[] {
  const factorOf = (units: SheetUnits) => Math.max(1, ...factorsOf(units))
  const factors = new Set([...sheets.values()].map(factorOf))
  const isByPart = [...sheets.values()].some((units) => units.columnFactors !== undefined || hasPartFactors(units))
  return factors.size > 1 || isByPart ? [...sheets].flatMap(([index, units]) => (factorOf(units) > 1 ? [index] : [])) : []
}

const columnFactor = ({ columnFactors }: SheetUnits, { column, target }: PlannedColumn): number | undefined =>
  columnFactors?.get(column) ?? columnFactors?.get(target)

/** The names of the sheets or sections whose texts announce a factor, if others announce none or another one; of the columns, where texts name these. */
export function announcedFactors({ columns, sheets = new Map() }: ReadPlan, nameOf: (sheet: number) => string) {
  return factoredSheets(sheets).flatMap((index) => {
    const units: SheetUnits = sheets.get(index) ?? { factor: 1, currency: undefined }
    const { factor, parts = [] } = units
    const named = columns.flatMap((column) => {
      const own = columnFactor(units, column) ?? 1
      return own > 1 ? [{ name: `${column.header} (${nameOf(index)})`, factor: own }] : []
    })
    const titles = parts.flatMap((part) => ((part.factor ?? 1) > 1 ? [{ name: part.title, factor: part.factor ?? 1 }] : []))
    if (titles.length > 0) return [...titles, ...named]
    return factor > 1 ? [{ name: nameOf(index), factor }, ...named] : named
  })
}

/** Whether sections of a sheet have different units or currencies, so that no total is that of all of them. */
export const differBySection = ({ sheets }: ReadPlan): boolean =>
  [...(sheets?.values() ?? [])].some(({ parts = [] }) => new Set(parts.map(({ factor, currency }) => `${factor} ${currency}`)).size > 1)

/**
 * The currency of a sheet. Where one sheet names a currency, another one without a name has the usual one, so that an answer for the first
 * does not apply to it. A currency of all sheets is that of the import, which the user may change.
 */
function currencyOf({ currency }: SheetUnits, { sheets = new Map<number, SheetUnits>(), constants }: ReadPlan): string | undefined {
  const isCommon = new Set([...sheets.values()].map((other) => other.currency)).size === 1
  if (isCommon) return constants.currency ? undefined : currency
  return currency ?? PROPERTY_DEFAULTS.currency
}

/** What the user said of a column, except below a title with a unit of its own. */
function askedFactor({ asked }: SheetUnits, { column }: PlannedColumn, part: SheetPart | undefined): number {
  const answer = asked?.answers.get(column)
  return answer === undefined ? 1 : (part?.factor ?? answer)
}

/** The plan of each row: the titles and notes of its sheet and section say which currency its amounts are in, and whether they are multiplied. */
export function rowPlans(plan: ReadPlan): (row: { sheet: number; number: number }) => ReadPlan {
  const { sheets = new Map<number, SheetUnits>() } = plan
  const isAsked = [...sheets.values()].some(({ asked }) => asked !== undefined)
  const isByFactor = isAsked || factoredSheets(sheets).length > 0
  const planFor = (units: SheetUnits, part?: SheetPart): ReadPlan => {
    const columns = plan.columns.map((column) => {
      const announced = columnFactor(units, column) ?? part?.factor ?? units.factor
      const factor = isAsked
        ? askedFactor(units, column, part)
        : Math.min(column.style.factor, Math.max(announced, normalizeHeader(column.header).factor))
      return { ...column, style: { ...column.style, factor } }
    })
    return { ...plan, currency: part?.currency ?? currencyOf(units, plan), columns: isByFactor ? columns : plan.columns }
  }
  const plans = new Map([...sheets].map(([index, units]) => [index, planFor(units)]))
  const ofParts = new Map([...sheets.values()].flatMap((units) => (units.parts ?? []).map((part) => [part, planFor(units, part)])))
  return ({ sheet, number }) => {
    const part = partOf(sheets.get(sheet)?.parts ?? [], number)
    return (part && ofParts.get(part)) ?? plans.get(sheet) ?? plan
  }
}
