import { z } from 'zod'
import { Flag01, Id, json, type Call } from './route.ts'

export const MetricAction = z.object({
  model: z.string(),
  filters: z.record(z.string(), z.string()),
  search: z.string().optional(),
  sort: z.string().optional(),
  order: z.enum(['asc', 'desc']).optional(),
})

export const Statistic = z.object({
  key: z.string(),
  label: z.string(),
  count: z.number(),
  display_count: z.string(),
  help: z.string(),
  severity: z.enum(['critical', 'warning', 'info', 'good', 'none']),
  action: MetricAction.nullable(),
})
export type Statistic = z.output<typeof Statistic>

export const Metric = z.object({
  title: z.string(),
  empty: z.string(),
  total: z.number(),
  counts: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      count: z.number(),
      tiv: z.number().optional(),
      action: MetricAction.nullable().optional(),
    }),
  ),
  chart: z.object({
    labels: z.array(z.string()),
    datasets: z.array(z.object({ data: z.array(z.number()), backgroundColor: z.array(z.string()) })),
  }),
  statistics: z.array(Statistic),
  icon: z.object({ icon: z.string(), type: z.string() }).nullable(),
})
export type Metric = z.output<typeof Metric>

const MetricQuery = z.strictObject({ force: Flag01.optional() })
const metric = <const P extends string, const C extends Call['can']>(path: P, can: C, summary: string) =>
  ({ method: 'GET', path: `/metrics/${path}`, can, summary, query: MetricQuery, output: json(Metric) }) as const
const accountMetric = <const P extends string, const C extends Call['can']>(path: P, can: C, summary: string) =>
  ({ ...metric(`accounts/:id/${path}`, can, summary), params: z.strictObject({ id: Id }) }) as const

export const metricCalls = {
  accountsSummary: metric('accounts/summary', 'view_accounts_summary_metric', 'Accounts by status'),
  systemTotals: metric('init/summary', 'view_dashboard_component', 'Totals of what the viewer sees'),
  propertyTypes: accountMetric('property-types', 'view_property_types_metric', 'Active properties by type'),
  /** The same numbers: pie and doughnut have separate permissions. */
  propertyTypesPie: accountMetric('property-types-pie', 'view_property_types_pie_metric', 'Active properties by type, for the pie'),
  propertyLocations: accountMetric('property-locations', 'view_property_locations_metric', 'Active properties by place'),
  reconciliation: accountMetric('reconciliation', 'view_account_reconciliation_metric', 'Data quality and open discrepancies'),
} as const satisfies Record<string, Call>
