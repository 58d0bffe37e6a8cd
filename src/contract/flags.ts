import { z } from 'zod'
import { codesOf } from './code-lists.ts'
import { CHECK_IDS } from './checks.ts'
import { Cell, RowBase, listCalls } from './datatable.ts'
import { FLAG_DUE_YEARS_AHEAD, FLAG_TEXT_MAX_CHARACTERS } from './limits.ts'
import type { Model } from './models.ts'
import { Id, call, day, json, orNull, paragraphs } from './route.ts'

/** Why a user raises a flag. */
export const FLAG_REASONS = {
  needs_review: 'Needs review',
  value_question: 'Question about values',
  address_question: 'Question about the address',
  missing_document: 'Missing document',
  wrong_document: 'Wrong document',
  duplicate: 'Duplicate',
  carrier_question: 'Question of the carrier',
  other: 'Other',
} as const
/** Those of the system are raised and closed by it. */
export const ALL_FLAG_REASONS = {
  ...FLAG_REASONS,
  critical_discrepancy: 'Critical discrepancies',
  recommendation_overdue: 'Recommendation overdue',
} as const
export const FLAG_STATUSES = { open: 'Open', acknowledged: 'Acknowledged', resolved: 'Resolved', dismissed: 'Dismissed' } as const
export type FlagStatus = keyof typeof FLAG_STATUSES
/** Those that a user still has to decide. */
export const OPEN_FLAG_STATUSES = ['open', 'acknowledged'] as const satisfies readonly FlagStatus[]
export const FLAG_PRIORITIES = { normal: 'Normal', high: 'High' } as const
const FLAGGABLE_TYPES = ['account_property', 'account_file', 'risk_control'] as const
export type FlaggableType = (typeof FLAGGABLE_TYPES)[number]
/** The model of the flagged record. */
export const FLAGGED_MODEL = {
  account_property: 'account_properties',
  account_file: 'account_files',
  risk_control: 'risk_control',
} as const satisfies Record<FlaggableType, Model>

/** When open flags are due, as a filter of their list. */
export const FLAG_DUE = {
  overdue: 'Overdue',
  week: 'In the next 7 days',
  month: 'In the next 30 days',
  none: 'Without a due date',
} as const
export type FlagDue = keyof typeof FLAG_DUE

/** Who takes care of a flag, as a filter of the list: a flag of the system that is assigned to a user is theirs. */
export const FLAG_ORIGINS = { people: 'Raised by or assigned to people', system: 'Automatic, not assigned' } as const
export type FlagOrigin = keyof typeof FLAG_ORIGINS

const Person = z.object({ id: Id, full_name: z.string() })

export const Flag = z.object({
  id: Id,
  version: z.number(),
  account_id: Id,
  flaggable_type: z.enum(FLAGGABLE_TYPES),
  flaggable_id: Id,
  /** The property that is flagged, or whose risk control report is. */
  property_id: Id.nullable(),
  account_name: z.string(),
  /** The name of the flagged record. */
  title: z.string(),
  source: z.enum(['user', 'system']),
  reason: z.enum(codesOf(ALL_FLAG_REASONS)),
  message: z.string(),
  priority: z.enum(codesOf(FLAG_PRIORITIES)),
  status: z.enum(codesOf(FLAG_STATUSES)),
  assigned_to: Person.nullable(),
  due_on: z.string().nullable(),
  /** Null for flags of the system and of deleted users. */
  raised_by: Person.nullable(),
  raised_at: z.string(),
  closed_by: Person.nullable(),
  closed_at: z.string().nullable(),
  /** How it was resolved, or why it was dismissed. */
  resolution: z.string().nullable(),
  accessible_features: z.object({
    update: z.boolean(),
    edit_message: z.boolean(),
    acknowledge: z.boolean(),
    close: z.boolean(),
    reopen: z.boolean(),
  }),
})
export type Flag = z.output<typeof Flag>

export const FlagRow = RowBase.extend({
  account_id: Id,
  message: Cell,
  account: Cell,
  record: Cell,
  reason: Cell,
  priority: Cell,
  status: Cell,
  assigned_to: Cell,
  due_on: Cell,
  raised_by: Cell,
  created_at: Cell,
  flag: Flag,
})
export type FlagRow = z.output<typeof FlagRow>

/**
 * Open automatic flags that are not assigned, for each check and for overdue recommendations. A property that fails several checks is in
 * several groups, so the groups can add up to more than the total.
 */
export const FlagGroups = z.object({
  total: z.number(),
  groups: z.array(z.object({ check: z.enum(CHECK_IDS).nullable(), reason: z.enum(codesOf(ALL_FLAG_REASONS)), count: z.number() })),
})
export type FlagGroups = z.output<typeof FlagGroups>

const Text = paragraphs(FLAG_TEXT_MAX_CHARACTERS)
const Message = Text.min(1, 'Please say what needs attention.')
const DueOn = orNull(day('Please enter the date as YYYY-MM-DD.', FLAG_DUE_YEARS_AHEAD))

/** What a user says about the records that they flag. */
export const FlagInput = z.strictObject({
  reason: z.enum(codesOf(FLAG_REASONS), 'Please choose a reason.').default('needs_review'),
  message: Message,
  priority: z.enum(codesOf(FLAG_PRIORITIES)).default('normal'),
  assigned_to: orNull(Id).optional(),
  due_on: DueOn.optional(),
})
export type FlagInput = z.output<typeof FlagInput>

const FlaggedRecord = z.strictObject({
  flaggable_type: z.enum(FLAGGABLE_TYPES, 'Please flag a property, a document or a risk control report.'),
  flaggable_id: Id,
})
const NewFlag = FlagInput.extend(FlaggedRecord.shape)

export const FlagUpdate = z.strictObject({
  status: z.enum(codesOf(FLAG_STATUSES), 'Please choose open, acknowledged, resolved or dismissed.').optional(),
  message: Message.optional(),
  priority: z.enum(codesOf(FLAG_PRIORITIES)).optional(),
  assigned_to: orNull(Id).optional(),
  due_on: DueOn.optional(),
  resolution: Text.optional(),
  /** The version that the change is based on. */
  version: z.int().optional(),
})
export type FlagUpdate = z.output<typeof FlagUpdate>

export const flagCalls = {
  ...listCalls('flags', FlagRow),
  groups: call('GET', '/flags/groups', 'manage_flags', 'Open automatic flags by check', { output: json(FlagGroups) }),
  show: call('GET', '/flags/:id', 'manage_flags', 'One flag', { output: json(Flag) }),
  raise: call('POST', '/flags', 'manage_flags', 'Flag a property, document or risk control report', { body: NewFlag, output: json(Flag) }),
  update: call('PUT', '/flags/:id', 'manage_flags', 'Assign, acknowledge, resolve, dismiss or reopen a flag', {
    body: FlagUpdate,
    output: json(Flag),
  }),
  assignees: call('GET', '/accounts/:id/flag-assignees', 'manage_flags', 'Users who can be assigned flags on a record of the account', {
    query: FlaggedRecord,
    output: json(z.array(Person.extend({ company: z.string() }))),
  }),
}
