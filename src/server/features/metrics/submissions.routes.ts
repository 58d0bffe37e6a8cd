import { sql } from 'kysely'
import { submissionCalls, type DueSubmission } from '#contract/submissions.ts'
import { isoDateIn } from '#contract/format.ts'
import { DUE_ACCOUNTS_MAX } from '#contract/limits.ts'
import { needsAttention } from '#server/access/account-attention.ts'
import { seesFiles, visibleFiles } from '#server/access/account-files.ts'
import { visibleAccounts } from '#server/access/accounts.ts'
import { PAIR_CHECK, ofCheck, otherOfPair, seesDiscrepancies } from '#server/access/discrepancies.ts'
import { timezoneOf } from '#server/access/viewer.ts'
import type { Context } from '#server/engines/context.ts'
import { valuesByCurrency } from '#server/engines/metric/values-by-currency.ts'
import { implement } from '#server/engines/http/answer.ts'
import { activeProperty } from './reconciliation.queries.ts'

type Check = NonNullable<DueSubmission['check']>
type DueRow = Omit<DueSubmission, 'check' | 'status'> &
  Omit<Check, 'as_of'> & { as_of: Date | null; status_name: string | null; status_color: string; total: number }

/** Counts the discrepancies of the returned accounts only. */
async function dueSubmissions(ctx: Context, days: '30' | '60' | '90') {
  const { viewer, clock, db } = ctx
  const today = isoDateIn(clock.now(), timezoneOf(viewer))
  const isDue = sql`accounts.deleted_at IS NULL AND ${visibleAccounts(viewer)} AND ${needsAttention(`due_${days}`, ctx)}`
  const { rows } = await sql<DueRow>`WITH due AS (
      SELECT accounts.id, accounts.name, accounts.status_id, accounts.effective_date, t.active_properties, t.currency,
        count(*) OVER ()::int AS total
      FROM accounts JOIN account_totals t ON t.account_id = accounts.id
      WHERE ${isDue}
      ORDER BY abs(accounts.effective_date - ${today}::date), accounts.name, accounts.id LIMIT ${DUE_ACCOUNTS_MAX})
    SELECT due.id, due.name, s.name AS status_name, coalesce(s.color, '') AS status_color, due.effective_date::text AS effective_date,
      due.effective_date - ${today}::date AS days_left, due.active_properties AS properties, due.total, due.currency, f.documents,
      CASE WHEN c.account_id IS NULL THEN 'never' WHEN c.checked = c.requested AND c.checked_at IS NOT NULL THEN 'current'
        WHEN c.failed THEN 'failed' ELSE 'waiting' END AS state,
      c.checked_at AS as_of, r.account_score AS score, o.*
    FROM due
    LEFT JOIN statuses s ON s.id = due.status_id
    LEFT JOIN check_states c ON c.account_id = due.id
    LEFT JOIN LATERAL (SELECT account_score FROM reconciliation_runs WHERE account_id = due.id AND finished_at IS NOT NULL
      ORDER BY started_at DESC LIMIT 1) r ON true
    CROSS JOIN LATERAL (SELECT count(*)::int AS documents FROM account_files WHERE account_files.account_id = due.id
      AND account_files.deleted_at IS NULL AND ${visibleFiles(viewer)}) f
    CROSS JOIN LATERAL (SELECT (count(*) FILTER (WHERE has_own))::int AS open, (SELECT count(DISTINCT w.check_id)::int
          FROM discrepancies w ${activeProperty(sql`due.id`, sql`w.property_id`)}
          WHERE w.account_id = due.id AND w.status = 'open' AND w.widespread) AS schedule_warnings, (count(*) FILTER (WHERE is_critical))::int AS critical,
        coalesce(sum(tiv) FILTER (WHERE is_critical), 0)::bigint AS value_at_stake
      FROM (SELECT d.property_id, bool_or(d.severity = 'critical') AS is_critical, bool_or(NOT d.widespread) AS has_own
        FROM (SELECT d.property_id, d.severity, d.widespread FROM discrepancies d WHERE d.account_id = due.id AND d.status = 'open'
          UNION ALL SELECT ${otherOfPair()}, NULL, d.widespread FROM discrepancies d
            WHERE d.account_id = due.id AND d.status = 'open' AND ${ofCheck(PAIR_CHECK)}) d GROUP BY d.property_id) per_property
        ${activeProperty(sql`due.id`, sql`per_property.property_id`)}) o
    ORDER BY due.effective_date, o.value_at_stake DESC, due.name`.execute(db)
  const seesChecks = seesDiscrepancies(viewer)
  return {
    total: rows[0]?.total ?? 0,
    tiv: rows.length === 0 ? [] : await valuesByCurrency(ctx, isDue),
    accounts: rows.map((row) => present(row, { seesChecks, seesDocuments: seesFiles(viewer) })),
  }
}

function present(row: DueRow, { seesChecks, seesDocuments }: { seesChecks: boolean; seesDocuments: boolean }): DueSubmission {
  const { id, name, status_name, status_color, effective_date, days_left, properties, documents } = row
  const { state, as_of, score, open, schedule_warnings, critical, value_at_stake, currency } = row
  return {
    id,
    name,
    effective_date,
    days_left,
    properties,
    documents: seesDocuments ? documents : null,
    status: status_name === null ? null : { name: status_name, color: status_color },
    check: seesChecks
      ? { state, as_of: as_of?.toISOString() ?? null, score, open, schedule_warnings, critical, value_at_stake, currency }
      : null,
  }
}

export const submissionRoutes = implement(submissionCalls, {
  due: async ({ ctx, query }) => ({ data: await dueSubmissions(ctx, query.days) }),
})
