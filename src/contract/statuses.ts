import { z } from 'zod'
import { codesOf } from './code-lists.ts'
import { STATUSES_MAX } from './limits.ts'
import type { PermissionName } from './permissions.ts'
import { Id, Nothing, call, json, text } from './route.ts'

/** What a managed account is waiting for. */
export const STATUS_STATES = { uploading: 'Uploading', processing: 'Processing', active: 'Active' } as const
export const StatusState = z.enum(codesOf(STATUS_STATES), `Please choose one of: ${codesOf(STATUS_STATES).join(', ')}.`)
export type StatusState = z.output<typeof StatusState>

interface Group {
  label: string
  /** What has these statuses. */
  help: string
  /** In addition to the permissions for statuses. */
  needs?: PermissionName
}

/** What has statuses; each company has its own for each group. */
export const STATUS_GROUPS = {
  account: { label: 'Accounts', help: 'Standard accounts. A new account has the first one.' },
  simple_account: {
    label: 'Simple Accounts',
    help: 'Managed accounts. The state decides what their users can do.',
    needs: 'manage_simple_accounts',
  },
  risk_control: {
    label: 'Risk Control',
    help: 'Risk control reports. Carriers and guests do not see reports with the first one.',
    needs: 'view_risk_control',
  },
} as const satisfies Record<string, Group>
export type StatusGroup = keyof typeof STATUS_GROUPS
export const statusGroup = (name: StatusGroup): Group => STATUS_GROUPS[name]

const ModelType = z.enum(codesOf(STATUS_GROUPS), 'Please choose what has this status.')

export const Status = z.object({ id: Id, name: z.string(), color: z.string(), state: StatusState.nullable() })
export type Status = z.output<typeof Status>
export const StatusCount = Status.extend({ model_type: ModelType, count: z.number() })

export const DEFAULT_STATUS_COLOR = '#000000'

/** A status as its company edits it; `used` counts the accounts or reports that have it, those in the trash included. */
export const CompanyStatus = Status.extend({ model_type: ModelType, position: z.number(), used: z.number() })
export type CompanyStatus = z.output<typeof CompanyStatus>

const fields = {
  name: text(60).min(1, 'Please enter a name.'),
  color: z.string().regex(/^#[0-9a-f]{6}$/i, 'Please enter a color such as #1976D2.'),
  /** Of simple accounts only. */
  state: StatusState.nullish(),
  /** From 0, within its group. */
  position: z.number().int().min(0).max(STATUSES_MAX).optional(),
}

export const StatusInput = z.strictObject({ model_type: ModelType, ...fields, color: fields.color.default(DEFAULT_STATUS_COLOR) })
export type StatusInput = z.output<typeof StatusInput>
/** Clients may send the whole status; its id and group cannot change. */
export const StatusUpdate = z.strictObject({
  ...fields,
  name: fields.name.optional(),
  color: fields.color.optional(),
  id: Id.optional(),
  model_type: ModelType.optional(),
  used: z.number().optional(),
  /** The values that the sent ones replace. One that another user has changed since then is not overwritten. */
  before: z.strictObject({ name: z.string(), color: z.string(), state: StatusState.nullable() }).partial().optional(),
})
export type StatusUpdate = z.output<typeof StatusUpdate>

export const statusCalls = {
  index: call('GET', '/statuses', 'view_company_statuses', 'The statuses of your company', { output: json(z.array(CompanyStatus)) }),
  create: call('POST', '/statuses', 'create_statuses', 'Add a status', { body: StatusInput, output: json(CompanyStatus) }),
  update: call('PUT', '/statuses/:id', 'update_statuses', 'Change a status', { body: StatusUpdate, output: json(CompanyStatus) }),
  remove: call('DELETE', '/statuses/:id', 'delete_statuses', 'Delete a status', { output: json(Nothing) }),
}
