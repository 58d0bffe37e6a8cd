import { sql, type Expression, type SqlBool } from 'kysely'
import type { Metric, Statistic } from '#contract/metrics.ts'
import { visibleAccounts } from '#server/access/accounts.ts'
import { visibleFiles } from '#server/access/account-files.ts'
import { visibleUsers } from '#server/access/users.ts'
import { can } from '#server/access/viewer.ts'
import type { Context } from '#server/engines/context.ts'
import { formatNumber } from '#contract/format.ts'

/** What the viewer works with (decisions Q49): the company's name over accounts, active properties, documents and users in their scope. */
export async function systemTotals(ctx: Context): Promise<Metric> {
  const { viewer } = ctx
  const statistics = await Promise.all([
    count(ctx, 'accounts', sql<SqlBool>`accounts.deleted_at IS NULL AND ${visibleAccounts(viewer)}`),
    countProperties(ctx),
    count(ctx, 'account_files', sql<SqlBool>`account_files.deleted_at IS NULL AND ${visibleFiles(viewer)}`),
    count(ctx, 'users', sql<SqlBool>`users.deleted_at IS NULL AND ${visibleUsers(viewer)}`),
  ])
  const [accounts, properties, documents, users] = statistics
  return {
    title: viewer.kind === 'user' ? viewer.companyName : ctx.config.product.name,
    empty: '',
    total: accounts,
    counts: [],
    chart: { labels: [], datasets: [] },
    statistics: [
      total(
        'accounts',
        'Accounts',
        accounts,
        'Accounts you can see.',
        can(viewer, 'view_accounts_component') ? { model: 'accounts', filters: {} } : null,
      ),
      total('properties', 'Properties', properties, 'Active properties of these accounts.', null),
      total('documents', 'Documents', documents, 'Documents of these accounts.', null),
      total('users', 'Users', users, 'People you can see.', can(viewer, 'view_users_component') ? { model: 'users', filters: {} } : null),
    ],
    icon: { icon: 'building', type: 'none' },
  }
}

const total = (key: string, label: string, count: number, help: string, action: Statistic['action']): Statistic => ({
  key,
  label,
  count,
  display_count: formatNumber(count),
  help,
  severity: 'none',
  action: count === 0 ? null : action,
})

async function count(ctx: Context, table: string, where: Expression<SqlBool>): Promise<number> {
  const { rows } = await sql<{ count: number }>`SELECT count(*) AS count FROM ${sql.table(table)} WHERE ${where}`.execute(ctx.db)
  return rows[0]?.count ?? 0
}

/** From the totals kept with the accounts: a provider's half million rows need not be counted. */
async function countProperties(ctx: Context): Promise<number> {
  const { rows } = await sql<{ count: number }>`SELECT coalesce(sum(t.active_properties), 0)::bigint AS count FROM account_totals t
    JOIN accounts ON accounts.id = t.account_id WHERE accounts.deleted_at IS NULL AND ${visibleAccounts(ctx.viewer)}`.execute(ctx.db)
  return rows[0]?.count ?? 0
}
