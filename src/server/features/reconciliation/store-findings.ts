import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import { CHECK_IDS, SCHEDULE_CHECKS, type CheckId, WIDESPREAD_COUNT_MIN, WIDESPREAD_SHARE } from '#contract/checks.ts'
import { isWidespread } from '#contract/widespread.ts'
import { uuids } from '#server/access/scope.ts'
import type { Reader } from '#server/access/viewer.ts'
import type { Finding } from './check.ts'

const WRITE_ROWS = 1_000

/** What a run changed. `opened` includes reopened findings; `changed` ones have another message, severity or other side. */
export interface RunCounts {
  opened: number
  /** Those that are new, by check. */
  openedBy: Readonly<Record<string, number>>
  /** Those that were known and are open again, by check. */
  returnedBy: Readonly<Record<string, number>>
  changed: number
  fixed: number
  obsolete: number
}

interface StoredFinding {
  id: string
  fingerprint: string
  status: string
  returns: boolean
  severity: string
  message: string
  ref: string | null
  right_value: unknown
}

/** A stored finding that changed: `was` is its status before. */
type MovedFinding = Finding & { id: string; was: string; returns: boolean }

/** The checked properties, or how many there are if all of the account were checked. */
export type CheckedProperties = readonly string[] | number

export const countChecked = (checked: CheckedProperties): number => (typeof checked === 'number' ? checked : checked.length)

interface CheckedPart {
  accountId: string
  checks: readonly CheckId[]
  checked: CheckedProperties
  findings: readonly Finding[]
  today: string
}

/**
 * Updates the stored discrepancies of these checks and properties to the findings of a run:
 * - open and not found: fixed.
 * - found, and fixed, obsolete, accepted or waived until a past day: open again.
 * - found, and kept or waived: keeps its decision.
 * Writes only what differs, so a repeated run with the same findings writes nothing.
 */
export async function storeFindings(db: Reader, part: CheckedPart): Promise<RunCounts> {
  const stored = new Map((await readStored(db, part)).map((row) => [row.fingerprint, row]))
  const fresh: Finding[] = []
  const moved: MovedFinding[] = []
  for (const finding of part.findings) {
    const row = stored.get(finding.fingerprint)
    stored.delete(finding.fingerprint)
    if (row === undefined) fresh.push(finding)
    else if (row.returns || isChanged(row, finding)) moved.push({ ...finding, id: row.id, was: row.status, returns: row.returns })
  }
  const gone = [...stored.values()].filter(({ status }) => status === 'open').map(({ id }) => id)
  const inserted = await insert(db, part.accountId, fresh, likelyWidespread(part))
  const fixed = await close(db, gone)
  const updated = await update(db, moved)
  const returned = updated.filter(({ returns }) => returns)
  const openedBy = countsBy(inserted)
  const returnedBy = countsBy(returned.map(({ check_id }) => ({ check_id, count: 1 })))
  const opened = inserted.reduce((sum, { count }) => sum + count, returned.length)
  return { opened, openedBy, returnedBy, changed: updated.length - returned.length, fixed, obsolete: 0 }
}

function countsBy(counted: readonly { check_id: string; count: number }[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { check_id, count } of counted) counts[check_id] = (counts[check_id] ?? 0) + count
  return counts
}

const isChanged = (row: StoredFinding, { severity, message, left_value, right_value }: Finding) =>
  row.severity !== severity || row.message !== message || row.ref !== left_value.ref || !isDeepStrictEqual(row.right_value, right_value)

/** By the properties alone if there are any: with the account, PostgreSQL may read all of its discrepancies for each part of a run. */
async function readStored(db: Reader, { accountId, checks, checked, today }: CheckedPart): Promise<StoredFinding[]> {
  const returns = sql<boolean>`status IN ('fixed', 'obsolete', 'accepted') OR (status = 'waived' AND waived_until < ${today}::date)`
  return db
    .selectFrom('discrepancies')
    .select(['id', 'fingerprint', 'status', 'severity', 'message', 'right_value', returns.as('returns')])
    .select(sql<string | null>`left_value->>'ref'`.as('ref'))
    .where('check_id', 'in', checks)
    .where((where) =>
      typeof checked === 'number' ? where('account_id', '=', accountId) : where('property_id', '=', sql<string>`ANY(${uuids(checked)})`),
    )
    .execute()
}

