import { sql, type Expression, type RawBuilder, type SqlBool } from 'kysely'
import { visibleFiles } from '#server/access/account-files.ts'
import { PAIR_CHECK, ofCheck, otherOfPair, seesDiscrepancies } from '#server/access/discrepancies.ts'
import { listed } from '#server/db/read-batches.ts'
import type { Context } from '#server/engines/context.ts'
import { HAS_TIV } from './properties.presenter.ts'

interface Selected {
  columns: readonly string[]
  where: Expression<SqlBool>
}

/**
 * Only values that were checked have a score and a count, because a file does not say that its figures are out of date: a property has no
 * digest before its first check, and from a change to the next one.
 */
const IS_CHECKED = sql`account_properties.checked_digest IS NOT NULL`
const SCORE = sql`CASE WHEN ${IS_CHECKED} AND account_properties.status <> 'divested' THEN account_properties.quality_score END`

/** The values that are not a column of the table as it is. */
const COMPUTED: Readonly<Partial<Record<string, RawBuilder<unknown>>>> = {
  tiv: sql`CASE WHEN ${HAS_TIV} THEN account_properties.tiv END`,
  quality_score: SCORE,
}
const COUNTS: Readonly<Partial<Record<string, RawBuilder<unknown>>>> = {
  documents: sql`coalesce(linked.documents, 0) AS documents`,
  // All that are open, also those of the whole schedule, because a file has no sentence about it.
  discrepancies: sql`CASE WHEN account_properties.is_checked THEN coalesce(found.discrepancies, 0) END AS discrepancies`,
}

const CUSTOM = 'custom:'
export type CustomValue = `${typeof CUSTOM}${string}`
/** The column of a custom field. */
export const customValue = (name: string): CustomValue => `${CUSTOM}${name}`

const valueOf = (name: string) =>
  name.startsWith(CUSTOM)
    ? sql`account_properties.custom->>${name.slice(CUSTOM.length)}`
    : (COMPUTED[name] ?? sql.ref(`account_properties.${name}`))

/** The stored values as `value_0` and so on, and what is selected from them when the counts are joined. */
const selection = (columns: readonly string[]) => ({
  values: columns.flatMap((name, at) => (name in COUNTS ? [] : [sql`${valueOf(name)} AS ${sql.ref(`value_${at}`)}`])),
  selected: columns.map((name, at) => COUNTS[name] ?? sql.ref(`account_properties.value_${at}`)),
})

/**
 * Columns of the properties of a batch of ids (an SQL array) in its order. As one table for the batch, the counts of documents and
 * discrepancies are joined faster than looked up for each property. The rows of the batch are read first: with the condition for visible
 * accounts, the planner would read all properties of these accounts for each batch. A table of 70 columns takes longer than of those selected.
 */
export function countedProperties(ctx: Context, batch: RawBuilder<unknown>, { columns, where }: Selected): RawBuilder<object> {
  const { values, selected } = selection(columns)
  return sql<object>`
    WITH listed AS MATERIALIZED (${listed(batch)}),
      batch AS MATERIALIZED (
        SELECT listed.place, account_properties.id, account_properties.account_id, ${where} AS is_listed, ${IS_CHECKED} AS is_checked,
          ${sql.join(values)}
        FROM listed JOIN account_properties ON account_properties.id = listed.id)
    SELECT ${sql.join(selected)} FROM batch AS account_properties
    LEFT JOIN (${documentCounts(ctx, OF_BATCH)}) linked ON linked.property_id = account_properties.id
    LEFT JOIN (${discrepancyCounts(ctx, OF_BATCH)}) found ON found.property_id = account_properties.id
    WHERE account_properties.is_listed ORDER BY account_properties.place`
}

interface Ordered extends Selected {
  accountId: string
  /** SQL: for ORDER BY, of columns in `orderedBy`. */
  order: RawBuilder<unknown>
  orderedBy: readonly string[]
}

/**
 * Columns of properties of an account in order, all at once, which takes less than half of the time of batches. The counts are joined as full
 * joins: the planner estimates few rows here, and might otherwise compare each property with each count.
 */
