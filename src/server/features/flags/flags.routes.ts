import { flagCalls } from '#contract/flags.ts'
import { requireVisibleAccount } from '#server/access/require.ts'
import { listHandlers } from '#server/engines/datatable/list-routes.ts'
import { implement, type RequireRecord } from '#server/engines/http/answer.ts'
import { notFound } from '#server/kernel/errors.ts'
import { assignees } from './assignees.queries.ts'
import { raiseFlags, updateFlag } from './flags.commands.ts'
import { flagDatatable } from './flags.datatable.ts'
import { findFlag, presentFlag } from './flags.queries.ts'

const requireRecord: RequireRecord = (ctx, { id = '' }, { path }) =>
  path === flagCalls.assignees.path ? requireVisibleAccount(ctx.db, ctx.viewer, id) : findFlag(ctx, id)

export const flagRoutes = implement(
  flagCalls,
  {
    ...listHandlers(flagDatatable, flagCalls.index),
    show: async ({ ctx, params }) => ({ data: presentFlag(ctx, await findFlag(ctx, params.id)) }),
    raise: async ({ ctx, body: { flaggable_type, flaggable_id, ...input } }) => {
      const [flag] = await raiseFlags(ctx, flaggable_type, [flaggable_id], input)
      if (flag === undefined) throw notFound('Record')
      return { status: 201, data: presentFlag(ctx, flag), message: 'The flag was raised.' }
    },
    update: async ({ ctx, params, body }) => ({
      data: presentFlag(ctx, await updateFlag(ctx, params.id, body)),
      message: 'The flag was saved.',
    }),
    assignees: async ({ ctx, params }) => {
      await requireVisibleAccount(ctx.db, ctx.viewer, params.id)
      const users = await assignees(ctx, params.id)
      return { data: users.map(({ userId, fullName, companyName }) => ({ id: userId, full_name: fullName, company: companyName })) }
    },
  },
  requireRecord,
)
