import { z } from 'zod'
import { CHECK_GROUP_NAMES, CheckState, DISCREPANCY_STATUS_NAMES, QualityScore, SEVERITIES } from './checks.ts'
import { Cell, RowBase, listCalls } from './datatable.ts'
import { WAIVER_MAX_YEARS } from './limits.ts'
import { Id, Nothing, call, day, json, paragraphs } from './route.ts'

const DISCREPANCY_NOTE_MAX_CHARACTERS = 500

const Side = z.object({
  source: z.string(),
  value: z.union([z.string(), z.number(), z.null()]),
  as_of: z.string().nullable(),
  ref: z.string().nullable(),
})

export const DiscrepancyRow = RowBase.extend({
  account_id: Id,
  property_id: Id.nullable(),
  check_id: z.string(),
  field_name: z.string().nullable(),
  check: Cell,
  property: Cell,
  field: Cell,
  message: Cell,
  left_value: Cell,
  right_value: Cell,
  delta: Cell,
  severity: Cell,
  status: Cell,
  note: Cell,
  created_at: Cell,
  decided_at: Cell,
})
export type DiscrepancyRow = z.output<typeof DiscrepancyRow>

export const Discrepancy = z.object({
  id: Id,
  account_id: Id,
  property_id: Id.nullable(),
  check_id: z.string(),
  check_name: z.string(),
  group: z.enum(CHECK_GROUP_NAMES),
  field: z.string().nullable(),
  /** Always the register. */
  left: Side.nullable(),
  right: Side.nullable(),
  delta: z.number().nullable(),
  delta_pct: z.number().nullable(),
  severity: z.enum(SEVERITIES),
  message: z.string(),
  status: z.enum(DISCREPANCY_STATUS_NAMES),
  note: z.string().nullable(),
  decided_by: z.string().nullable(),
  decided_at: z.string().nullable(),
  waived_until: z.string().nullable(),
  created_at: z.string(),
  updated_at: z.string(),
})
export type Discrepancy = z.output<typeof Discrepancy>

/** Accepted: the other value is written to the register. Kept: the value in the register is right. Waived: left as it is, for a reason. */
const DECISIONS = { accepted: 'Accept', kept: 'Keep', waived: 'Waive' } as const
export type DecisionStatus = keyof typeof DECISIONS

/** The time of the decision to replace; null for none. */
const Replaced = z.iso.datetime('Please send the time of the decision to replace.').nullable()

export const Decision = z.strictObject({
  status: z.enum(['accepted', 'kept', 'waived'], 'Please choose accepted, kept or waived.'),
  note: paragraphs(DISCREPANCY_NOTE_MAX_CHARACTERS).optional(),
  /** The value to accept; without it, the suggested value of the other side. */
  value: z.union([z.string(), z.number()]).optional(),
  waived_until: day('Please enter the date as YYYY-MM-DD.', WAIVER_MAX_YEARS).nullable().optional(),
  /** When the decision was made that this one replaces. Without it, only a discrepancy without a decision can be decided. */
  decided_at: Replaced.optional(),
})
export type Decision = z.output<typeof Decision>

/** One decision on several discrepancies. `decided_at` is the same for all, or has the one of each by its id. */
export const SharedDecision = Decision.omit({ value: true }).extend({ decided_at: z.union([Replaced, z.record(Id, Replaced)]).optional() })
export type SharedDecision = z.output<typeof SharedDecision>

export const discrepancyCalls = {
  ...listCalls('discrepancies', DiscrepancyRow),
  show: call('GET', '/discrepancies/:id', 'view_account_properties', 'One discrepancy', { output: json(Discrepancy) }),
  decide: call('PUT', '/discrepancies/:id', 'resolve_discrepancies', 'Decide a discrepancy: accepted, kept or waived', {
    body: Decision,
    output: json(Discrepancy),
  }),
  reconcile: call('POST', '/accounts/:id/reconciliation', 'resolve_discrepancies', 'Run the reconciliation of an account now', {
    output: json(Nothing),
  }),
  state: call(
    'GET',
    '/accounts/:id/reconciliation',
    'view_account_properties',
    'Whether the discrepancies are those of the present values',
    {
      output: json(CheckState),
    },
  ),
  quality: call(
    'GET',
    '/account_properties/:id/quality',
    'view_account_properties',
    'The data quality score of a property and how each point was lost',
    { output: json(QualityScore) },
  ),
}
