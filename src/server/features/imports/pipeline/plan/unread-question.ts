import { plural } from '#contract/format.ts'
import { isUnreadAmount, type Import, type IssueGroup } from '#contract/imports.ts'
import type { PlannedColumn } from '#server/features/imports/pipeline/map/read-plan.ts'

/** Whether the cells with amounts that cannot be read may stay empty: their values would be missing in the register. */
export function unreadQuestion(
  constants: Readonly<Record<string, string>>,
  issues: readonly IssueGroup[],
  columns: readonly PlannedColumn[],
): Import['questions'] {
  if (constants['unread_amounts'] !== undefined) return []
  // The answer to what their dots mean, or to their multiple, can make these amounts readable.
  const isOpen = ({ style }: PlannedColumn) => style.unclearDots || style.bare?.isMultiplied === null
  const unclear = new Set(columns.filter(isOpen).map(({ column }) => column))
  const unread = issues.filter((group) => isUnreadAmount(group) && !unclear.has(group.column ?? ''))
  const groups = [...Map.groupBy(unread, ({ column, header }) => `column ${column ?? ''}, “${header ?? ''}”`)]
  const counts = groups.map(([column, cells]) => ({ column, count: cells.reduce((sum, { count }) => sum + count, 0) }))
  const all = counts.reduce((sum, { count }) => sum + count, 0)
  if (all === 0) return []
  const places = counts.map(({ column, count }) => (counts.length === 1 ? column : `${count} in ${column}`)).join('; ')
  const message = `${plural(all, 'amount')} cannot be read${counts.length === 1 ? ` in ${places}` : `: ${places}`}. Leave ${all === 1 ? 'this cell' : 'these cells'} empty? Otherwise, type the ${all === 1 ? 'amount' : 'amounts'} in the table, or correct the file.`
  return [{ constant: 'unread_amounts', suggestion: null, message, options: { empty: 'Leave empty' } }]
}
