import { sql } from 'kysely'
import { z } from 'zod'
import { accountCalls, type AccountInput, type AccountUpdate, type Status } from '#contract/accounts.ts'
import { accountRules } from '#server/access/accounts.ts'
import { requireOwnAccounts } from '#server/access/require.ts'
import type { Context } from '#server/engines/context.ts'
import { implement } from '#server/engines/http/answer.ts'
import { defineJob, enqueue } from '#server/engines/jobs/define-job.ts'
import { defineRecord } from '#server/engines/record/define-record.ts'
import { recordHandlers } from '#server/engines/record/record-handlers.ts'
import { createRecord, findRecord, updateRecord } from '#server/engines/record/save-record.ts'
import { trashRecords } from '#server/engines/record/trash-records.ts'
import { recordActivity } from '#server/engines/transaction/activity.ts'
import { emit } from '#server/engines/transaction/changes.ts'
import { transact } from '#server/engines/transaction/transact.ts'
import { forbidden, invalid } from '#server/kernel/errors.ts'
import { accountDatatable } from './accounts.datatable.ts'
import { accountForm } from './accounts.form.ts'
import { presentAccount } from './accounts.presenter.ts'
import { accountStatuses, loadAccounts, statusCounts } from './accounts.queries.ts'
import { markOpened } from './favorites.commands.ts'
import { afterSave, beforeSave, describeAccount } from './save-account.ts'

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

export const accountRecord = defineRecord(accountCalls, {
  table: 'accounts',
  list: accountDatatable,
  rules: accountRules,
  load: loadAccounts,
  present: presentAccount,
  search: {
    joins: sql`JOIN companies c ON c.id = accounts.company_id LEFT JOIN statuses s ON s.id = accounts.status_id`,
    name: sql`accounts.name`,
    detail: sql`concat_ws(' · ', c.name, s.name)`,
    account: sql`accounts.id`,
    order: sql`accounts.updated_at DESC`,
  },
  form: accountForm,
  formTitles: { create: 'Start an Account', edit: 'Edit account' },
  changeScope: async ({ db }, { id }, kind) => {
    if (kind !== 'destroyed') return { inAccount: id }
    const viewers = await db.selectFrom('account_access').select('principal_id').where('account_id', '=', id).execute()
    return { for: viewers.map(({ principal_id }) => principal_id) }
  },
  beforeSave,
  afterSave,
  describe: describeAccount,
  beforeDestroy: async (tx, accounts) => {
    const ids = accounts.map(({ id }) => id)
    await requireOwnAccounts(tx.db, tx.viewer, ids)
    for (const id of ids) await enqueue(tx, removeAccountObjects, { account_id: id })
    await tx.db.deleteFrom('activities').where('account_id', 'in', ids).execute()
    await tx.db.deleteFrom('search_entries').where('account_id', 'in', ids).execute()
  },
})

export const createAccount = (ctx: Context, input: z.output<typeof AccountInput>) => createRecord(ctx, accountRecord, input)
export const updateAccount = (ctx: Context, id: string, input: z.output<typeof AccountUpdate>) =>
  updateRecord(ctx, accountRecord, id, input)

/** Sets one of the account's own statuses, in any order. */
export async function setAccountStatus(ctx: Context, accountId: string, statusId: string): Promise<Status> {
  return transact(ctx, async (tx) => {
    const account = await findRecord(tx, accountRecord, accountId)
    if (!accountRules(tx.viewer, account).update_status) throw forbidden()
    const status = (await accountStatuses(tx, account)).find(({ id }) => id === statusId)
    if (status === undefined) throw invalid({ status_id: ['This status does not belong to the account.'] })
    if (status.id !== account.status_id) {
      await tx.db.updateTable('accounts').set({ status_id: status.id }).where('id', '=', accountId).execute()
      const message = `{user} changed the status from ${account.status_name ?? 'no status'} to ${status.name}`
      await recordActivity(tx, { model: 'accounts', modelId: accountId, accountId, class: 'status', message })
      emit(tx, { model: 'accounts', id: accountId, inAccount: accountId })
    }
    return status as Status // `state` is checked by the table
  })
}

const handlers = recordHandlers(accountRecord, accountCalls)

export const accountRoutes = implement(accountCalls, {
  ...handlers,
  show: async (request) => {
    const answer = await handlers.show(request)
    await markOpened(request.ctx, request.params.id)
    return answer
  },
  remove: async ({ ctx, params }) => {
    await trashRecords(ctx, accountRecord, [params.id])
    return { data: null, message: 'The account was deleted.' }
  },
  setStatus: async ({ ctx, body }) => ({
    data: await setAccountStatus(ctx, body.account_id, body.status_id),
    message: 'The status was changed.',
  }),
  statusCounts: async ({ ctx }) => ({ data: await statusCounts(ctx) }),
})
