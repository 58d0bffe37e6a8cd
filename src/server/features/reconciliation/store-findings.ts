import { sql } from 'kysely'
import { CHECK_IDS } from '#contract/checks.ts'
import type { Reader } from '#server/access/viewer.ts'
import type { Finding } from './check.ts'

const WRITE_ROWS = 1_000

/**
 * Updates the stored discrepancies to the findings of a run:
 * - open and not found: fixed; obsolete if its property is divested or in the trash, or its check no longer exists.
 * - found, and fixed, obsolete, accepted or waived until a past day: open again.
 * - found, and kept or waived: keeps its decision.
 * A repeated run with the same findings changes nothing. `opened` includes reopened ones; `changed` ones have another message,
 * severity or other side.
 */
export async function storeFindings(db: Reader, accountId: string, findings: readonly Finding[], today: string) {
  const counts = { ...(await close(db, accountId, findings)), opened: 0, changed: 0 }
  for (let start = 0; start < findings.length; start += WRITE_ROWS) {
    const { opened, changed } = await upsert(db, accountId, findings.slice(start, start + WRITE_ROWS), today)
    counts.opened += opened
    counts.changed += changed
  }
  return counts
}

async function close(db: Reader, accountId: string, findings: readonly Finding[]): Promise<{ fixed: number; obsolete: number }> {
  // A text instead of an array, because the driver quotes the items of an array one by one: slow for a hundred thousand.
  const fingerprints = findings.map(({ fingerprint }) => fingerprint).join(',')
  const { rows } = await sql<{ fixed: number; obsolete: number }>`WITH closed AS (
      UPDATE discrepancies d SET updated_at = now(), status = CASE
          WHEN EXISTS (SELECT 1 FROM account_properties p WHERE p.id = d.property_id AND (p.status <> 'active' OR p.deleted_at IS NOT NULL))
            OR d.check_id <> ALL(${CHECK_IDS}::text[])
          THEN 'obsolete' ELSE 'fixed' END
        WHERE d.account_id = ${accountId} AND d.status = 'open' AND NOT EXISTS (
          SELECT 1 FROM unnest(string_to_array(${fingerprints}, ',')) AS found (fingerprint) WHERE found.fingerprint = d.fingerprint)
        RETURNING d.status
    ) SELECT count(*) FILTER (WHERE status = 'fixed') AS fixed, count(*) FILTER (WHERE status = 'obsolete') AS obsolete FROM closed`.execute(
    db,
  )
  return rows[0] ?? { fixed: 0, obsolete: 0 }
}

/** Does not lock unchanged rows, and skips findings of properties that were permanently deleted during the run. */
async function upsert(db: Reader, accountId: string, findings: readonly Finding[], today: string) {
  const { rows } = await sql<{ opened: number; changed: number }>`WITH found AS (
      SELECT f.*, f.status IN ('fixed', 'obsolete', 'accepted') OR (f.status = 'waived' AND f.waived_until < ${today}::date) AS returns FROM (
        SELECT n.*, d.id, d.status, d.waived_until, d.severity AS old_severity, d.message AS old_message, d.right_value AS old_right
          FROM jsonb_to_recordset(${JSON.stringify(findings)}::jsonb) AS n (check_id text, group_name text, property_id uuid, field text,
            left_value jsonb, right_value jsonb, delta numeric, delta_pct numeric, severity text, message text, fingerprint text)
          LEFT JOIN discrepancies d ON d.account_id = ${accountId} AND d.fingerprint = n.fingerprint
      ) f
    ), moved AS (
      UPDATE discrepancies d SET severity = f.severity, message = f.message, left_value = f.left_value, right_value = f.right_value,
          delta = f.delta, delta_pct = f.delta_pct, updated_at = now(),
          status = CASE WHEN f.returns THEN 'open' ELSE d.status END,
          decided_by = CASE WHEN f.returns THEN NULL ELSE d.decided_by END,
          decided_at = CASE WHEN f.returns THEN NULL ELSE d.decided_at END,
          waived_until = CASE WHEN f.returns THEN NULL ELSE d.waived_until END
        FROM found f WHERE d.id = f.id
          AND (f.returns OR f.severity <> f.old_severity OR f.message <> f.old_message OR f.right_value IS DISTINCT FROM f.old_right)
        RETURNING f.returns
    ), fresh AS (
      INSERT INTO discrepancies (account_id, check_id, group_name, property_id, field, left_value, right_value, delta, delta_pct, severity, message, fingerprint)
        SELECT ${accountId}::uuid, f.check_id, f.group_name, f.property_id, f.field, f.left_value, f.right_value, f.delta, f.delta_pct,
            f.severity, f.message, f.fingerprint
          FROM found f JOIN account_properties p ON p.account_id = ${accountId} AND p.id = f.property_id WHERE f.id IS NULL
        RETURNING 1
    )
    SELECT (SELECT count(*) FROM fresh) + (SELECT count(*) FROM moved WHERE returns) AS opened, (SELECT count(*) FROM moved WHERE NOT returns) AS changed`.execute(
    db,
  )
  return rows[0] ?? { opened: 0, changed: 0 }
}

/** Writes the scores that changed. A score is no edit, so version and time of the property stay as they are. */
export async function storeScores(db: Reader, accountId: string, scores: readonly { id: string; score: number }[]): Promise<number> {
  let written = 0
  for (let start = 0; start < scores.length; start += WRITE_ROWS) {
    const part = scores.slice(start, start + WRITE_ROWS)
    const { numAffectedRows } = await sql`UPDATE account_properties p SET quality_score = s.score
      FROM unnest(${part.map(({ id }) => id)}::uuid[], ${part.map(({ score }) => score)}::int[]) AS s (id, score)
      WHERE p.account_id = ${accountId} AND p.id = s.id AND p.quality_score IS DISTINCT FROM s.score`.execute(db)
    written += Number(numAffectedRows ?? 0n)
  }
  return written
}
