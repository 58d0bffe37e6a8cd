import { accountCalls } from '#contract/accounts.ts'
import { can } from '#server/access/viewer.ts'
import type { Context } from '#server/engines/context.ts'
import { listHandlers } from '#server/engines/datatable/list-routes.ts'
import { implement } from '#server/engines/http/answer.ts'
import { createAccount, updateAccount } from './accounts.commands.ts'
import { accountDatatable } from './accounts.datatable.ts'
import { accountForm } from './accounts.form.ts'
import { presentAccount } from './accounts.presenter.ts'
import { findAccount } from './accounts.queries.ts'
import { markOpened } from './favorites.commands.ts'
import { statusCounts } from './status-counts.ts'
import { setAccountStatus } from './status.commands.ts'
import { destroyAccounts, restoreAccounts, trashAccounts } from './trash.commands.ts'

const newType = (ctx: Context, asked: unknown) =>
  asked === 'managed' || !can(ctx.viewer, 'create_standard_accounts') ? 'managed' : 'standard'

export const accountRoutes = implement(accountCalls, {
  ...listHandlers(accountDatatable, accountCalls.index),
  form: async ({ ctx, query }) => ({ data: await accountForm(ctx, undefined, newType(ctx, query['type'])) }),
  editForm: async ({ ctx, params }) => {
    const record = await findAccount(ctx, params.id)
    return { data: await accountForm(ctx, record, record.type) }
  },
  show: async ({ ctx, params }) => {
    const record = await findAccount(ctx, params.id)
    await markOpened(ctx, params.id)
    return { data: await presentAccount(ctx, record) }
  },
  create: async ({ ctx, body }) => ({
    status: 201,
    data: await presentAccount(ctx, await createAccount(ctx, body)),
    message: 'The account was created.',
  }),
  update: async ({ ctx, params, body }) => ({
    data: await presentAccount(ctx, await updateAccount(ctx, params.id, body)),
    message: 'The account was saved.',
  }),
  remove: async ({ ctx, params }) => {
    await trashAccounts(ctx, [params.id])
    return { data: null, message: 'The account was deleted.' }
  },
  trash: async ({ ctx, body }) => {
    await (body.force ? destroyAccounts(ctx, body.ids) : trashAccounts(ctx, body.ids))
    return { data: null, message: body.force ? 'Deleted for ever.' : 'Moved to the trash.' }
  },
  restore: async ({ ctx, body }) => {
    await restoreAccounts(ctx, body.ids)
    return { data: null, message: 'Restored.' }
  },
  setStatus: async ({ ctx, body }) => ({
    data: await setAccountStatus(ctx, body.account_id, body.status_id),
    message: 'The status was changed.',
  }),
  statusCounts: async ({ ctx }) => ({ data: await statusCounts(ctx) }),
})
