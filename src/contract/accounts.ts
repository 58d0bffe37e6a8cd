import { z } from 'zod'
import { codesOf } from './code-lists.ts'
import { Cell, RowBase } from './datatable.ts'
import { Deadline } from './guests.ts'
import { ACCOUNT_META_MAX, EFFECTIVE_YEARS_AHEAD, EXPIRATION_YEARS_AHEAD } from './limits.ts'
import { RecordBase, recordCalls } from './record.ts'
import { Id, call, day, isSame, json, orNull, text, textOrNull } from './route.ts'
import { searchCall } from './search.ts'
import { Status, StatusCount, StatusState } from './statuses.ts'

export const ACCOUNT_TYPES = { standard: 'Standard', managed: 'Managed' } as const
export const RETRIEVAL_METHODS = { upload: 'Upload', invite: 'Invite', assisted: 'Assisted' } as const

export const AccountRow = RowBase.extend({
  name: Cell,
  account_number: Cell,
  company: Cell,
  /** With the state of a managed account. */
  status: Cell.extend({ state: StatusState.nullable().optional() }),
  type: Cell,
  properties: Cell,
  tiv: Cell,
  /** Of the total insured value; null if it is in several currencies. */
  currency: z.string().nullable(),
  documents: Cell,
  effective_date: Cell,
  created_at: Cell,
  updated_at: Cell,
  favorite: z.boolean(),
})
export type AccountRow = z.output<typeof AccountRow>

const Party = z.object({ id: Id.nullable(), name: z.string() })

export const Account = RecordBase.extend({
  name: Cell,
  account_number: z.string().nullable(),
  type: z.enum(['standard', 'managed']),
  status: Status.nullable(),
  statuses: z.array(Status),
  /** Null for visitors of a link. */
  created_at: z.string().nullable(),
  updated_at: z.string().nullable(),
  favorite: z.boolean(),
  /** Null for viewers who cannot open the register; so are the divested ones and the total. */
  properties: z.number().nullable(),
  divested_properties: z.number().nullable(),
  /** The sum of the known values; see `knownTiv`. */
  tiv: z.number().nullable(),
  /** Of the total insured value; null if it is in several currencies. */
  currency: z.string().nullable(),
  /** Users with access; standard accounts only. */
  users: z.number().optional(),
  /** Null for viewers who cannot see documents. */
  files: z
    .object({
      total: z.number(),
      disclosed: z.number(),
      sov: z.number(),
      size: z.object({ total: z.number(), disclosed: z.number(), sov: z.number() }),
    })
    .nullable(),
  /** Null for viewers who cannot share the account, and while it was never shared. */
  share_link: z.string().nullable(),
  /** In a session that an invitation opened. */
  via_invite: z.object({ invited_user: z.object({ email: z.string() }), invited_by: z.string(), expires_at: Deadline }).nullable(),
  /** The invitation by which the viewer sees the account. */
  invite: z
    .object({
      created_by_formatted: z.string(),
      created_at_formatted: z.string(),
      created_at: z.string(),
      created_by_user: z
        .object({ email: z.string(), cell_phone: z.string().nullable(), company: z.object({ name: z.string() }) })
        .nullable(),
    })
    .nullable(),
  /** Whether an invitation is live; null for viewers who cannot see invitations. */
  active_invite: z.boolean().nullable(),
  /** False for people from outside. */
  sharing_enabled: z.boolean(),
  show_vanity_by_default: z.boolean(),
  send_new_files_notification: z.boolean(),
  file_retrieval_method: z.enum(['upload', 'invite', 'assisted']),
  broker: Party.nullable(),
  carrier: Party.nullable(),
  managed_by: z.string(),
  created_by: z.object({ id: Id, full_name: z.string(), email: z.string() }).nullable(),
  company: z.object({ id: Id, name: z.string(), logo_url: z.string().nullable() }),
  effective_date: z.string().nullable(),
  expiration_date: z.string().nullable(),
  meta: z.array(z.object({ label: z.string(), value: z.string() })),
  website: z.string().nullable(),
  accessible_features: RecordBase.shape.accessible_features.extend({
    update_status: z.boolean(),
    upload: z.boolean(),
    import: z.boolean(),
    /** Only for viewers who would still see the document. */
    make_private: z.boolean(),
  }),
})
export type Account = z.output<typeof Account>

