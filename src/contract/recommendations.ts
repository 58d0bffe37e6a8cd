import { z } from 'zod'
import { codesOf, labeledByCode } from './code-lists.ts'
import { propertyFieldSchema } from './account-properties.ts'
import { DAY_MS, RECOMMENDATIONS_MAX, RECOMMENDATION_DUE_SOON_DAYS, RECOMMENDATION_YEARS_AHEAD } from './limits.ts'
import { Id, call, day, json, orNull, paragraphs, text } from './route.ts'

export const RECOMMENDATION_CATEGORIES = labeledByCode(
  'construction',
  'electrical',
  'heating',
  'housekeeping',
  'hot_work',
  'sprinklers',
  'water_supply',
  'detection',
  'special_hazards',
  'roof',
  'flood',
  'wind',
  'earthquake',
  'security',
  'management',
  'liability',
  'other',
)
export const RECOMMENDATION_TYPES = labeledByCode('physical', 'human_element')
export const PRIORITIES = labeledByCode('critical', 'important', 'advisory')
export type Priority = keyof typeof PRIORITIES

/** `repeated` is not stored: a later report that the viewer sees has the recommendation under the same number. */
export const RECOMMENDATION_STATUSES = labeledByCode(
  'open',
  'in_progress',
  'completed',
  'verified',
  'deferred',
  'declined',
  'not_applicable',
  'repeated',
)
export type RecommendationStatus = keyof typeof RECOMMENDATION_STATUSES
export const STORED_STATUSES = codesOf(RECOMMENDATION_STATUSES).filter((status) => status !== 'repeated')
const CLOSED: readonly string[] = ['verified', 'declined', 'not_applicable', 'repeated'] satisfies RecommendationStatus[]
export const isOpen = (status: string): boolean => !CLOSED.includes(status)

/** What a user who answers recommendations can report; the others are decided by users who edit the report. */
export const REPORTED_STATUSES: readonly RecommendationStatus[] = ['open', 'in_progress', 'completed', 'declined']
/** Statuses that need a reason. */
export const needsReason = (status: string): boolean => status === 'deferred' || status === 'declined'

/** How urgent an open recommendation is on a day; null for one that is closed, has no date or is due later. */
export function dueState(status: string, dueOn: string | null, today: string): 'overdue' | 'due' | null {
  if (!isOpen(status) || dueOn === null) return null
  const days = (Date.parse(dueOn) - Date.parse(today)) / DAY_MS
  return days < 0 ? 'overdue' : days <= RECOMMENDATION_DUE_SOON_DAYS ? 'due' : null
}

const money = (label: string) => propertyFieldSchema({ label, level: 'optional', kind: 'money' }) as z.ZodType<number | null> // the schema of money
const date = (label: string) => orNull(day(`${label} must be a date, YYYY-MM-DD.`, RECOMMENDATION_YEARS_AHEAD))
const choice = <const L extends Readonly<Record<string, string>>>(label: string, list: L) =>
  z.enum(codesOf(list), `${label}: please choose one of the list.`)

/** A recommendation in the form of its report. With `number` but without `id`, it repeats one of an earlier report. */
export const RecommendationInput = z.strictObject({
  id: Id.nullish(),
  number: text(20).nullish(),
  title: text(200).min(1, 'Enter a title.'),
  description: orNull(paragraphs(5_000)).optional(),
  category: orNull(choice('Category', RECOMMENDATION_CATEGORIES)).optional(),
  priority: choice('Priority', PRIORITIES).default('important'),
  type: orNull(choice('Type', RECOMMENDATION_TYPES)).optional(),
  issued_on: date('Issued on').optional(),
  due_on: date('Due on').optional(),
  responsible: orNull(text(120)).optional(),
  cost_estimate: money('Cost estimate').optional(),
  loss_before: money('Loss before').optional(),
  loss_after: money('Loss after').optional(),
})
export type RecommendationInput = z.output<typeof RecommendationInput>
export const RecommendationInputs = z
  .array(RecommendationInput)
  .max(RECOMMENDATIONS_MAX, `A report has at most ${RECOMMENDATIONS_MAX} recommendations.`)

const LinkedFile = z.object({ id: Id, name: z.string() })

const Response = z.object({
  id: Id,
  at: z.string(),
  author: z.string(),
  /** The status that the recommendation got with it. */
  status: z.string().nullable(),
  due_on: z.string().nullable(),
  text: z.string(),
  files: z.array(LinkedFile),
})

export const Recommendation = z.object({
  id: Id,
  number: z.string(),
  title: z.string(),
  description: z.string().nullable(),
  category: z.string().nullable(),
  priority: z.enum(codesOf(PRIORITIES)),
  type: z.string().nullable(),
  status: z.enum(codesOf(RECOMMENDATION_STATUSES)),
  issued_on: z.string(),
  due_on: z.string().nullable(),
  due: z.enum(['overdue', 'due']).nullable(),
  responsible: z.string().nullable(),
  cost_estimate: z.number().nullable(),
  loss_before: z.number().nullable(),
  loss_after: z.number().nullable(),
  completed_on: z.string().nullable(),
  verified_on: z.string().nullable(),
  verified_by: z.string().nullable(),
  /** The earlier report that made it, and the later one that repeats it, of those that the viewer sees. */
  first_report: z.object({ id: Id, report_number: z.string() }).nullable(),
  repeated_in: z.object({ id: Id, report_number: z.string() }).nullable(),
  responses: z.array(Response),
})
export type Recommendation = z.output<typeof Recommendation>

export const ResponseInput = z
  .strictObject({
    text: paragraphs(5_000).default(''),
    status: z.enum(STORED_STATUSES, 'Please choose a status of the list.').optional(),
    /** The status that the user saw: another one is a conflict. */
    from: z.enum(STORED_STATUSES).optional(),
    due_on: date('The new due date').optional(),
    files: z.array(Id).max(50).default([]),
  })
  .refine(({ text: reason, status, files }) => reason !== '' || status !== undefined || files.length > 0, {
    message: 'Enter a response or choose a status.',
    path: ['text'],
  })
  .refine(({ text: reason, status = '' }) => reason !== '' || !needsReason(status), { message: 'Enter the reason.', path: ['text'] })
  .refine(({ status, due_on }) => status !== 'deferred' || (due_on ?? null) !== null, {
    message: 'Enter the new due date.',
    path: ['due_on'],
  })
export type ResponseInput = z.output<typeof ResponseInput>

export const respondCall = call(
  'POST',
  '/risk_control/:id/recommendations/:recommendation_id/responses',
  'respond_risk_control',
  'Answer a recommendation, or change its status',
  { body: ResponseInput, output: json(Recommendation) },
)
