import { z } from 'zod'
import { call, json, type Can } from './route.ts'

/** The colors of charts in the light scheme, in order; the last one is for the rest. No orange or red, which mean something. */
export const CHART_COLORS = ['#24507B', '#5C94C2', '#1F6B66', '#5B9F7B', '#66426F', '#AA80AF', '#3A4650', '#8F897D'] as const

/** Opens a list; `search` is empty when it shows all records of these filters. */
export const MetricAction = z.object({
  model: z.string(),
  filters: z.record(z.string(), z.string()),
  search: z.string(),
  sort: z.string().optional(),
  order: z.enum(['asc', 'desc']).optional(),
})
export type MetricAction = z.output<typeof MetricAction>

/** A sum in one currency. */
export const Amount = z.object({ amount: z.number(), currency: z.string() })
export type Amount = z.output<typeof Amount>

/** What a count of properties with open discrepancies carries in addition; other counts have none of it. */
const OfFindings = {
  /** Open discrepancies on these properties. */
  findings: z.number().optional(),
  /** How many of the properties have a critical discrepancy. */
  critical: z.number().optional(),
  /** The total insured value of these properties; null if it is not known. */
  value_at_stake: z.number().nullable().optional(),
}

const MetricSeverity = z.enum(['critical', 'warning', 'info', 'good', 'none'])

export const Statistic = z.object({
  key: z.string(),
  label: z.string(),
  count: z.number(),
  display_count: z.string(),
  help: z.string(),
  severity: MetricSeverity,
  action: MetricAction.nullable(),
  /** Of money: the sum in each currency, the largest first; `count` is the first of them. */
  amounts: z.array(Amount).optional(),
  /** Why a score is limited. */
  note: z.string().nullable().optional(),
  /** Of a score: its points in each part, which add up to what it is without a limit. Absent in runs that stored none. */
  parts: z.array(z.object({ key: z.string(), label: z.string(), points: z.number(), max: z.number() })).optional(),
  ...OfFindings,
})
export type Statistic = z.output<typeof Statistic>

export const Metric = z.object({
  title: z.string(),
  empty: z.string(),
  total: z.number(),
  /** Parts of the total; in the reconciliation, the checks with open discrepancies, each with the number of its properties. */
  counts: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      count: z.number(),
      tiv: z.number().optional(),
      action: MetricAction.nullable().optional(),
      severity: MetricSeverity.optional(),
      /** Of all properties, 0 to 1. */
      share: z.number().optional(),
      /** If the check hits most of the properties: one sentence about the schedule. Its discrepancies count in no group of discrepancies. */
      sentence: z.string().nullable().optional(),
      findings_action: MetricAction.nullable().optional(),
      /** Of a fix: its account, the currency of the value at stake (null if there are several), and how many answers it takes. */
      fix: z
        .object({ account: z.string(), currency: z.string().nullable(), answers: z.number(), unit: z.enum(['answer', 'request']) })
        .optional(),
      ...OfFindings,
    }),
  ),
  chart: z.object({
    labels: z.array(z.string()),
    datasets: z.array(z.object({ data: z.array(z.number()), backgroundColor: z.array(z.string()) })),
  }),
  statistics: z.array(Statistic),
  icon: z.object({ icon: z.string(), type: MetricSeverity }),
  /** For discrepancies: when the register was read for them, and whether its values have not changed since. */
  as_of: z.string().nullable().optional(),
  is_current: z.boolean().optional(),
  /** Of all amounts of an account; null if they are in several currencies. */
  currency: z.string().nullable().optional(),
  /** Names of the checks that the company has turned off. */
  turned_off: z.array(z.string()).optional(),
})
export type Metric = z.output<typeof Metric>

/** A flag as clients put it into a query. */
const Force = z.enum(['0', '1', 'false', 'true']).transform((value) => value === '1' || value === 'true')

const metric = <const P extends string, const C extends Can>(path: P, can: C, summary: string) =>
  call('GET', `/metrics/${path}`, can, summary, { query: z.strictObject({ force: Force.optional() }), output: json(Metric) })

export const metricCalls = {
  accountsSummary: metric('accounts/summary', 'view_accounts_summary_metric', 'Accounts by status'),
  accountsAttention: metric('accounts/attention', 'view_dashboard_account_datatable', 'What accounts in work need'),
  /** Work for those who prepare the submission, so not for carriers, who see its discrepancies. */
  accountsFixes: metric('accounts/fixes', 'resolve_discrepancies', 'What improves accounts in work most, by value at stake'),
  systemTotals: metric('init/summary', 'view_dashboard_component', 'Totals of what the viewer sees'),
  propertyTypes: metric('accounts/:id/property-types', 'view_property_types_metric', 'Active properties by type'),
  /** The same numbers: pie and doughnut have separate permissions. */
  propertyTypesPie: metric('accounts/:id/property-types-pie', 'view_property_types_pie_metric', 'Active properties by type, for the pie'),
  propertyLocations: metric('accounts/:id/property-locations', 'view_property_locations_metric', 'Active properties by place'),
  reconciliation: metric('accounts/:id/reconciliation', 'view_account_reconciliation_metric', 'Data quality and open discrepancies'),
}
