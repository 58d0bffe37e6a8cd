import { sql, type RawBuilder } from 'kysely'
import type { Amount } from '#contract/metrics.ts'
import type { Context } from '../context.ts'

/** The total insured value of accounts in each currency, the largest first. Only accounts in several currencies need their properties. */
export async function valuesByCurrency(ctx: Context, accounts: RawBuilder<unknown>): Promise<Amount[]> {
  const { rows } = await sql<Amount>`SELECT currency, sum(amount)::bigint AS amount FROM (
      SELECT t.currency, sum(t.tiv) AS amount FROM account_totals t JOIN accounts ON accounts.id = t.account_id
        WHERE t.currency IS NOT NULL AND ${accounts} GROUP BY 1
      UNION ALL
      SELECT p.currency, sum(p.tiv) FROM account_totals t JOIN accounts ON accounts.id = t.account_id
        JOIN account_properties p ON p.account_id = t.account_id AND p.status = 'active' AND p.deleted_at IS NULL
        WHERE t.currency IS NULL AND ${accounts} GROUP BY 1) sums
    GROUP BY currency HAVING sum(amount) > 0 ORDER BY 2 DESC, 1`.execute(ctx.db)
  return rows
}
