import { sql } from 'kysely'
import { registerSummaryCalls, type RegisterSummary } from '#contract/register-summary.ts'
import { requireVisibleAccount } from '#server/access/require.ts'
import type { Context } from '#server/engines/context.ts'
import { implement } from '#server/engines/http/answer.ts'
import { active } from './properties.metric.ts'

async function registerSummary(ctx: Context, accountId: string): Promise<RegisterSummary> {
  await requireVisibleAccount(ctx.db, ctx.viewer, accountId)
  const valued = sql`FILTER (WHERE tiv > 0)`
  const { rows } = await sql<RegisterSummary>`SELECT count(DISTINCT (country, state)) FILTER (WHERE state <> '')::int AS states,
      count(DISTINCT country)::int AS countries,
      CASE WHEN count(DISTINCT country) = 1 THEN min(country) END AS country,
      coalesce(array_agg(DISTINCT valuation_basis) FILTER (WHERE tiv > 0 AND valuation_basis <> 'unknown'), '{}') AS valuation_bases,
      to_char(min(valuation_date) ${valued}, 'YYYY-MM-DD') AS valued_from,
      to_char(max(valuation_date) ${valued}, 'YYYY-MM-DD') AS valued_to,
      (count(*) FILTER (WHERE tiv > 0 AND valuation_date IS NULL))::int AS undated,
      (count(*) FILTER (WHERE tiv > 0 AND valuation_basis = 'unknown'))::int AS without_basis
    FROM account_properties WHERE ${active(ctx, accountId)}`.execute(ctx.db)
  const [summary] = rows
  if (summary === undefined) throw new Error('An aggregate without groups has one row.')
  return summary
}

export const registerSummaryRoutes = implement(
  registerSummaryCalls,
  {
    ofAccount: async ({ ctx, params }) => ({ data: await registerSummary(ctx, params.id) }),
  },
  (ctx, { id = '' }) => requireVisibleAccount(ctx.db, ctx.viewer, id),
)
