import { sql } from 'kysely'
import type { Metric } from '#contract/metrics.ts'
import { visibleAccounts } from '#server/access/accounts.ts'
import { can } from '#server/access/viewer.ts'
import type { Context } from '#server/engines/context.ts'
import { NOT_ENOUGH_DATA } from './chart.ts'

const NO_STATUS_COLOR = '#BDBDBD'

interface StatusCount {
  id: string | null
  name: string | null
  color: string | null
  count: number
}

/** The viewer's accounts by status in the statuses' own colours (decisions Q48); companies that call a status the same share a slice. */
export async function accountsSummary(ctx: Context): Promise<Metric> {
  const { rows } = await sql<StatusCount>`SELECT min(s.id::text) AS id, s.name, min(s.color) AS color, count(*)::int AS count
    FROM accounts LEFT JOIN statuses s ON s.id = accounts.status_id
    WHERE accounts.deleted_at IS NULL AND ${visibleAccounts(ctx.viewer)} GROUP BY s.name ORDER BY count(*) DESC, s.name`.execute(ctx.db)
  const named = rows.map((row) => ({ ...row, shown: row.name ?? 'No status', color: row.color ?? NO_STATUS_COLOR }))
  return {
    title: 'Accounts',
    empty: NOT_ENOUGH_DATA,
    total: named.reduce((sum, { count }) => sum + count, 0),
    counts: named.map(({ id, name, shown, count }) => ({ id: id ?? 'none', name: shown, count, action: action(ctx, name) })),
    chart: {
      labels: named.map(({ shown }) => shown),
      datasets: [{ data: named.map(({ count }) => count), backgroundColor: named.map(({ color }) => color) }],
    },
    statistics: [],
    icon: null,
  }
}

const action = (ctx: Context, status: string | null) =>
  status !== null && can(ctx.viewer, 'view_accounts_component') ? { model: 'accounts', filters: { filter__status: status } } : null
