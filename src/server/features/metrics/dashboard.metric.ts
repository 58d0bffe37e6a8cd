import { sql, type RawBuilder } from 'kysely'
import { formatAmounts, formatNumber } from '#contract/format.ts'
import type { Metric, Statistic } from '#contract/metrics.ts'
import { ATTENTION, type Attention } from '#contract/submissions.ts'
import { canNeed, needsAttention } from '#server/access/account-attention.ts'
import { visibleAccounts } from '#server/access/accounts.ts'
import { seesFiles, visibleFiles } from '#server/access/account-files.ts'
import { seesAllCompanies } from '#server/access/scope.ts'
import { visibleUsers } from '#server/access/users.ts'
import { can } from '#server/access/viewer.ts'
import type { Context } from '#server/engines/context.ts'
import { registerTotals } from '#server/engines/metric/visible-totals.ts'
import { valuesByCurrency } from '#server/engines/metric/values-by-currency.ts'
import { chartOf } from './chart.ts'
import { listAction } from './list-action.ts'

const NO_STATUS_COLOR = '#BDBDBD'

/** The viewer's accounts by status, in the colors of the statuses. Statuses of several companies with one name share a slice. */
export async function accountsSummary(ctx: Context): Promise<Metric> {
  const { rows } = await sql<{ id: string; name: string | null; color: string; count: number }>`
    SELECT coalesce(min(s.id::text), 'none') AS id, s.name, coalesce(min(s.color), ${NO_STATUS_COLOR}) AS color, count(*)::int AS count
    FROM accounts LEFT JOIN statuses s ON s.id = accounts.status_id
    WHERE accounts.deleted_at IS NULL AND ${visibleAccounts(ctx.viewer)} GROUP BY s.name ORDER BY count(*) DESC, s.name`.execute(ctx.db)
  const opensList = can(ctx.viewer, 'view_accounts_component') && can(ctx.viewer, 'view_accounts_datatable_filters')
  const parts = rows.map(({ name, ...part }) => ({
    ...part,
    name: name ?? 'No status',
    action: name !== null && opensList ? listAction('accounts', { filter__status: name }) : null,
  }))
  return chartOf('Accounts by status', 'briefcase', parts)
}

/** In the order in which they are shown. The due ones have a list of their own on the dashboard. */
const ATTENTION_TILES = [
  'setup_requested',
  'overdue',
  'critical',
  'flagged',
  'check',
  'unchecked',
  'no_properties',
  'no_documents',
  'open_import',
  'no_date',
] as const satisfies Attention[]

/** The accounts in work that need something; each count opens these accounts. */
export async function accountsAttention(ctx: Context): Promise<Metric> {
  const tiles = ATTENTION_TILES.filter((kind) => canNeed(ctx.viewer, kind))
  const counts = tiles.map((kind) => sql`(count(*) FILTER (WHERE ${needsAttention(kind, ctx)}))::int AS ${sql.id(kind)}`)
  const { rows } = await sql<Record<(typeof ATTENTION_TILES)[number], number>>`SELECT ${sql.join(counts)} FROM accounts
    WHERE accounts.deleted_at IS NULL AND ${visibleAccounts(ctx.viewer)}`.execute(ctx.db)
  const opensList = can(ctx.viewer, 'view_accounts_component')
  return {
    title: 'Needs attention',
    empty: 'Nothing needs attention.',
    total: 0,
    counts: [],
    chart: { labels: [], datasets: [] },
    statistics: tiles.map((kind) => {
      const { label, help } = ATTENTION[kind]
      const action = opensList ? listAction('accounts', { filter__attention: kind }) : null
      return { ...total(kind, label, rows[0]?.[kind] ?? 0, help, action), severity: kind === 'critical' ? 'critical' : 'none' }
    }),
    icon: { icon: 'checklist', type: 'none' },
  }
}

/** The name of the company, or of all companies, with the numbers of accounts, active properties, documents and users in that scope. */
export async function systemTotals(ctx: Context): Promise<Metric> {
  const { viewer, config } = ctx
  const all = sql`count(*)`
  const visible = sql`accounts.deleted_at IS NULL AND ${visibleAccounts(viewer)}`
  // The stored totals: faster than counting half a million rows.
  const active = sql`coalesce(sum(t.active_properties), 0)::bigint`
  const [accounts, properties, tiv, documents, users] = await Promise.all([
    count(ctx, all, sql`accounts WHERE ${visible}`),
    count(ctx, active, sql`account_totals t JOIN accounts ON accounts.id = t.account_id WHERE ${visible}`),
    valuesByCurrency(ctx, visible),
    count(ctx, all, sql`account_files WHERE account_files.deleted_at IS NULL AND ${visibleFiles(viewer)}`),
    count(ctx, all, sql`users WHERE users.deleted_at IS NULL AND ${visibleUsers(viewer)}`),
  ])
  const listOf = (model: 'accounts' | 'users') => (can(viewer, `view_${model}_component`) ? listAction(model, {}) : null)
  const own = viewer.kind === 'user' ? viewer.companyName : config.product.name
  const usersList = listOf('users')
  return {
    title: seesAllCompanies(viewer) ? `${own}: all companies` : own,
    empty: '',
    total: accounts,
    counts: [],
    chart: { labels: [], datasets: [] },
    statistics: [
      total('accounts', 'Accounts', accounts, 'Accounts you can see.', listOf('accounts')),
      total('properties', 'Properties', properties, 'Active properties of these accounts.', null),
      {
        ...total('tiv', 'Total insured value', tiv[0]?.amount ?? 0, 'Of the active properties.', null),
        display_count: formatAmounts(tiv),
        amounts: tiv,
      },
      ...(seesFiles(viewer) ? [total('documents', 'Documents', documents, 'Documents of these accounts.', null)] : []),
      // Without a list of users it would count only the viewer.
      ...(usersList === null ? [] : [total('users', 'Users', users, 'People you can see.', usersList)]),
    ],
    icon: { icon: 'building', type: 'none' },
  }
}

const total = (key: string, label: string, amount: number, help: string, action: Statistic['action']): Statistic => ({
  key,
  label,
  count: amount,
  display_count: formatNumber(amount),
  help,
  severity: 'none',
  action: amount === 0 ? null : action,
})

/** The currency of the total insured value of the properties of an account that the viewer sees; null if there are several. */
export async function currencyOf({ db, viewer }: Context, accountId: string): Promise<string | null> {
  const { rows } = await sql<{ currency: string | null }>`SELECT r.currency FROM account_totals t
    CROSS JOIN LATERAL (${registerTotals(viewer)}) r WHERE t.account_id = ${accountId}`.execute(db)
  return rows[0] === undefined ? 'USD' : rows[0].currency
}

async function count(ctx: Context, amount: RawBuilder<unknown>, from: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ amount: number }>`SELECT ${amount} AS amount FROM ${from}`.execute(ctx.db)
  return rows[0]?.amount ?? 0
}
