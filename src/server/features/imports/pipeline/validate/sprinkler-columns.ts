import { setField, type CellResult, type ReadRow, type RowFields } from './results.ts'

/** A second column about sprinklers adds the system. If a share of the first one and a system of the second one differ, the share counts. */
export function addCover(
  { value, derived: next = {}, problem }: CellResult,
  column: string,
  text: string,
  row: ReadRow,
  derived: RowFields,
): void {
  const before = row.fields.sprinklered
  const { sprinkler_system: system, percent_sprinklered: percent } = next
  if (system !== undefined) derived.sprinkler_system ??= system
  if (value === before) {
    if (percent !== undefined) derived.percent_sprinklered ??= percent
    return
  }
  if (value === 'partial' && before === 'full') {
    setField(row.fields, 'sprinklered', value)
    row.origin.sprinklered = column
    if (percent === undefined) delete derived.percent_sprinklered
    else derived.percent_sprinklered = percent
    if (problem) row.issues.push({ column, field: 'sprinklered', value: text, ...problem })
    return
  }
  if (value === 'full' && before === 'partial') return
  const message = `“${text}” contradicts another column, which says ${before}. Confirm the sprinkler protection.`
  row.issues.push({ column, field: 'sprinklered', value: text, code: 'word_to_confirm', severity: 'warning', message })
}
