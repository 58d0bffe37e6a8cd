import { sql } from 'kysely'
import { z } from 'zod'
import { accountCalls, type AccountInput, type AccountUpdate } from '#contract/accounts.ts'
import type { Status } from '#contract/statuses.ts'
import { accountRules, principalsOf, seesNumbers, statusIsSeen } from '#server/access/accounts.ts'
import { requireOwnAccounts } from '#server/access/require.ts'
import { visibleCompanies } from '#server/access/companies.ts'
import { can, viewerId } from '#server/access/viewer.ts'
import { runPrepared } from '#server/db/prepared.ts'
import type { Context, WriteContext } from '#server/engines/context.ts'
import { done, implement } from '#server/engines/http/answer.ts'
import { defineJob, enqueue } from '#server/engines/jobs/define-job.ts'
import { defineRecord, type ActivityText, type RecordEvent, type Save } from '#server/engines/record/define-record.ts'
import { recordHandlers, requireById } from '#server/engines/record/record-handlers.ts'
import { createRecord, findRecord, lockRecords, updateRecord } from '#server/engines/record/save-record.ts'
import { trashRecords } from '#server/engines/record/trash-records.ts'
import { transact } from '#server/engines/transaction/transact.ts'
import { NOT_THIS_ACCOUNT, conflict, forbidden, invalid } from '#server/kernel/errors.ts'
import { requireAccessChanges, setAccountUsers } from './account-users.commands.ts'
import { accountDatatable } from './accounts.datatable.ts'
import { accountForm } from './accounts.form.ts'
import { isCollecting, notifyMethod, requireCollecting, requireDocuments, statusOfState } from './collection.ts'
import { presentAccount } from './accounts.presenter.ts'
import { accountVersion, loadAccounts, requireLiveCompanies, statusCounts, type AccountRecord } from './accounts.queries.ts'
import { changeStatus, notifyState } from './notify-status.ts'
import { sharingChanged } from '../sharing/sharing.commands.ts'
import { requestReconciliation } from '../reconciliation/reconciliation.commands.ts'

type Input = z.output<typeof AccountInput>
type AccountSave = Save<AccountRecord, Input>

/** Removes the documents of a permanently deleted account from the store. Their keys begin with the id of the account. */
export const removeAccountObjects = defineJob({
  name: 'remove-account-objects',
  input: z.object({ account_id: z.uuid() }),
  retries: 20,
  expiresAfterSeconds: 3_600,
  run: async (ctx, { account_id }) => {
    const account = await ctx.db.selectFrom('accounts').select('id').where('id', '=', account_id).executeTakeFirst()
    if (account !== undefined) return
    for await (const { key } of ctx.storage.list(`accounts/${account_id}/`)) await ctx.storage.remove(key)
  },
})

const companyGone = (name: string) => ({ [`accounts_${name}_fkey`]: () => invalid({ [name]: ['This company no longer exists.'] }) })

export const accountRecord = defineRecord(accountCalls, {
  table: 'accounts',
  list: accountDatatable,
  rules: accountRules,
  load: loadAccounts,
  present: presentAccount,
  constraintErrors: { ...companyGone('broker_company_id'), ...companyGone('carrier_company_id') },
  versionOf: accountVersion,
  hidesHistory: (viewer) => !seesNumbers(viewer),
  search: {
    joins: sql`JOIN companies c ON c.id = accounts.company_id LEFT JOIN statuses s ON s.id = accounts.status_id`,
    name: sql`accounts.name`,
    detail: (viewer) => sql`concat_ws(' · ', c.name, CASE WHEN ${statusIsSeen(viewer)} THEN s.name END)`,
    account: sql`accounts.id`,
    ranked: [sql`accounts.name`, sql`accounts.account_number`],
    order: sql`accounts.updated_at DESC`,
  },
  form: accountForm,
  formTitles: { create: 'Start an Account', edit: 'Edit account' },
  changeScope: async ({ db }, { id }, kind) => (kind === 'destroyed' ? { for: await principalsOf(db, id) } : { inAccount: id }),
  beforeSave,
  afterSave: async (tx, id, { before, input }) => {
    const { users, status_state } = input as typeof input & OfUpdate // an update is a save, too
    if (users !== undefined) await setAccountUsers(tx, id, users)
    const method = input.file_retrieval_method
    if (before === undefined)
      return notifyMethod(tx, { id, name: input.name, previous: 'upload' }, input.type === 'standard' ? undefined : method)
    const { sharing_enabled: sharing } = input as typeof input & OfUpdate
    if (sharing !== undefined && sharing !== before.sharing_enabled) await sharingChanged(tx, before, sharing)
    await notifyMethod(tx, { ...before, previous: before.file_retrieval_method }, method)
    await notifyState(tx, before, status_state ?? undefined)
  },
  describe: describeAccount,
  beforeRestore: async (tx, accounts) => {
    await requireLiveCompanies(tx, accounts)
    // The checks skip accounts in the trash.
    for (const { id } of accounts) await requestReconciliation(tx, id, 'edit')
  },
  beforeDestroy: async (tx, accounts) => {
    const ids = accounts.map(({ id }) => id)
    await requireOwnAccounts(tx.db, tx.viewer, ids)
    for (const id of ids) await enqueue(tx, removeAccountObjects, { account_id: id })
    const files = tx.db.selectFrom('account_files').select('id').where('account_id', 'in', ids)
    await tx.db.deleteFrom('activities').where('model', '=', 'account_files').where('model_id', 'in', files).execute()
    await tx.db.deleteFrom('activities').where('account_id', 'in', ids).execute()
    await tx.db.deleteFrom('search_entries').where('account_id', 'in', ids).execute()
  },
})

