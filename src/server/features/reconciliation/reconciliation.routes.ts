import type { CheckState, QualityScore } from '#contract/checks.ts'
import { discrepancyCalls } from '#contract/discrepancies.ts'
import { isoDateIn } from '#contract/format.ts'
import { visibleProperties } from '#server/access/account-properties.ts'
import { seesDiscrepancies } from '#server/access/discrepancies.ts'
import { requireVisibleAccount } from '#server/access/require.ts'
import type { Context } from '#server/engines/context.ts'
import { listHandlers } from '#server/engines/datatable/list-routes.ts'
import { done, implement, type RequireRecord } from '#server/engines/http/answer.ts'
import { forbidden, notFound } from '#server/kernel/errors.ts'
import { readCheckState } from './check-state.ts'
import { checkedProperties } from './check.ts'
import { decideDiscrepancies } from './decide.commands.ts'
import { discrepancyDatatable } from './discrepancies.datatable.ts'
import { presentDiscrepancy } from './discrepancies.presenter.ts'
import { findDiscrepancy } from './discrepancies.queries.ts'
import { scoreProperty } from './quality-score.ts'
import { readAccount, readScoreFacts } from './read-register.ts'
import { reconcileNow } from './reconciliation.commands.ts'

const requireRecord: RequireRecord = async (ctx, { id = '' }, { path }) => {
  if (path === discrepancyCalls.decide.path) return findDiscrepancy(ctx, id)
  return path === discrepancyCalls.quality.path ? qualityOf(ctx, id) : requireVisibleAccount(ctx.db, ctx.viewer, id)
}

const list = listHandlers(discrepancyDatatable, discrepancyCalls.index)

/** Without the permission, an empty list would say that there are no discrepancies. */
const ifSeen =
  <I extends { ctx: Context }, O>(handle: (input: I) => Promise<O>) =>
  (input: I): Promise<O> => {
    if (!seesDiscrepancies(input.ctx.viewer)) throw forbidden()
    return handle(input)
  }
const LIST = {
  index: ifSeen(list.index),
  columns: ifSeen(list.columns),
  filters: ifSeen(list.filters),
  actions: ifSeen(list.actions),
  act: ifSeen(list.act),
}

export const reconciliationRoutes = implement(
  discrepancyCalls,
  {
    ...LIST,
    show: async ({ ctx, params }) => ({ data: presentDiscrepancy(await findDiscrepancy(ctx, params.id)) }),
    decide: async ({ ctx, params, body }) => {
      await decideDiscrepancies(ctx, [params.id], body)
      return { data: presentDiscrepancy(await findDiscrepancy(ctx, params.id)), message: 'The decision was saved.' }
    },
    reconcile: ({ ctx, params }) => done(reconcileNow(ctx, params.id), 'The reconciliation is running.'),
    state: async ({ ctx, params }) => ({ data: await stateOf(ctx, params.id) }),
    quality: async ({ ctx, params }) => ({ data: await qualityOf(ctx, params.id) }),
  },
  requireRecord,
)

async function stateOf(ctx: Context, accountId: string): Promise<CheckState> {
  await requireVisibleAccount(ctx.db, ctx.viewer, accountId)
  if (!seesDiscrepancies(ctx.viewer)) throw forbidden()
  return readCheckState(ctx.db, accountId, ctx.clock.now())
}

/** The present score of an active property with the reasons for lost points, for viewers who see its discrepancies. */
async function qualityOf(ctx: Context, id: string): Promise<QualityScore> {
  const property = await checkedProperties(ctx.db)
    .select('status')
    .where('id', '=', id)
    .where(visibleProperties(ctx.viewer))
    .executeTakeFirst()
  const account = property && (await readAccount(ctx.db, property.account_id))
  if (property === undefined || account === undefined) throw notFound('Property')
  if (!seesDiscrepancies(ctx.viewer)) throw forbidden()
  // Before the first check it is not known which values are plausible.
  if (property.status === 'divested' || property.quality_score === null) return { score: null, grade: null, parts: [] }
  const facts = (await readScoreFacts(ctx.db, property.account_id, [id])).get(id)
  if (facts === undefined) throw notFound('Property')
  return scoreProperty(property, facts, isoDateIn(ctx.clock.now(), account.timezone))
}