const columnsOf = sql`check_id text, group_name text, property_id uuid, field text, left_value jsonb, right_value jsonb, delta numeric,
  delta_pct numeric, severity text, message text, place_at integer, fingerprint text`

/** The checks that hit most properties of this part, and so probably most of the account. Saves `markWidespread` to write them again. */
function likelyWidespread({ findings, checked }: CheckedPart): CheckId[] {
  const hit = Map.groupBy(findings, ({ check_id }) => check_id)
  return [...hit].flatMap(([check, found]) => {
    const count = new Set(found.map(({ property_id }) => property_id)).size
    return SCHEDULE_CHECKS.includes(check) || isWidespread(count, countChecked(checked)) ? [check] : []
  })
}

/** Skips findings of properties that were permanently deleted during the run. */
async function insert(
  db: Reader,
  accountId: string,
  findings: readonly Finding[],
  widespread: readonly CheckId[],
): Promise<{ check_id: string; count: number }[]> {
  const counts: { check_id: string; count: number }[] = []
  for (const part of parts(findings)) {
    const { rows } = await sql<{
      check_id: string
      count: number
    }>`WITH inserted AS (INSERT INTO discrepancies (account_id, check_id, group_name, property_id, field, left_value,
        right_value, delta, delta_pct, severity, message, place_at, fingerprint, widespread)
      SELECT ${accountId}::uuid, f.*, f.check_id = ANY(${widespread}::text[]) FROM jsonb_to_recordset(${JSON.stringify(part)}::jsonb) AS f (${columnsOf})
        WHERE EXISTS (SELECT 1 FROM account_properties p WHERE p.id = f.property_id)
        RETURNING check_id)
      SELECT check_id, count(*)::int AS count FROM inserted GROUP BY check_id`.execute(db)
    counts.push(...rows)
  }
  return counts
}

/** Skips findings that a user decided since they were read. */
async function update(db: Reader, findings: readonly MovedFinding[]): Promise<{ check_id: string; returns: boolean }[]> {
  const updated: { check_id: string; returns: boolean }[] = []
  for (const part of parts(findings)) {
    const { rows } = await sql<{
      check_id: string
      returns: boolean
    }>`UPDATE discrepancies d SET severity = f.severity, message = f.message, place_at = f.place_at,
        left_value = f.left_value, right_value = f.right_value, delta = f.delta, delta_pct = f.delta_pct, updated_at = now(),
        status = CASE WHEN f.returns THEN 'open' ELSE d.status END,
        decided_by = CASE WHEN f.returns THEN NULL ELSE d.decided_by END,
        decided_at = CASE WHEN f.returns THEN NULL ELSE d.decided_at END,
        waived_until = CASE WHEN f.returns THEN NULL ELSE d.waived_until END
      FROM jsonb_to_recordset(${JSON.stringify(part)}::jsonb) AS f (id uuid, was text, returns boolean, ${columnsOf})
      WHERE d.id = f.id AND d.status = f.was
      RETURNING f.check_id, f.returns`.execute(db)
    updated.push(...rows)
  }
  return updated
}

async function close(db: Reader, ids: readonly string[]): Promise<number> {
  if (ids.length === 0) return 0
  const { numAffectedRows } = await sql`UPDATE discrepancies SET status = 'fixed', updated_at = now()
    WHERE id = ANY(${uuids(ids)}) AND status = 'open'`.execute(db)
  return Number(numAffectedRows ?? 0n)
}

/**
 * Closes what no run can find again: discrepancies of properties that are divested or in the trash, and of checks that no longer exist.
 * Those properties are checked from the start when they return.
 */
