import { hash } from 'node:crypto'
import { sql } from 'kysely'
import { isDraftStatus } from '#server/access/risk-control.ts'
import { uuids } from '#server/access/scope.ts'
import type { Reader } from '#server/access/viewer.ts'
import { pairKey } from './check-duplicates.ts'
import { checkedValues, type CheckedProperty, type PropertyDraft } from './check.ts'
import { PLAUSIBILITY_CHECKS, type ScoreFacts } from './quality-score.ts'

/** Few, so that most of a part is garbage when the young generation is collected. */
const READ_ROWS = 250
const DIGEST_BYTES = 16

/** The account with the check settings of its company; undefined if it was deleted or is in the trash. */
export const readAccount = (db: Reader, accountId: string) =>
  db
    .selectFrom('accounts as a')
    .innerJoin('companies as c', 'c.id', 'a.company_id')
    .select(['c.timezone', 'c.check_settings'])
    .where('a.id', '=', accountId)
    .where('a.deleted_at', 'is', null)
    .executeTakeFirst()

/** Below this many properties no plan is slow. */
const MEASURED_FROM = 100

/**
 * Has PostgreSQL count the properties when its statistics show fewer than the account has, as after the first import into a new database.
 * Otherwise it expects one property, and reads all of them again for each finding. Before the transaction of a run, which would keep other runs waiting.
 */
export async function measureRegister(db: Reader, accountId: string): Promise<void> {
  const { rows } = await sql<{ isUnknown: boolean }>`SELECT t.active_properties > greatest(c.reltuples, ${MEASURED_FROM}) AS "isUnknown"
    FROM account_totals t, pg_class c WHERE t.account_id = ${accountId} AND c.oid = 'account_properties'::regclass`.execute(db)
  if (rows[0]?.isUnknown === true) await sql`ANALYZE account_properties`.execute(db)
}

/** A property without its sources, which are most of its size. `digest` identifies everything that a check of it depends on. */
export interface RegisteredProperty extends CheckedProperty {
  version: number
  checked_digest: string | null
  digest: string
}

/** How many active properties the account has. */
export async function countRegister(db: Reader, accountId: string): Promise<number> {
  const totals = await db.selectFrom('account_totals').select('active_properties').where('account_id', '=', accountId).executeTakeFirst()
  return totals?.active_properties ?? 0
}

/**
 * The active properties in the order of their ids, in parts: parsing one answer does not block the event loop, and the values of all
 * properties are never in memory at once. `rules` is part of each digest.
 */
export async function* readRegister(db: Reader, accountId: string, rules: string): AsyncGenerator<RegisteredProperty[]> {
  let last: string | undefined
  do {
    const rows = await checkedValues(db)
      .select(['version', 'checked_digest', sql<string>`hashtextextended(sources::text, 0)::text`.as('sources_hash')])
      .where('account_id', '=', accountId)
      .where('status', '=', 'active')
      .$if(last !== undefined, (query) => query.where('id', '>', last ?? ''))
      .orderBy('id')
      .limit(READ_ROWS)
      .execute()
    yield rows.map(({ version, checked_digest, sources_hash, quality_score, ...values }) => {
      // A text that is cut from a longer one would hold the longer one in memory.
      const digest = hash('sha256', JSON.stringify([values, sources_hash, rules]), 'buffer').toString('base64url', 0, DIGEST_BYTES)
      return { ...values, version, quality_score, sources: null, checked_digest, digest }
    })
    last = rows.length < READ_ROWS ? undefined : rows.at(-1)?.id
  } while (last !== undefined)
}

/** The sources of the fields that the drafts are about, by property. All sources of a property would be most of its size. */
export async function readSources(db: Reader, drafts: readonly PropertyDraft[]): Promise<Map<string, CheckedProperty['sources']>> {
  const ids = drafts.map(({ property }) => property.id)
  const fields = drafts.map(({ draft }) => draft.field)
  const { rows } = await sql<{ id: string; sources: CheckedProperty['sources'] }>`
    SELECT p.id, jsonb_object_agg(d.field, p.sources->d.field) AS sources
      FROM unnest(${uuids(ids)}, ${fields}::text[]) AS d (id, field) JOIN account_properties p ON p.id = d.id
      WHERE p.sources ? d.field GROUP BY p.id`.execute(db)
  return new Map(rows.map(({ id, sources }) => [id, sources]))
}

/** Pairs of properties that a user decided are no duplicates. An expired waiver does not count. */
export async function readDismissedPairs(db: Reader, accountId: string, today: string): Promise<Set<string>> {
  const { rows } = await sql<{ one: string; other: string }>`SELECT property_id AS one, right_value->>'ref' AS other FROM discrepancies
    WHERE account_id = ${accountId} AND check_id = 'DQ-09' AND property_id IS NOT NULL AND right_value->>'ref' IS NOT NULL
      AND status IN ('kept', 'waived') AND (waived_until IS NULL OR waived_until >= ${today}::date)`.execute(db)
  return new Set(rows.map(({ one, other }) => pairKey(one, other)))
}

/**
 * What the scores depend on in addition to the properties, by property; of these properties. All users of the account see the same score, so
 * private documents don't count. A document that covers all properties counts for each of them, and a risk control report counts once it is no draft. The parts are added up, not joined, because the planner cannot estimate an account just imported.
 */
export async function readScoreFacts(db: Reader, accountId: string, propertyIds: readonly string[]): Promise<Map<string, ScoreFacts>> {
  const evidence = sql`CASE f.category WHEN 'appraisal' THEN f.report_author_date END AS appraisal,
    CASE f.category WHEN 'risk_control' THEN f.report_author_date END AS risk_control, f.category NOT IN ('appraisal', 'risk_control') AS other`
  const disclosed = sql`f.account_id = ${accountId} AND NOT f.sov AND NOT f.private AND f.deleted_at IS NULL`
  const { rows } = await sql<ScoreFacts & { property_id: string }>`
    SELECT property_id, sum(critical)::int AS critical, sum(warning)::int AS warning, max(appraisal) AS appraisal,
        max(risk_control) AS risk_control, coalesce(bool_or(other), false) AS other
      FROM (
        SELECT property_id, (severity = 'critical')::int AS critical, (severity = 'warning')::int AS warning,
            NULL::date AS appraisal, NULL::date AS risk_control, false AS other
          FROM discrepancies WHERE account_id = ${accountId} AND status = 'open' AND check_id = ANY(${PLAUSIBILITY_CHECKS}::text[])
        UNION ALL SELECT x.property_id, 0, 0, ${evidence}
          FROM account_file_properties x JOIN account_files f ON f.id = x.file_id WHERE x.account_id = ${accountId} AND ${disclosed}
        UNION ALL SELECT r.property_id, 0, 0, NULL, coalesce(r.report_date, r.survey_date), false
          FROM risk_control r JOIN statuses s ON s.id = r.status_id
          WHERE r.account_id = ${accountId} AND r.deleted_at IS NULL AND NOT ${isDraftStatus}
        UNION ALL SELECT p.id, 0, 0, c.* FROM account_properties p
          CROSS JOIN (SELECT max(appraisal), max(risk_control), bool_or(other)
            FROM (SELECT ${evidence} FROM account_files f WHERE ${disclosed} AND f.covers_all_properties) covering) c
          WHERE p.account_id = ${accountId}
      ) facts
      WHERE property_id = ANY(${uuids(propertyIds)}) GROUP BY property_id`.execute(db)
  return new Map(rows.map(({ property_id, ...facts }) => [property_id, facts]))
}
