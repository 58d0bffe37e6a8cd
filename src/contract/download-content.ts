import { z } from 'zod'
import { formatNumber } from './format.ts'

const REASONS = {
  unreadable: { one: 'could not be read', many: 'could not be read' },
  not_disclosed: { one: 'is not disclosed', many: 'are not disclosed' },
  not_found: { one: 'was not found', many: 'were not found' },
} as const
type Reason = keyof typeof REASONS

/** What a download contains of the documents that were requested. */
export const DownloadContent = z.object({
  requested: z.number(),
  included: z.number(),
  /** Whether the documents were selected, as opposed to all of them. */
  selected: z.boolean(),
  left_out: z.array(
    z.object({
      reason: z.enum(Object.keys(REASONS) as [Reason, ...Reason[]]), // its keys are its reasons
      count: z.number(),
      /** Of the first ones, as far as the user sees them. */
      names: z.array(z.string()),
    }),
  ),
})
export type DownloadContent = z.output<typeof DownloadContent>

const NAMES_IN_TEXT = 3

/** "22 of 23 documents; 1 could not be read: Roof.pdf"; undefined if nothing was left out. */
export function leftOutText({ requested, included, selected, left_out: leftOut }: DownloadContent, withNames = true): string | undefined {
  if (leftOut.length === 0) return undefined
  const documents = `${selected ? 'selected ' : ''}${requested === 1 ? 'document' : 'documents'}`
  const reasons = leftOut.map(({ reason, count, names }) => {
    const { one, many } = REASONS[reason]
    const text = `${formatNumber(count)} ${count === 1 ? one : many}`
    return withNames && names.length > 0 ? `${text}: ${namesText(names, count)}` : text
  })
  return [`${formatNumber(included)} of ${formatNumber(requested)} ${documents}`, ...reasons].join('; ')
}

function namesText(names: readonly string[], count: number): string {
  const shown = names.slice(0, NAMES_IN_TEXT)
  const more = count - shown.length
  return more > 0 ? `${shown.join(', ')} and ${formatNumber(more)} more` : shown.join(', ')
}