export async function closeObsolete(db: Reader, accountId: string): Promise<number> {
  const inactive = sql`p.account_id = ${accountId} AND (p.status <> 'active' OR p.deleted_at IS NOT NULL)`
  await sql`UPDATE account_properties p SET checked_digest = NULL WHERE ${inactive} AND checked_digest IS NOT NULL`.execute(db)
  const { numAffectedRows } = await sql`UPDATE discrepancies d SET status = 'obsolete', updated_at = now()
    WHERE d.account_id = ${accountId} AND d.status = 'open'
      AND (d.check_id <> ALL(${CHECK_IDS}::text[]) OR d.property_id IN (SELECT p.id FROM account_properties p WHERE ${inactive}))`.execute(
    db,
  )
  return Number(numAffectedRows ?? 0n)
}

/** The checks that were one sentence about the schedule after the last run. */
export async function readWidespread(db: Reader, accountId: string): Promise<Set<string>> {
  const found = await db
    .selectFrom('discrepancies')
    .select('check_id')
    .distinct()
    .where('account_id', '=', accountId)
    .where('widespread', '=', true)
    .execute()
  return new Set(found.map(({ check_id }) => check_id))
}

/** `checks` are those that are one sentence about the schedule now. */
interface Widespread {
  /** How many discrepancies changed between one of their own and part of a sentence. */
  changed: number
  checks: string[]
}

/**
 * Marks the discrepancies of the checks that hit most of the active properties, and of those that are always about the schedule:
 * docs/domain.md, "Checks". Lists and counts of properties with discrepancies leave them out.
 *
 * The properties are joined by their id alone. PostgreSQL has no statistics of an account that was just imported: it would expect one
 * property in it, and read all of its discrepancies again for each.
 */
export async function markWidespread(db: Reader, accountId: string): Promise<Widespread> {
  const hit = sql`count(DISTINCT d.property_id)`
  const { rows } = await sql<Widespread>`WITH shared AS (SELECT d.check_id FROM discrepancies d
      JOIN account_properties p ON p.id = d.property_id AND p.status = 'active' AND p.deleted_at IS NULL
      WHERE d.account_id = ${accountId} AND d.status = 'open' GROUP BY d.check_id
      HAVING d.check_id = ANY(${SCHEDULE_CHECKS}::text[]) OR (${hit} >= ${WIDESPREAD_COUNT_MIN}
        AND ${hit} > ${WIDESPREAD_SHARE}::numeric * (SELECT active_properties FROM account_totals WHERE account_id = ${accountId}))),
    changed AS (UPDATE discrepancies d SET widespread = NOT d.widespread
      WHERE d.account_id = ${accountId} AND d.widespread <> (d.check_id IN (SELECT check_id FROM shared)) RETURNING d.id)
    SELECT (SELECT count(*)::int FROM changed) AS changed, ARRAY(SELECT check_id FROM shared) AS checks`.execute(db)
  return rows[0] ?? { changed: 0, checks: [] }
}

export interface CheckedScore {
  id: string
  /** Of the values that were checked. */
  version: number
  score: number
  digest: string
}

/**
 * Writes scores and digests that changed. A score is no edit, so version and time of the property stay as they are. A property that was
 * changed since it was read has no digest, so that files do not show the score and discrepancies of its former values.
 */
export async function storeScores(db: Reader, accountId: string, scores: readonly CheckedScore[]): Promise<void> {
  for (const part of parts(scores)) {
    await sql`UPDATE account_properties p SET quality_score = s.score,
        checked_digest = CASE WHEN p.version = s.version THEN s.digest END
      FROM jsonb_to_recordset(${JSON.stringify(part)}::jsonb) AS s (id uuid, version integer, score integer, digest text)
      WHERE p.account_id = ${accountId} AND p.id = s.id`.execute(db)
  }
}

const parts = <T>(items: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(items.length / WRITE_ROWS) }, (_, index) => items.slice(index * WRITE_ROWS, (index + 1) * WRITE_ROWS))
