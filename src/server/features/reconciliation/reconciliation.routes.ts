import { discrepancyCalls } from '#contract/discrepancies.ts'
import { listHandlers } from '#server/engines/datatable/list-routes.ts'
import { implement } from '#server/engines/http/answer.ts'
import { decideDiscrepancies } from './decide.commands.ts'
import { discrepancyDatatable } from './discrepancies.datatable.ts'
import { presentDiscrepancy } from './discrepancies.presenter.ts'
import { findDiscrepancy } from './discrepancies.queries.ts'
import { qualityOf } from './property-quality.ts'
import { reconcileNow } from './reconciliation.commands.ts'

export const reconciliationRoutes = implement(discrepancyCalls, {
  ...listHandlers(discrepancyDatatable, discrepancyCalls.index),
  show: async ({ ctx, params }) => ({ data: presentDiscrepancy(await findDiscrepancy(ctx, params.id)) }),
  decide: async ({ ctx, params, body }) => {
    await decideDiscrepancies(ctx, [params.id], body)
    return { data: presentDiscrepancy(await findDiscrepancy(ctx, params.id)), message: 'The difference is settled.' }
  },
  reconcile: async ({ ctx, params }) => {
    await reconcileNow(ctx, params.id)
    return { data: null, message: 'The reconciliation is running.' }
  },
  quality: async ({ ctx, params }) => ({ data: await qualityOf(ctx, params.id) }),
})
