import { columnFactor } from '#contract/column-factor.ts'
import { formatNumber } from '#contract/format.ts'
import type { Import } from '#contract/imports.ts'
import type { ReadPlan } from '#server/features/imports/pipeline/map/read-plan.ts'
import type { PlannedRow } from './planned-row.ts'
import { factorOptions } from './value-scale.ts'

/** Contents and income next to such buildings are hardly ever worth less than the second amount; single pieces of equipment are. */
const BUILDING_MIN = 500_000
const OTHERS_MIN = 1_000
const COMPARED = ['contents_value', 'bi_value'] as const
const ROWS_MIN = 2
const NEARLY_ALL = 0.8

type Field = (typeof COMPARED)[number]
const compared = (field: Field) => `${field} next to buildings`
const small = (field: Field) => `small ${field}`

/** What a row says about the unit of its other values, as names to count. The register may have such values already. */
export function* smallSigns({ fields, property }: Pick<PlannedRow, 'fields' | 'property'>): Generator<string> {
  if ((fields.building_value ?? 0) < BUILDING_MIN) return
  for (const field of COMPARED) {
    const value = fields[field]
    if (!value || property?.values[field] === value) continue
    yield compared(field)
    if (value < OTHERS_MIN) yield small(field)
  }
}

/** Contents or income that are in thousands next to buildings that are not, although nothing says so. */
export function smallColumnQuestion(
  constants: Readonly<Record<string, string>>,
  { columns }: ReadPlan,
  tally: Readonly<Record<string, number>>,
): Import['questions'] {
  return COMPARED.flatMap((field) => {
    const [column, ...others] = columns.filter(({ target, style }) => target === field && style.isOwn !== true)
    const { [compared(field)]: all = 0, [small(field)]: few = 0 } = tally
    if (column === undefined || others.length > 0 || all < ROWS_MIN || few < all * NEARLY_ALL) return []
    const constant = columnFactor(column.column)
    if (constants[constant] !== undefined) return []
    const message = `The values in column ${column.column}, “${column.header}”, are less than ${formatNumber(OTHERS_MIN)}, next to buildings of more than ${formatNumber(BUILDING_MIN)}. Are they in thousands?`
    return [{ constant, suggestion: null, message, options: factorOptions([1_000]) }]
  })
}
