import { sql } from 'kysely'
import { flagCalls, type FlaggableType } from '#contract/flags.ts'
import { requireVisibleAccount } from '#server/access/require.ts'
import { can } from '#server/access/viewer.ts'
import type { Context } from '#server/engines/context.ts'
import { listHandlers } from '#server/engines/datatable/list-routes.ts'
import { implement, type RequireRecord } from '#server/engines/http/answer.ts'
import { forbidden, notFound } from '#server/kernel/errors.ts'
import { assignees } from './assignees.queries.ts'
import { TARGETS, visibleTargets, type Flaggable } from './flag-targets.ts'
import { raiseFlags, updateFlag } from './flags.commands.ts'
import { flagDatatable } from './flags.datatable.ts'
import { findFlag, flagGroups, presentFlag } from './flags.queries.ts'

const requireRecord: RequireRecord = (ctx, { id = '' }, { path }) =>
  path === flagCalls.assignees.path ? requireVisibleAccount(ctx.db, ctx.viewer, id) : findFlag(ctx, id)

/** The record, which is in the account and can be flagged by the viewer. Throws `notFound` or `forbidden`. */
async function requireTarget(ctx: Context, accountId: string, { type, id }: { type: FlaggableType; id: string }): Promise<Flaggable> {
  const { needs, noun } = TARGETS[type]
  if (!can(ctx.viewer, needs)) throw forbidden()
  const records = { type, ids: [id] }
  const { rows } = await sql`SELECT id ${visibleTargets(ctx.viewer, records)} AND account_id = ${accountId}`.execute(ctx.db)
  if (rows.length === 0) throw notFound(noun)
  return records
}

export const flagRoutes = implement(
  flagCalls,
  {
    ...listHandlers(flagDatatable, flagCalls.index),
    groups: async ({ ctx }) => ({ data: await flagGroups(ctx) }),
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
    assignees: async ({ ctx, params, query: { flaggable_type: type, flaggable_id: id } }) => {
      const account = await requireVisibleAccount(ctx.db, ctx.viewer, params.id)
      const users = await assignees(ctx, account.id, await requireTarget(ctx, account.id, { type, id }))
      return { data: users.map(({ userId, fullName, companyName }) => ({ id: userId, full_name: fullName, company: companyName })) }
    },
  },
  requireRecord,
)
