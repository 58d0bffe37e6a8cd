import { sql, type Expression, type RawBuilder, type SqlBool } from 'kysely'
import { visibleFiles } from '#server/access/account-files.ts'
import { PAIR_CHECK, ofCheck, otherOfPair, seesDiscrepancies } from '#server/access/discrepancies.ts'
import type { Context } from '#server/engines/context.ts'
import { HAS_TIV } from './properties.presenter.ts'

interface Selected {
  columns: readonly string[]
  where: Expression<SqlBool>
}

/**
 * Only for values that were checked, because a file does not say that its figures are out of date: a property has no digest before its
 * first check, and from a change to the next one.
 */
const ifChecked = (figure: RawBuilder<unknown>) => sql`CASE WHEN account_properties.checked_digest IS NOT NULL THEN ${figure} END`

/** The columns that are not a column of the table as it is. */
const COMPUTED: Readonly<Partial<Record<string, RawBuilder<unknown>>>> = {
  tiv: sql`CASE WHEN ${HAS_TIV} THEN account_properties.tiv END AS tiv`,
  documents: sql`coalesce(linked.documents, 0) AS documents`,
  // All that are open, also those of the whole schedule, because a file has no sentence about it.
  discrepancies: sql`${ifChecked(sql`coalesce(found.discrepancies, 0)`)} AS discrepancies`,
  quality_score: sql`${ifChecked(sql`CASE WHEN account_properties.status <> 'divested' THEN account_properties.quality_score END`)} AS quality_score`,
}

const CUSTOM = 'custom:'
export type CustomValue = `${typeof CUSTOM}${string}`
/** The column of a custom field. */
export const customValue = (name: string): CustomValue => `${CUSTOM}${name}`

const columnsOf = ({ columns }: Selected) =>
  sql.join(
    columns.map((name, index) =>
      name.startsWith(CUSTOM)
        ? sql`account_properties.custom->>${name.slice(CUSTOM.length)} AS ${sql.ref(`custom_${index}`)}`
        : (COMPUTED[name] ?? sql.ref(`account_properties.${name}`)),
    ),
  )

/**
 * Columns of the properties of a batch of ids (an SQL array) in its order. As one table for the batch, the counts of documents and
 * discrepancies are joined faster than looked up for each property. The planner would estimate each id of an array, so the ids are in a table.
 * OFFSET has the batch read first: with the condition for visible accounts, the planner would read all properties of these accounts for
 * each batch.
 */
export const countedProperties = (ctx: Context, batch: RawBuilder<unknown>, selected: Selected) => sql<object>`
  WITH batch AS MATERIALIZED (SELECT listed.id, listed.place FROM unnest(${batch}) WITH ORDINALITY AS listed(id, place))
  SELECT ${columnsOf(selected)} FROM (
    SELECT batch.place, account_properties.* FROM batch JOIN account_properties ON account_properties.id = batch.id OFFSET 0) account_properties
  LEFT JOIN (${documentCounts(ctx)}) linked ON linked.property_id = account_properties.id
  LEFT JOIN (${discrepancyCounts(ctx)}) found ON found.property_id = account_properties.id
  WHERE ${selected.where} ORDER BY account_properties.place`

/**
 * SQL: one text of the versions and counted columns of these properties. The counts are not joined: for a whole account, without statistics,
 * the database would compare each property with each count.
 */
export const countedFacts = (ctx: Context, where: Expression<SqlBool>): RawBuilder<unknown> => sql`(
  WITH batch AS MATERIALIZED (SELECT account_properties.id, account_properties.version, ${COMPUTED.quality_score}
    FROM account_properties WHERE ${where})
  SELECT concat_ws(' ',
    (SELECT string_agg(ROW(id, version ${seesDiscrepancies(ctx.viewer) ? sql`, quality_score` : sql``})::text, '' ORDER BY id) FROM batch),
    (SELECT string_agg(linked::text, '' ORDER BY property_id) FROM (${documentCounts(ctx)}) AS linked),
    (SELECT string_agg(found::text, '' ORDER BY property_id) FROM (${discrepancyCounts(ctx)}) AS found)))`

const IN_BATCH = sql`IN (SELECT batch.id FROM batch)`

const documentCounts = ({ viewer }: Context) => sql`SELECT l.property_id, count(*)::int AS documents
  FROM account_file_properties l JOIN account_files ON account_files.id = l.file_id
  WHERE l.property_id ${IN_BATCH} AND account_files.deleted_at IS NULL AND ${visibleFiles(viewer)} GROUP BY 1`

/**
 * Those of the property, and possible duplicates that are stored at the other property of an active one. The open pairs of the accounts are
 * read once for the batch: looked up for each property, they would be read as often as there are properties.
 */
const discrepancyCounts = ({ viewer }: Context) =>
  seesDiscrepancies(viewer)
    ? sql`SELECT property_id, count(*)::int AS discrepancies FROM (
        SELECT d.property_id FROM discrepancies d WHERE d.property_id ${IN_BATCH} AND d.status = 'open'
        UNION ALL SELECT pair.twin FROM (SELECT ${otherOfPair()} AS twin, d.account_id FROM discrepancies d
            WHERE d.account_id = ANY(ARRAY(SELECT DISTINCT account_properties.account_id FROM account_properties WHERE account_properties.id ${IN_BATCH}))
              AND d.status = 'open' AND ${ofCheck(PAIR_CHECK)} OFFSET 0) pair
          JOIN account_properties twin ON twin.id = pair.twin AND twin.account_id = pair.account_id
          WHERE pair.twin ${IN_BATCH} AND twin.status = 'active'
      ) d GROUP BY 1`
    : sql`SELECT NULL::uuid AS property_id, 0 AS discrepancies WHERE false`
