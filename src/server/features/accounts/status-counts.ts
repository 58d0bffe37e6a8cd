import { sql } from 'kysely'
import type { z } from 'zod'
import type { StatusCount } from '#contract/accounts.ts'
import { visibleAccounts } from '#server/access/accounts.ts'
import type { Context } from '#server/engines/context.ts'

/** The statuses of the accounts a viewer sees, with how many stand in each; those of the own company also when empty. */
export async function statusCounts(ctx: Context): Promise<z.input<typeof StatusCount>[]> {
  const own = ctx.viewer.kind === 'user' ? ctx.viewer.companyId : null
  const { rows } = await sql<z.input<typeof StatusCount>>`
    WITH counted AS (
      SELECT accounts.status_id, count(*) AS count FROM accounts
        WHERE accounts.deleted_at IS NULL AND ${visibleAccounts(ctx.viewer)} GROUP BY 1
    )
    SELECT s.id, s.name, s.color, s.state, s.model_type, coalesce(c.count, 0) AS count
      FROM statuses s LEFT JOIN counted c ON c.status_id = s.id
      WHERE s.model_type IN ('account', 'simple_account') AND (c.count IS NOT NULL OR s.company_id = ${own})
      ORDER BY s.model_type, s.position, s.name`.execute(ctx.db)
  return rows
}
