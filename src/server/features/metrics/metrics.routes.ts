import { metricCalls, type Metric } from '#contract/metrics.ts'
import type { Model } from '#contract/permissions.ts'
import type { Context } from '#server/engines/context.ts'
import { implement } from '#server/engines/http/answer.ts'
import { accountsSummary } from './accounts-summary.metric.ts'
import { cachedMetric } from '#server/engines/metric/cached-metric.ts'
import { assertAccount } from './metric-account.ts'
import { propertyLocations } from './property-locations.metric.ts'
import { propertyTypes } from './property-types.metric.ts'
import { reconciliation } from './reconciliation.metric.ts'
import { systemTotals } from './system-totals.metric.ts'

interface Asked {
  ctx: Context
  query: { force?: boolean | undefined }
}

const ofEverything =
  (name: string, models: readonly Model[], make: (ctx: Context) => Promise<Metric>) =>
  async ({ ctx, query }: Asked) => ({
    data: await cachedMetric(ctx, { name, dependsOn: models, force: query.force ?? false, make: () => make(ctx) }),
  })

const ofAccount =
  (name: string, models: readonly Model[], make: (ctx: Context, accountId: string) => Promise<Metric>) =>
  async ({ ctx, params, query }: Asked & { params: { id: string } }) => {
    await assertAccount(ctx, params.id)
    return {
      data: await cachedMetric(ctx, {
        name,
        dependsOn: models,
        accountId: params.id,
        force: query.force ?? false,
        make: () => make(ctx, params.id),
      }),
    }
  }

const propertyTypesOf = ofAccount('property-types', ['account_properties'], propertyTypes)

export const metricRoutes = implement(metricCalls, {
  accountsSummary: ofEverything('accounts/summary', ['accounts'], accountsSummary),
  systemTotals: ofEverything('init/summary', ['accounts', 'account_properties', 'account_files', 'users'], systemTotals),
  propertyTypes: propertyTypesOf,
  propertyTypesPie: propertyTypesOf,
  propertyLocations: ofAccount('property-locations', ['account_properties'], propertyLocations),
  reconciliation: ofAccount('reconciliation', ['account_properties', 'discrepancies'], reconciliation),
})
