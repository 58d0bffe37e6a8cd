import { plural } from '#contract/format.ts'
import { MODELS } from '#contract/models.ts'
import type { ListedModel } from '#web/data/models.ts'
import { rowName, type TableRow } from './cells.tsx'
import type { List } from './list.ts'

/** A rule of the model about one record. */
export type RowRule = 'update' | 'delete'

/** Rows without rules of their own have only the permission. */
export const ruleAllows = (row: TableRow, rule: RowRule): boolean => row.accessible_features?.[rule] ?? true

/** Whether a command is offered for these rows: one of them allows it, or none of them is loaded. */
export const isOffered = (rows: readonly TableRow[], rule: RowRule): boolean =>
  rows.length === 0 || rows.some((row) => ruleAllows(row, rule))

/** Why a command cannot run on these rows, if the rules of some of them do not allow it. */
export function ruleRefusal<M extends ListedModel>(
  { model, columns }: Pick<List<M>, 'model' | 'columns'>,
  rows: readonly TableRow[],
  rule: RowRule,
  label: string,
): string | undefined {
  const [first, ...more] = rows.filter((row) => !ruleAllows(row, rule))
  if (first === undefined) return undefined
  const name = `“${rowName(first, columns)}”`
  if (more.length === 0) return `“${label}” is not possible for ${name}. Clear this row from the selection.`
  const count = plural(more.length + 1, MODELS[model].one, MODELS[model].many)
  return `“${label}” is not possible for ${count} of the selection, such as ${name}. Clear them from the selection.`
}
