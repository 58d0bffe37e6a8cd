import { userCalls } from '#contract/users.ts'
import { listHandlers } from '#server/engines/datatable/list-routes.ts'
import { implement } from '#server/engines/http/answer.ts'
import { isUuid } from '#server/kernel/uuid.ts'
import { destroyUsers, restoreUsers, trashUsers } from './trash.commands.ts'
import { createUser, updateUser } from './users.commands.ts'
import { userDatatable } from './users.datatable.ts'
import { userForm } from './users.form.ts'
import { presentUser } from './users.presenter.ts'
import { findUser } from './users.queries.ts'

const presetCompany = ({ company_id }: Record<string, unknown>) =>
  typeof company_id === 'string' && isUuid(company_id) ? company_id : undefined

export const userRoutes = implement(userCalls, {
  ...listHandlers(userDatatable, userCalls.index),
  form: async ({ ctx, query }) => ({ data: await userForm(ctx, undefined, presetCompany(query)) }),
  editForm: async ({ ctx, params }) => ({ data: await userForm(ctx, await findUser(ctx, params.id), undefined) }),
  show: async ({ ctx, params }) => ({ data: presentUser(ctx.viewer, await findUser(ctx, params.id)) }),
  create: async ({ ctx, body }) => ({
    status: 201,
    data: presentUser(ctx.viewer, await createUser(ctx, body)),
    message: body.password === undefined ? 'The user was added. A welcome mail is on its way.' : 'The user was added.',
  }),
  update: async ({ ctx, params, body }) => ({
    data: presentUser(ctx.viewer, await updateUser(ctx, params.id, body)),
    message: 'The user was saved.',
  }),
  trash: async ({ ctx, body }) => {
    await (body.force ? destroyUsers : trashUsers)(ctx, body.ids)
    return { data: null, message: body.force ? 'Deleted for ever.' : 'Moved to the trash.' }
  },
  restore: async ({ ctx, body }) => {
    await restoreUsers(ctx, body.ids)
    return { data: null, message: 'Restored.' }
  },
})
