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

/** The account with the rules of the company that owns it; undefined when it is gone or in the trash. */
export function readAccount(db: Reader, accountId: string): Promise<AccountToCheck | undefined> {
  return db
    .selectFrom('accounts as a')
    .innerJoin('companies as c', 'c.id', 'a.company_id')
    .select(['a.id', 'c.timezone', 'c.check_settings'])
    .where('a.id', '=', accountId)
    .where('a.deleted_at', 'is', null)
    .executeTakeFirst()
}

/** The active properties, read in parts so that no single answer keeps the event loop. */
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

/** Pairs of properties that somebody looked at and left as two; an expired waiver is none. */
export async function readSettledPairs(db: Reader, accountId: string, today: string): Promise<Set<string>> {
  const { rows } = await sql<{ one: string; other: string }>`SELECT property_id AS one, right_value->>'ref' AS other FROM discrepancies
    WHERE account_id = ${accountId} AND check_id = 'DQ-09' AND property_id IS NOT NULL AND right_value->>'ref' IS NOT NULL
      AND status IN ('kept', 'waived') AND (waived_until IS NULL OR waived_until >= ${today}::date)`.execute(db)
  return new Set(rows.map(({ one, other }) => pairKey(one, other)))
}

interface EvidenceRow {
  property_id: string
  appraisal: string | null
  risk_control: string | null
  other: boolean
}

/** The newest disclosed appraisal and risk control report, and whether there is any other document, of one property. */
export type EvidenceOf = (propertyId: string) => Evidence

/** A document that covers all properties counts for each of them. */
export async function readEvidence(db: Reader, accountId: string, propertyId?: string): Promise<EvidenceOf> {
  const facts = sql`max(f.report_author_date) FILTER (WHERE f.category = 'appraisal') AS appraisal,
    max(f.report_author_date) FILTER (WHERE f.category = 'risk_control') AS risk_control,
    coalesce(bool_or(f.category NOT IN ('appraisal', 'risk_control')), false) AS other`
  const disclosed = sql`f.account_id = ${accountId} AND NOT f.sov AND f.deleted_at IS NULL`
  const linked =
    await sql<EvidenceRow>`SELECT x.property_id, ${facts} FROM account_file_properties x JOIN account_files f ON f.id = x.file_id
    WHERE x.account_id = ${accountId} AND ${disclosed} AND (${propertyId ?? null}::uuid IS NULL OR x.property_id = ${propertyId ?? null}::uuid)
    GROUP BY x.property_id`.execute(db)
  const covering = await sql<
    Omit<EvidenceRow, 'property_id'>
  >`SELECT ${facts} FROM account_files f WHERE ${disclosed} AND f.covers_all_properties`.execute(db)
  const [all] = covering.rows
  const general = all === undefined ? NO_EVIDENCE : { appraisal: all.appraisal, riskControl: all.risk_control, other: all.other }
  const byProperty = new Map(linked.rows.map((row) => [row.property_id, row]))
  return (id) => {
    const own = byProperty.get(id)
    return own === undefined
      ? general
      : {
          appraisal: later(own.appraisal, general.appraisal),
          riskControl: later(own.risk_control, general.riskControl),
          other: own.other || general.other,
        }
  }
}

const later = (one: string | null, other: string | null) => (one === null || (other !== null && other > one) ? other : one)