export function orderedProperties(ctx: Context, { columns, where, accountId, order, orderedBy }: Ordered): RawBuilder<object> {
  const { values, selected } = selection(columns)
  const counted: Among = { accounts: sql`ARRAY[${accountId}]::uuid[]` }
  return sql<object>`
    SELECT ${sql.join(selected)} FROM (
      SELECT account_properties.id, true AS is_listed, ${IS_CHECKED} AS is_checked,
        ${sql.join([...orderedBy.map((name) => sql.ref(`account_properties.${name}`)), ...values])}
      FROM account_properties WHERE ${where}) AS account_properties
    FULL JOIN (${documentCounts(ctx, counted)}) AS linked ON linked.property_id = account_properties.id
    FULL JOIN (${discrepancyCounts(ctx, counted)}) AS found ON found.property_id = account_properties.id
    WHERE coalesce(account_properties.is_listed, false) ORDER BY ${order}`
}

/**
 * SQL: one text of the versions and counted columns of these properties. The counts are not joined: for a whole account, without statistics,
 * the database would compare each property with each count.
 */
export const countedFacts = (ctx: Context, where: Expression<SqlBool>): RawBuilder<unknown> => sql`(
  WITH batch AS MATERIALIZED (
    SELECT account_properties.id, account_properties.account_id, account_properties.version, ${SCORE} AS quality_score
    FROM account_properties WHERE ${where})
  SELECT concat_ws(' ',
    (SELECT ${digestOf('id', sql`version::bigint * 1000 ${seesDiscrepancies(ctx.viewer) ? sql`+ coalesce(quality_score, 999)` : sql``}`)} FROM batch),
    (SELECT ${digestOf('property_id', sql`documents`)} FROM (${documentCounts(ctx, OF_BATCH)}) AS linked),
    (SELECT ${digestOf('property_id', sql`discrepancies`)} FROM (${discrepancyCounts(ctx, OF_BATCH)}) AS found)))`

/**
 * SQL: a short text that is different for another set of ids with numbers, in any order. A text of all of them takes five times as long. The
 * hash functions of the types stay as they are, because the partitions of tables depend on them.
 */
const digestOf = (id: string, number: RawBuilder<unknown>) =>
  sql`concat_ws(' ', count(*), sum(uuid_hash_extended(${sql.ref(id)}, (${number})::bigint)))`

/** Of which properties documents and discrepancies are counted. */
interface Among {
  /** SQL: an array of accounts. */
  accounts: RawBuilder<unknown>
  /** SQL: a query of properties of these accounts; without it, all of them are counted. */
  properties?: RawBuilder<unknown>
}

const OF_BATCH: Among = { accounts: sql`ARRAY(SELECT DISTINCT batch.account_id FROM batch)`, properties: sql`SELECT batch.id FROM batch` }

const isAmong = (table: 'l' | 'd', { accounts, properties }: Among) =>
  properties === undefined
    ? sql`${sql.ref(`${table}.account_id`)} = ANY(${accounts})`
    : sql`${sql.ref(`${table}.property_id`)} IN (${properties})`

const documentCounts = ({ viewer }: Context, among: Among) => sql`SELECT l.property_id, count(*)::int AS documents
  FROM account_file_properties l JOIN account_files ON account_files.id = l.file_id
  WHERE ${isAmong('l', among)} AND account_files.deleted_at IS NULL AND ${visibleFiles(viewer)} GROUP BY 1`

/**
 * Those of the property, and possible duplicates that are stored at the other property of an active one. The open pairs of the accounts are
 * read once: looked up for each property, they would be read as often as there are properties.
 */
const discrepancyCounts = ({ viewer }: Context, among: Among) =>
  seesDiscrepancies(viewer)
    ? sql`SELECT property_id, count(*)::int AS discrepancies FROM (
        SELECT d.property_id FROM discrepancies d WHERE ${isAmong('d', among)} AND d.status = 'open'
        UNION ALL SELECT pair.twin FROM (SELECT ${otherOfPair()} AS twin, d.account_id FROM discrepancies d
            WHERE d.account_id = ANY(${among.accounts}) AND d.status = 'open' AND ${ofCheck(PAIR_CHECK)} OFFSET 0) pair
          JOIN account_properties twin ON twin.id = pair.twin AND twin.account_id = pair.account_id
          WHERE twin.status = 'active' ${among.properties === undefined ? sql`` : sql`AND pair.twin IN (${among.properties})`}
      ) d GROUP BY 1`
    : sql`SELECT NULL::uuid AS property_id, 0 AS discrepancies WHERE false`