const dayAhead = (years: number) => orNull(day('Please enter a date as YYYY-MM-DD.', years)).optional()
const OptionalId = orNull(Id).optional()
const AccountType = z
  .enum(['standard', 'managed', 'Standard', 'Managed'])
  .transform((value): 'standard' | 'managed' => (value.toLowerCase() === 'standard' ? 'standard' : 'managed'))
const WEBSITE_TEXT = 'Please enter a web address such as https://www.example.com'
const Website = orNull(
  z
    .url({ protocol: /^https?$/, hostname: /\.[^.]+$/, error: WEBSITE_TEXT, abort: true })
    // The part before an @ is a user name, which can look like the site that a link leads to.
    .refine((url) => !/^https?:\/*[^/?#\\]*@/i.test(url), WEBSITE_TEXT),
)

export const AccountInput = z.strictObject({
  name: text(160).min(1, 'Please enter an account name.'),
  account_number: textOrNull(60).optional(),
  type: AccountType,
  file_retrieval_method: z.enum(codesOf(RETRIEVAL_METHODS), 'Please choose how the documents will be collected.').optional(),
  company_id: OptionalId,
  broker_company_id: OptionalId,
  broker_name: textOrNull(120).optional(),
  carrier_company_id: OptionalId,
  carrier_name: textOrNull(120).optional(),
  effective_date: dayAhead(EFFECTIVE_YEARS_AHEAD),
  expiration_date: dayAhead(EXPIRATION_YEARS_AHEAD),
  website: Website.optional(),
  meta: z
    .array(z.strictObject({ label: text(60).min(1, 'Please name this item.'), value: text(500) }))
    .max(ACCOUNT_META_MAX, `An account holds at most ${ACCOUNT_META_MAX} items.`)
    .optional(),
  users: z.array(Id).max(500).optional(),
  send_new_files_notification: z.boolean().optional(),
  show_vanity_by_default: z.boolean().optional(),
})
export const AccountUpdate = AccountInput.omit({ type: true }).partial().extend({
  id: Id.optional(),
  account_id: Id.optional(),
  version: z.number().int().optional(),
  /** Sets the status of a managed account that has this state; null changes nothing. */
  status_state: StatusState.nullish(),
  sharing_enabled: z.boolean().optional(),
})

const StatusChange = z
  .strictObject({ account_id: Id.optional(), accountId: Id.optional(), status_id: Id.optional(), statusId: Id.optional() })
  .refine((body) => isSame(body.account_id, body.accountId), { message: 'Please send one account.', path: ['accountId'] })
  .refine((body) => isSame(body.status_id, body.statusId), { message: 'Please send one status.', path: ['statusId'] })
  .transform((body) => ({ account_id: body.account_id ?? body.accountId, status_id: body.status_id ?? body.statusId }))
  .pipe(z.object({ account_id: Id, status_id: Id }))

const calls = recordCalls('accounts', { row: AccountRow, record: Account, input: AccountInput, update: AccountUpdate })

export const accountCalls = {
  ...calls,
  /** Open to every user, because users without a list of accounts find theirs here. */
  index: { ...calls.index, can: 'view_account_details' } as const,
  search: searchCall('accounts', 'view_accounts_component'),
  remove: call('DELETE', '/accounts/:id', 'delete_accounts', 'Trash one account', { output: json(z.null()) }),
  setStatus: call('PATCH', '/accounts/status', 'update_account_status', 'Set the status of an account', {
    body: StatusChange,
    output: json(Status),
  }),
  statusCounts: call('GET', '/statuses/accounts', 'view_account_status', 'Account statuses with counts', {
    output: json(z.array(StatusCount)),
  }),
}

/** A sum of 0 over properties is of properties without values: it is unknown, not 0. Null if it is unknown or hidden. */
export const knownTiv = (properties: number | null, tiv: number | null): number | null => (properties !== 0 && tiv === 0 ? null : tiv)

/** The totals of the register of an account; undefined for viewers who cannot open it. */
export const registerTotals = ({ properties, divested_properties: divested, tiv }: Account) =>
  properties === null || divested === null || tiv === null
    ? undefined
    : { active: properties, divested, tiv, known: knownTiv(properties, tiv) }
