import { PROPERTY_FIELD_NAMES, type PropertyFieldName } from '#contract/property-fields.ts'
import type { ReadRow, RowIssue } from '#server/features/imports/rows/row-fields.ts'
import type { RegisterRow } from './register-row.ts'

/** Old and new value of every field that would change; `custom.Header` for extra columns. */
export type Changes = Record<string, [before: unknown, after: unknown]>

const REQUIRED: ReadonlySet<PropertyFieldName> = new Set<PropertyFieldName>(['address', 'city', 'country', 'currency'])
const RISE_SHARE = 0.25
const FALL_SHARE = 0.15
const SAME_DEGREES = 1e-7

/** What a row would change in its property. An empty cell never erases a value, unless the person said that it does; an assumed value never does. */
export function compare(row: ReadRow, property: RegisterRow, emptyClears: boolean): Changes {
  const changes: Changes = {}
  for (const name of PROPERTY_FIELD_NAMES) {
    const after = row.fields[name] ?? null
    const before = property.values[name] ?? null
    if (after !== null && !isSame(before, after) && !(row.assumed.includes(name) && before !== null)) changes[name] = [before, after]
  }
  if (emptyClears) {
    for (const name of row.empty) {
      const before = property.values[name] ?? null
      if (before !== null && !REQUIRED.has(name)) changes[name] = [before, null]
    }
  }
  for (const [header, text] of Object.entries(row.custom)) {
    const before = property.custom[header] ?? null
    if (before !== text) changes[`custom.${header}`] = [before, text]
  }
  return changes
}

const isSame = (before: unknown, after: unknown): boolean =>
  typeof before === 'number' && typeof after === 'number' ? Math.abs(before - after) <= SAME_DEGREES : before === after

/** A building value that jumps against the register is asked about, never refused. */
export function valueJump(changes: Changes, column: string | null): RowIssue | undefined {
  const [before, after] = changes['building_value'] ?? []
  if (typeof before !== 'number' || typeof after !== 'number' || before <= 0) return undefined
  const share = (after - before) / before
  if (share <= RISE_SHARE && share >= -FALL_SHARE) return undefined
  const percent = Math.round(Math.abs(share) * 100)
  return {
    column,
    field: 'building_value',
    code: 'out_of_range',
    severity: 'warning',
    message: `The building value ${share > 0 ? 'rises' : 'falls'} by ${percent} % from ${before.toLocaleString('en-US')} in the register. Confirm it, or correct the cell.`,
    value: String(after),
  }
}
