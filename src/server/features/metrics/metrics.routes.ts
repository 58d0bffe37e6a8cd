import { sql } from 'kysely'
import { metricCalls, type Metric } from '#contract/metrics.ts'
import type { Model } from '#contract/models.ts'
import { requireVisibleAccount } from '#server/access/require.ts'
import type { Context } from '#server/engines/context.ts'
import { implement } from '#server/engines/http/answer.ts'
import { cachedMetric } from '#server/engines/metric/cached-metric.ts'
import { accountsAttention, accountsSummary, systemTotals } from './dashboard.metric.ts'
import { accountsFixes } from './fixes.metric.ts'
import { propertyLocations, propertyTypes } from './properties.metric.ts'
import { reconciliation } from './reconciliation.metric.ts'

interface Request {
  ctx: Context
  query: { force?: boolean | undefined }
}

const ofViewer =
  (name: string, dependsOn: readonly Model[], make: (ctx: Context) => Promise<Metric>) =>
  async ({ ctx, query: { force = false } }: Request) => ({
    data: await cachedMetric(ctx, { name, dependsOn, force, make: () => make(ctx) }),
  })

/** Changed settings of a company make the findings of all its accounts out of date, without a new version of each account. */
const requestsOf = (accountId: string) => sql`coalesce((SELECT c.requested FROM check_states c WHERE c.account_id = ${accountId}), 0)`

const ofAccount =
  (name: string, dependsOn: readonly Model[], make: (ctx: Context, accountId: string) => Promise<Metric>) =>
  async ({ ctx, params: { id: accountId }, query: { force = false } }: Request & { params: { id: string } }) => {
    await requireVisibleAccount(ctx.db, ctx.viewer, accountId)
    return {
      data: await cachedMetric(ctx, {
        name,
        dependsOn,
        accountId,
        changes: requestsOf(accountId),
        force,
        make: () => make(ctx, accountId),
      }),
    }
  }

const propertyTypesOf = ofAccount('property-types', ['account_properties'], propertyTypes)

export const metricRoutes = implement(
  metricCalls,
  {
    accountsSummary: ofViewer('accounts/summary', ['accounts'], accountsSummary),
    accountsAttention: ofViewer(
      'accounts/attention',
      ['accounts', 'account_properties', 'account_files', 'discrepancies'],
      accountsAttention,
    ),
    accountsFixes: ofViewer('accounts/fixes', ['accounts', 'account_properties', 'discrepancies'], accountsFixes),
    systemTotals: ofViewer('init/summary', ['accounts', 'account_properties', 'account_files', 'users'], systemTotals),
    propertyTypes: propertyTypesOf,
    propertyTypesPie: propertyTypesOf,
    propertyLocations: ofAccount('property-locations', ['account_properties'], propertyLocations),
    reconciliation: ofAccount('reconciliation', ['account_properties', 'discrepancies'], reconciliation),
  },
  (ctx, { id = '' }) => requireVisibleAccount(ctx.db, ctx.viewer, id),
)
