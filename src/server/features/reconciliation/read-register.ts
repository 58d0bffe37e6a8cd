import { sql } from 'kysely'
import type { Reader } from '#server/access/viewer.ts'
import { pairKey } from './check-duplicates.ts'
import { CHECKED_COLUMNS, type CheckedProperty } from './checked-property.ts'
import { NO_EVIDENCE, type Evidence } from './quality-score.ts'

const READ_ROWS = 2_000

interface AccountToCheck {
  id: string
  timezone: string
  check_settings: unknown
}

/** The account with the check settings of its company; undefined if it was deleted or is in the trash. */
export function readAccount(db: Reader, accountId: string): Promise<AccountToCheck | undefined> {
  return db
    .selectFrom('accounts as a')
    .innerJoin('companies as c', 'c.id', 'a.company_id')
    .select(['a.id', 'c.timezone', 'c.check_settings'])
    .where('a.id', '=', accountId)
    .where('a.deleted_at', 'is', null)
    .executeTakeFirst()
}

/** The active properties, read in parts so that parsing one answer does not block the event loop. */
export async function readActiveProperties(db: Reader, accountId: string): Promise<CheckedProperty[]> {
  const properties: CheckedProperty[] = []
  let last: string | undefined
  do {
    const rows: CheckedProperty[] = await db
      .selectFrom('account_properties')
      .select(CHECKED_COLUMNS)
      .where('account_id', '=', accountId)
      .where('status', '=', 'active')
      .where('deleted_at', 'is', null)
      .$if(last !== undefined, (query) => query.where('id', '>', last ?? ''))
      .orderBy('id')
      .limit(READ_ROWS)
      .execute()
    properties.push(...rows)
    last = rows.length < READ_ROWS ? undefined : rows.at(-1)?.id
  } while (last !== undefined)
  return properties
}

/** Pairs of properties that a user decided are no duplicates. An expired waiver does not count. */
export async function readDismissedPairs(db: Reader, accountId: string, today: string): Promise<Set<string>> {
  const { rows } = await sql<{ one: string; other: string }>`SELECT property_id AS one, right_value->>'ref' AS other FROM discrepancies
    WHERE account_id = ${accountId} AND check_id = 'DQ-09' AND property_id IS NOT NULL AND right_value->>'ref' IS NOT NULL
      AND status IN ('kept', 'waived') AND (waived_until IS NULL OR waived_until >= ${today}::date)`.execute(db)
  return new Set(rows.map(({ one, other }) => pairKey(one, other)))
}

/** The evidence by property, or for one property only. A document that covers all properties counts for each of them. */
export async function readEvidence(db: Reader, accountId: string, propertyId?: string): Promise<(propertyId: string) => Evidence> {
  const evidence = sql`max(f.report_author_date) FILTER (WHERE f.category = 'appraisal') AS appraisal,
    max(f.report_author_date) FILTER (WHERE f.category = 'risk_control') AS "riskControl",
    coalesce(bool_or(f.category NOT IN ('appraisal', 'risk_control')), false) AS other`
  const disclosed = sql`f.account_id = ${accountId} AND NOT f.sov AND f.deleted_at IS NULL`
  const linked = await sql<Evidence & { property_id: string }>`SELECT x.property_id, ${evidence}
    FROM account_file_properties x JOIN account_files f ON f.id = x.file_id
    WHERE x.account_id = ${accountId} AND ${disclosed} AND (${propertyId ?? null}::uuid IS NULL OR x.property_id = ${propertyId ?? null}::uuid)
    GROUP BY x.property_id`.execute(db)
  const covering = await sql<Evidence>`SELECT ${evidence} FROM account_files f WHERE ${disclosed} AND f.covers_all_properties`.execute(db)
  const general = covering.rows[0] ?? NO_EVIDENCE
  const byProperty = new Map(linked.rows.map((row) => [row.property_id, row]))
  return (id) => {
    const own = byProperty.get(id) ?? NO_EVIDENCE
    return {
      appraisal: later(own.appraisal, general.appraisal),
      riskControl: later(own.riskControl, general.riskControl),
      other: own.other || general.other,
    }
  }
}

const later = (one: string | null, other: string | null) => (one === null || (other !== null && other > one) ? other : one)
