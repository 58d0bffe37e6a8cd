import { formatNumber, plural } from '#contract/format.ts'
import { FINISHED_IMPORT_STATES, type Import } from '#contract/imports.ts'
import { IMPORT_STATE_LABELS } from '#contract/property-imports.ts'

export const ACTIVITY_LABELS = {
  reading: 'Reading the file',
  validating: 'Checking the rows',
  committing: 'Writing to the register',
  undoing: 'Undoing the import',
} as const satisfies Record<NonNullable<Import['activity']>, string>

/** How far an import is: what the server is doing, what a user has to settle first, or its state. */
export function progressLabel({ state, activity, open, counts }: Pick<Import, 'state' | 'activity' | 'open' | 'counts'>): string {
  if (activity !== null) return ACTIVITY_LABELS[activity]
  if (state !== 'validated') return IMPORT_STATE_LABELS[state]
  if (open.answers > 0) return `Waits for ${plural(open.answers, 'answer')}`
  const { columns, decisions } = open
  const unsettled = countedParts(
    [columns, `# ${columns === 1 ? 'column' : 'columns'} to confirm`],
    [decisions, `# ${decisions === 1 ? 'row' : 'rows'} to decide`],
    [counts.errors, `# ${counts.errors === 1 ? 'row' : 'rows'} with errors`],
  )
  return unsettled || IMPORT_STATE_LABELS[state]
}

export const isFinished = ({ state }: Pick<Import, 'state'>): boolean => FINISHED_IMPORT_STATES.includes(state)

/** The parts whose count is not 0; `#` is replaced by the count. */
export const countedParts = (...parts: (readonly [count: number | undefined, text: string])[]): string =>
  parts.flatMap(([count = 0, text]) => (count > 0 ? [text.replace('#', formatNumber(count))] : [])).join(', ')
