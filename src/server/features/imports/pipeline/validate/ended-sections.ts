import type { ReadPlan } from '#server/features/imports/pipeline/map/read-plan.ts'
import type { ScheduleRow } from '#server/features/imports/pipeline/read/classify-rows.ts'
import type { RowIssue } from './results.ts'

const END = '(?![\\p{L}\\p{N}])'
const ENDED =
  'sold|deleted?|deletions?|divested|divestitures?|disposed|disposals?|dispositions?|removed|removals?|dropped|terminated|cancell?ed|excluded|exclusions|' +
  'uninsured|self[- ]insured|not (?:insured|covered|included)|insured elsewhere|(?:landlord|tenant|lessor|others?) insures?|insured by (?:the )?(?:landlord|tenant|lessor|others)|' +
  'for information only|(?:closed|vacated|former) (?:locations?|stores?|sites?|offices?|plants?|branches|buildings?|propert(?:y|ies))'
/** What a longer title is about: `Locations to be deleted effective 3/1/2026`. */
const SUBJECT = '(?:locations?|propert(?:y|ies)|buildings?|sites?|stores?)(?:[^\\p{L}]+\\p{L}+){0,3}[^\\p{L}]+'
/** At the start, or after a word or two: a section may also have the name of a place with such a word. */
const ENDED_SECTION = new RegExp(
  `^\\P{L}*(?:${SUBJECT}|(?:\\p{L}+[^\\p{L}]+){0,2})(?:${ENDED}|no longer (?:owned|insured|leased))${END}`,
  'iu',
)

/** Whether the title of a section says that the locations below it are sold, closed or not insured. */
const isEndedSection = (title: string): boolean => ENDED_SECTION.test(title)

/** The mark of a row below such a title, up to the next section; undefined below others. */
export function endedSections({ sheets }: Pick<ReadPlan, 'sheets'>): (row: ScheduleRow) => RowIssue | undefined {
  const titles = new Map(
    [...(sheets ?? [])].map(([index, { sections = [] }]) => [
      index,
      sections.map((title) => ({ ...title, isEnded: isEndedSection(title.text) })),
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
