import { isExact } from '#server/features/imports/pipeline/match/exact-match.ts'
import { matchRows, type IncomingRow, type Match } from '#server/features/imports/pipeline/match/match-rows.ts'
import type { RegisterIndex } from '#server/features/imports/pipeline/match/register-index.ts'
import { isMarkedEnded } from '#server/features/imports/pipeline/validate/marked-rows.ts'
import type { RowIssue } from '#server/features/imports/pipeline/validate/results.ts'

export type Inactive = Extract<Match, { kind: 'inactive' }>
type MarkedRow = IncomingRow & { issues: readonly RowIssue[] }

/** Whether a row that is marked as ended is certainly a property that the register has as divested. */
export const isDivestedAlready = (row: MarkedRow, match: Match): match is Inactive =>
  match.kind === 'inactive' && match.property.status === 'divested' && !match.property.trashed && isMarkedEnded(row) && isExact(row, match)

/** The numbers of these rows. No decision about marked rows concerns them. */
export async function divestedAlready(
  rows: readonly MarkedRow[],
  register: RegisterIndex,
  pause: () => Promise<void>,
): Promise<Set<number>> {
  const marked = rows.filter(isMarkedEnded)
  const matches = marked.length === 0 ? new Map<number, Match>() : await matchRows(marked, register, pause)
  const isSettled = (row: MarkedRow) => isDivestedAlready(row, matches.get(row.number) ?? { kind: 'new' })
  return new Set(marked.filter(isSettled).map(({ number }) => number))
}
