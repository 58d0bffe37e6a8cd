import type { ImportTab } from '#contract/imports.ts'
import type { RegisterRow } from '#server/features/imports/pipeline/match/register-index.ts'
import type { RowIssue } from '#server/features/imports/pipeline/validate/results.ts'
import type { ValidatedRow } from '#server/features/imports/pipeline/validate/validate-rows.ts'

/** A row and what a commit does with it. */
export interface PlannedRow extends ValidatedRow {
  tab: ImportTab
  property: RegisterRow | undefined
  rule: string | null
  candidates: RegisterRow[]
  changes: Changes | undefined
  tiv: number
}

/** Old and new value of every field that changes; `custom.Header` for custom fields. */
export type Changes = Record<string, [before: unknown, after: unknown]>

export function addIssue(
  { issues }: PlannedRow,
  code: RowIssue['code'],
  message: string,
  severity: RowIssue['severity'] = 'warning',
): void {
  issues.push({ column: null, field: null, code, severity, message, value: null })
}

export const nameOf = ({ values }: RegisterRow) => [values.location_number, values.property_name, values.address].filter(Boolean).join(', ')

export function reject(row: PlannedRow, message: string): void {
  addIssue(row, 'duplicate_in_file', message, 'error')
  row.tab = 'errors'
}
