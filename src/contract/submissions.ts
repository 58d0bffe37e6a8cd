import { z } from 'zod'
import { codesOf } from './code-lists.ts'
import { Amount } from './metrics.ts'
import { Id, call, json } from './route.ts'

/** Statuses that end the work on a submission; accounts with another status, or none, are in work. */
export const CLOSED_STATUSES = ['Bound', 'Declined', 'Archived'] as const

/** What accounts in work can need: values of `filter__attention` on the accounts list, and the counts of the dashboard. */
export const ATTENTION = {
  due_30: { label: 'Effective within 30 days or overdue', help: 'Including dates that have passed.' },
  due_60: { label: 'Effective within 60 days or overdue', help: 'Including dates that have passed.' },
  due_90: { label: 'Effective within 90 days or overdue', help: 'Including dates that have passed.' },
  overdue: { label: 'Overdue', help: 'The effective date has passed.' },
  no_date: { label: 'No effective date', help: 'Set one to see when it is due.' },
  critical: { label: 'Critical discrepancies', help: 'Settle before the submission goes out.' },
  flagged: { label: 'With flags assigned to you', help: 'Resolve or dismiss them in the panels of the flagged records.' },
  check: { label: 'Checks out of date or failed', help: 'Values have changed since.' },
  unchecked: { label: 'Never checked', help: 'Nothing is known about their data.' },
  no_properties: { label: 'No properties', help: 'Import a schedule of values to begin.' },
  no_documents: { label: 'No documents', help: 'Nothing supports the values.' },
  setup_requested: { label: 'Setup or documents requested', help: 'Their owners wait for you.' },
  open_import: { label: 'Unfinished imports', help: 'Rows of a file wait to be imported.' },
} as const satisfies Record<string, { label: string; help: string }>
export type Attention = keyof typeof ATTENTION
export const isAttention = (value: string): value is Attention => Object.hasOwn(ATTENTION, value)

export const DUE_DAYS = { '30': '30 days', '60': '60 days', '90': '90 days' } as const
export const DUE_DAYS_DEFAULT = '60'

export const DueSubmission = z.object({
  id: Id,
  name: z.string(),
  status: z.object({ name: z.string(), color: z.string() }).nullable(),
  effective_date: z.string(),
  /** From today on; negative if the date has passed. */
  days_left: z.number(),
  properties: z.number(),
  /** Null for users who do not see documents. */
  documents: z.number().nullable(),
  /** Null for users who do not see discrepancies. */
  check: z
    .object({
      state: z.enum(['never', 'waiting', 'current', 'failed']),
      as_of: z.string().nullable(),
      score: z.number().nullable(),
      /** Properties with an open discrepancy. */
      open: z.number(),
      /** Open checks that hit most properties, each one sentence about the schedule; their discrepancies are not in `open`. */
      schedule_warnings: z.number(),
      /** Properties with a critical one, and their total insured value. */
      critical: z.number(),
      value_at_stake: z.number(),
      /** Null if it is in several currencies. */
      currency: z.string().nullable(),
    })
    .nullable(),
})
export type DueSubmission = z.output<typeof DueSubmission>

export const submissionCalls = {
  due: call('GET', '/metrics/accounts/due', 'view_dashboard_account_datatable', 'Accounts in work that take effect soon or are overdue', {
    query: z.strictObject({ days: z.enum(codesOf(DUE_DAYS)).default(DUE_DAYS_DEFAULT) }),
    /** The accounts closest to their effective date, in its order; `total` and the values by currency, `tiv`, are of all. */
    output: json(z.object({ total: z.number(), tiv: z.array(Amount), accounts: z.array(DueSubmission) })),
  }),
}
