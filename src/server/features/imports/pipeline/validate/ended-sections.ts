import type { ReadPlan } from '#server/features/imports/pipeline/map/read-plan.ts'
import type { ScheduleRow } from '#server/features/imports/pipeline/read/classify-rows.ts'
import { isEndedTitle } from '#server/features/imports/pipeline/read/ended-words.ts'
import type { RowIssue } from './results.ts'

/** The mark of a row below such a title, up to the next section; undefined below others. */
export function endedSections({ sheets }: Pick<ReadPlan, 'sheets'>): (row: ScheduleRow) => RowIssue | undefined {
  const titles = new Map(
    [...(sheets ?? [])].map(([index, { sections = [] }]) => [
      index,
      sections.map((title) => ({ ...title, isEnded: isEndedTitle(title.text) })),
    ]),
  )
  return ({ sheet, number }) => {
    const section = titles.get(sheet)?.findLast((above) => above.number < number)
    if (!section?.isEnded) return undefined
    const value = section.text.slice(0, 60)
    const message = `The title “${value}” above says that the property is sold, closed or not insured.`
    return { column: null, field: null, code: 'marked_ended', severity: 'warning', message, value }
  }
}
