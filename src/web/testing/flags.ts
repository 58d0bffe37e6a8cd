import { ALL_FLAG_REASONS, FLAG_PRIORITIES, FLAG_STATUSES, type Flag, type FlagRow } from '#contract/flags.ts'
import { USER_ID } from './session.ts'

const id = (n: number) => `0198c0de-0000-7000-8000-0000000004${String(n).padStart(2, '0')}`
const [ACCOUNT, PROPERTY] = [id(1), id(2)]

export const flag: Flag = {
  id: id(3),
  version: 4,
  account_id: ACCOUNT,
  flaggable_type: 'account_property',
  flaggable_id: PROPERTY,
  property_id: PROPERTY,
  account_name: 'Harbor Point Holdings',
  title: 'Location 12',
  source: 'user',
  reason: 'value_question',
  message: 'Is <b>this</b> the value of both buildings?',
  priority: 'high',
  status: 'open',
  assigned_to: null,
  due_on: '2026-04-01',
  raised_by: { id: USER_ID, full_name: 'Dana Whitfield' },
  raised_at: '2026-03-04T15:00:00.000Z',
  closed_by: null,
  closed_at: null,
  resolution: null,
  accessible_features: { update: true, edit_message: true, acknowledge: false, close: true, reopen: false },
}

export const closedFlag: Flag = {
  ...flag,
  id: id(4),
  source: 'system',
  reason: 'critical_discrepancy',
  message: 'Critical: State and ZIP disagree',
  status: 'resolved',
  due_on: null,
  raised_by: null,
  closed_at: '2026-03-05T15:00:00.000Z',
  resolution: 'No critical discrepancy is left.',
  accessible_features: { update: false, edit_message: false, acknowledge: false, close: false, reopen: false },
}

const cell = (text: string | null) => ({ value: text, text: text ?? '' })

export const flagRow = (one: Flag): FlagRow => ({
  id: one.id,
  account_id: one.account_id,
  deleted_at: null,
  is_new: false,
  message: cell(one.message),
  account: cell(one.account_name),
  record: cell(one.title),
  reason: cell(ALL_FLAG_REASONS[one.reason]),
  priority: cell(FLAG_PRIORITIES[one.priority]),
  status: cell(FLAG_STATUSES[one.status]),
  assigned_to: cell(one.assigned_to?.full_name ?? null),
  due_on: cell(one.due_on),
  raised_by: cell(one.raised_by?.full_name ?? null),
  created_at: cell(one.raised_at),
  flag: one,
})