export const createAccount = (ctx: Context, input: Input) => createRecord(ctx, accountRecord, input)
export const updateAccount = (ctx: Context, id: string, input: Omit<z.output<typeof AccountUpdate>, 'id' | 'account_id'>) =>
  updateRecord(ctx, accountRecord, id, input)

async function beforeSave(tx: WriteContext, save: AccountSave) {
  const { users: _users, company_id, type, meta, status_state, ...columns } = save.input as typeof save.input & OfUpdate // an update is a save, too
  const stored = { ...columns, meta: meta === undefined ? undefined : JSON.stringify(meta) }
  requireTerm(save)
  if (save.kind === 'updated') {
    if (company_id !== undefined && company_id !== null && company_id !== save.before.company_id)
      throw invalid({ company_id: ['An account stays in its company.'] })
    await requireAccessChanges(tx, save.before, save.input)
    requireCollecting(save.before, save.input.file_retrieval_method)
    if (!status_state || status_state === save.before.status_state) return stored
    return { ...stored, status_id: statusWithState(tx, save.before, status_state) }
  }
  const kind = type ?? 'managed'
  const isStandard = can(tx.viewer, 'create_standard_accounts')
  if (!(kind === 'standard' ? isStandard : can(tx.viewer, 'create_simple_accounts'))) throw forbidden()
  const owner = await ownerOf(tx, company_id ?? null, kind)
  return {
    ...stored,
    id: owner.new_id,
    type: kind,
    company_id: owner.id,
    meta: stored.meta ?? '[]',
    file_retrieval_method: methodOf(isStandard, columns.file_retrieval_method),
    status_id: owner.status_id,
    created_by: viewerId(tx.viewer),
  } as const
}

/** Only for dates that were sent, so that other fields of an account with such dates can be saved. */
function requireTerm({ input, before }: AccountSave): void {
  if (input.effective_date === undefined && input.expiration_date === undefined) return
  const { effective_date: from, expiration_date: to } = { ...before, ...input }
  if (from && to && to < from) throw invalid({ expiration_date: ['The expiration date must not be before the effective date.'] })
}

/** What an update has in addition to the fields of a new account. */
type OfUpdate = Pick<z.output<typeof AccountUpdate>, 'status_state' | 'sharing_enabled'>

/** Only viewers with the choice may hand the collection of documents to the provider. */
function methodOf(chooses: boolean, sent: Input['file_retrieval_method'] = 'upload') {
  if (!chooses && sent !== 'upload') throw invalid({ file_retrieval_method: ['You cannot choose how the documents are collected.'] })
  return sent
}

/** The owner hands uploaded documents over for processing; every other state is set by users who manage the account. */
function statusWithState(tx: WriteContext, account: AccountRecord, state: string): string {
  if (account.type !== 'managed') throw invalid({ status_state: ['Only managed accounts have a state.'] })
  if (!accountRules(tx.viewer, account).update_status) {
    if (!isCollecting(account) || state !== 'processing') throw forbidden('You cannot set this state.')
    requireDocuments(account)
  }
  const status = statusOfState(account, state)
  if (status === undefined) throw invalid({ status_state: ['No status of this company has this state.'] })
  return status.id
}

interface Owner {
  id: string
  /** The id of the new account, so that it is written and read in one round trip. */
  new_id: string
  subscribed: boolean
  /** The first status of a new account. */
  status_id: string | null
}

