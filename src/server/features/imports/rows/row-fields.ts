import type { ImportIssueCode, ImportIssueSeverity } from '#contract/import-issues.ts'
import type { PropertyFieldName, PropertyValues } from '#contract/property-fields.ts'

/** What a row says: only what it says, an empty cell leaves no trace. */
export type RowFields = Partial<PropertyValues>

export interface RowIssue {
  /** Letter of the column; null when the issue is about a field that no column feeds. */
  column: string | null
  field: PropertyFieldName | null
  code: ImportIssueCode
  severity: ImportIssueSeverity
  /** What is wrong and what to do, one or two sentences. */
  message: string
  value: string | null
  suggestion?: string | number
}

export interface ReadRow {
  fields: RowFields
  /** Extra columns the person chose to keep, by header. */
  custom: Record<string, string>
  /** Fields whose column was there but whose cell was empty. */
  empty: PropertyFieldName[]
  /** Which column each field came from. */
  origin: Partial<Record<PropertyFieldName, string>>
  /** Fields that nothing gave: country and currency are assumed. */
  assumed: PropertyFieldName[]
  issues: RowIssue[]
}