/** The company of a new account. Without an active subscription it can read everything, but not start anything new. */
async function ownerOf(tx: WriteContext, requested: string | null, type: 'standard' | 'managed'): Promise<Owner> {
  const { viewer } = tx
  const id = requested ?? (viewer.kind === 'user' ? viewer.companyId : null)
  const [owner] = await runPrepared(
    tx,
    sql<Owner>`SELECT companies.id, uuidv7() AS new_id,
      EXISTS (SELECT 1 FROM company_subscriptions x WHERE x.company_id = companies.id
        AND x.created_at + make_interval(months => x.term_months) > ${tx.clock.now()}::timestamptz) AS subscribed,
      (SELECT s.id FROM statuses s WHERE s.company_id = companies.id
        AND s.model_type = ${type === 'standard' ? 'account' : 'simple_account'} ORDER BY s.position LIMIT 1) AS status_id
    FROM companies WHERE companies.id = ${id} AND companies.deleted_at IS NULL AND ${visibleCompanies(viewer)}`,
  )
  if (owner === undefined) throw invalid({ company_id: ['Please choose a company.'] })
  if (!owner.subscribed && viewer.kind !== 'system') throw conflict('Your company does not have a valid Subscription.')
  return owner
}

const FIELD_LABELS: Readonly<Record<string, string>> = {
  name: 'the name',
  account_number: 'the account number',
  broker_company_id: 'the broker',
  broker_name: 'the broker',
  carrier_company_id: 'the carrier',
  carrier_name: 'the carrier',
  effective_date: 'the effective date',
  expiration_date: 'the expiration date',
  website: 'the website',
  meta: 'the details',
  users: 'the users',
  send_new_files_notification: 'the file notifications',
  show_vanity_by_default: 'the naming of documents',
  status_state: 'the status',
  file_retrieval_method: 'how documents are collected',
}

/** One line for each event; an update names the fields that changed. A permanently deleted account has no history to write to. */
function describeAccount(event: RecordEvent<AccountRecord, Input>): ActivityText[] {
  if (event.kind === 'destroyed') return []
  if (event.kind === 'created') return [{ id: event.record.id, message: '{user} created this account' }]
  if (event.kind !== 'updated') return event.records.map(({ id }) => ({ id, message: `{user} ${event.kind} this account` }))
  const [before, after] = [new Map(Object.entries(event.before)), new Map(Object.entries(event.record))]
  const changed = Object.keys(event.input).filter((name) => JSON.stringify(before.get(name)) !== JSON.stringify(after.get(name)))
  // The request to the provider has an activity of its own.
  const asksProvider = event.before.file_retrieval_method === 'assisted' || event.record.file_retrieval_method === 'assisted'
  const named = changed.filter((name) => name !== 'sharing_enabled' && (name !== 'file_retrieval_method' || !asksProvider))
  const labels = [...new Set(named.map((name) => FIELD_LABELS[name] ?? name))]
  return labels.length === 0 ? [] : [{ id: event.record.id, message: `{user} changed ${labels.join(', ')}` }]
}

/** Sets one of the account's own statuses, in any order. */
export async function setAccountStatus(ctx: Context, accountId: string, statusId: string): Promise<Status> {
  return transact(ctx, async (tx) => {
    await lockRecords(tx, 'accounts', [accountId])
    const account = await findRecord(tx, accountRecord, accountId)
    if (!accountRules(tx.viewer, account).update_status) throw forbidden()
    const status = account.statuses.find(({ id }) => id === statusId)
    if (status === undefined) throw invalid({ status_id: ['This status does not belong to the account.'] })
    if (status.id !== account.status_id) await changeStatus(tx, account, status)
    return status
  })
}

const handlers = recordHandlers(accountRecord, accountCalls)

export const accountRoutes = implement(
  accountCalls,
  {
    ...handlers,
    update: async (request) => {
      const { account_id, ...body } = request.body
      if (account_id !== undefined && account_id !== request.params.id) {
        await findRecord(request.ctx, accountRecord, request.params.id)
        throw invalid({ account_id: [NOT_THIS_ACCOUNT] })
      }
      return handlers.update({ ...request, body })
    },
    remove: ({ ctx, params }) => done(trashRecords(ctx, accountRecord, [params.id]), 'The account was deleted.'),
    setStatus: async ({ ctx, body: { account_id, status_id } }) => {
      return { data: await setAccountStatus(ctx, account_id, status_id), message: 'The status was changed.' }
    },
    statusCounts: async ({ ctx }) => ({ data: await statusCounts(ctx) }),
  },
  requireById(accountRecord),
)
