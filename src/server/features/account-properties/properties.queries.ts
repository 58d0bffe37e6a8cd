import { sql, type Expression, type RawBuilder, type SqlBool } from 'kysely'
import type { Property } from '#contract/account-properties.ts'
import { SEVERITIES } from '#contract/checks.ts'
import { propertyTitle, type Titled } from '#contract/property-format.ts'
import { PAIR_CHECK, ofCheck, otherOfPair, seesDiscrepancies, shownMessage, visibleNames } from '#server/access/discrepancies.ts'
import { isOpenFlag } from '#server/access/flags.ts'
import { can } from '#server/access/viewer.ts'
import { seesFiles, visibleFiles } from '#server/access/account-files.ts'
import type { Context } from '#server/engines/context.ts'

/**
 * The number of documents linked to a property that this viewer sees; null for viewers who cannot see documents. `OFFSET 0` has the database look up each of them; without
 * statistics it reads all documents of the account for each property otherwise.
 */
export const documentCount = ({ viewer }: Context) =>
  seesFiles(viewer)
    ? sql<number | null>`(SELECT count(*) FROM account_file_properties l
        WHERE l.property_id = account_properties.id AND EXISTS (SELECT 1 FROM account_files
          WHERE account_files.id = l.file_id AND account_files.deleted_at IS NULL AND ${visibleFiles(viewer)} OFFSET 0))`
    : sql<number | null>`NULL::bigint`

/** The number of open flags, for viewers who can manage them. */
export const flagCount = ({ viewer }: Context) =>
  can(viewer, 'manage_flags')
    ? sql<number | null>`(SELECT count(*)::int FROM flags WHERE flags.property_id = account_properties.id AND ${isOpenFlag()})`
    : sql<number | null>`NULL::integer`

export const loadProperties = (ctx: Context, where: Expression<SqlBool>) =>
  ctx.db
    .selectFrom('account_properties')
    .innerJoin('accounts', 'accounts.id', 'account_properties.account_id')
    .selectAll('account_properties')
    .select('accounts.name as account_name')
    .select([documentCount(ctx).as('documents'), openFindings(ctx).as('findings')])
    .where(where)
    .orderBy('account_properties.id')
    .execute()

export type PropertyRecord = Awaited<ReturnType<typeof loadProperties>>[number]

/** The other property of a possible duplicate; `mirrored` if the finding is stored at that one. */
interface OtherOfPair extends Titled {
  id: string
  mirrored: boolean
}
export type OpenFinding = Omit<NonNullable<Property['findings']>[number], 'other'> & { widespread: boolean; other: OtherOfPair | null }

/** What a finding shows of the other property of its pair `d`: a lookup for each pair, not a join for each property. */
const otherProperty = (
  id: RawBuilder<unknown>,
  mirrored: boolean,
) => sql`(SELECT jsonb_build_object('id', o.id, 'mirrored', ${mirrored}::boolean,
    'location_number', o.location_number, 'building_number', o.building_number, 'address', o.address, 'city', o.city)
  FROM account_properties o WHERE o.id = ${id})`

const finding = (other: RawBuilder<unknown>, names: RawBuilder<unknown>) => sql`jsonb_build_object('id', d.id, 'check_id', d.check_id,
  'field', d.field, 'severity', d.severity, 'message', ${shownMessage(names)}, 'widespread', d.widespread, 'other', ${other})`

/** Open possible duplicates as they are shown at the property that they name, in one object by the id of that property. */
const mirroredPairs = (
  accounts: RawBuilder<unknown>,
  names: RawBuilder<unknown>,
) => sql`SELECT jsonb_object_agg(twin, findings) AS by_twin FROM (
  SELECT ${otherOfPair()} AS twin, jsonb_agg(${finding(otherProperty(sql`d.property_id`, true), names)} ORDER BY d.id) AS findings
  FROM discrepancies d WHERE d.account_id = ANY(${accounts}) AND d.status = 'open' AND ${ofCheck(PAIR_CHECK)} GROUP BY twin) p WHERE twin IS NOT NULL`

/** Those in the accounts of a page of properties, read once for all of its rows. */
export const pairsOfPage = ({ viewer }: Context, ids: RawBuilder<unknown>, names: RawBuilder<unknown>) =>
  seesDiscrepancies(viewer)
    ? mirroredPairs(sql`ARRAY(SELECT DISTINCT account_id FROM account_properties WHERE id = ANY(${ids}))`, names)
    : sql`SELECT NULL::jsonb AS by_twin`

/** The names of the documents that the viewer sees in the accounts of a page of properties, read once for all of its rows. */
export const namesOfPage = ({ viewer }: Context, ids: RawBuilder<unknown>) =>
  visibleNames(viewer, sql`ARRAY(SELECT account_id FROM account_properties WHERE id = ANY(${ids}))`)

/**
 * The open findings of a property, worst first, with possible duplicates that are stored at the other one of the pair; null for viewers
 * who cannot see them.
 * @param names the documents of its account that the viewer sees: messages name no others
 * @param pairs one row with the open possible duplicates of its account
 */
export const openFindings = (
  { viewer }: Context,
  names: RawBuilder<unknown> = visibleNames(viewer, sql`ARRAY[account_properties.account_id]`),
  pairs = sql`(${mirroredPairs(sql`ARRAY[account_properties.account_id]`, names)})`,
) =>
  seesDiscrepancies(viewer)
    ? sql<OpenFinding[] | null>`coalesce((
  SELECT jsonb_agg(f.finding ORDER BY array_position(${SEVERITIES}::text[], f.finding ->> 'severity') DESC, f.finding ->> 'check_id', f.mirrored)
    FROM (SELECT ${finding(sql`CASE WHEN ${ofCheck(PAIR_CHECK)} THEN ${otherProperty(otherOfPair(), false)} END`, names)} AS finding, false AS mirrored
      FROM discrepancies d WHERE d.property_id = account_properties.id AND d.status = 'open'
      UNION ALL SELECT m.finding, true FROM jsonb_array_elements(CASE WHEN account_properties.status = 'active'
        THEN (SELECT pairs.by_twin FROM ${pairs} pairs) -> account_properties.id::text END) AS m (finding)) f), '[]')`
    : sql<OpenFinding[] | null>`NULL::jsonb`

/** The findings as they are shown at this property: the message of a mirrored one names the property that it is stored at. */
export const presentFindings = (findings: readonly OpenFinding[] | null) =>
  findings &&
  findings.map(({ other, message, ...finding }) => {
    const title = other === null ? '' : propertyTitle(other)
    return {
      ...finding,
      message: other?.mirrored === true ? message.replace(NAMED_TWIN, (_text, start: string, end: string) => start + title + end) : message,
      other: other && { id: other.id, title },
    }
  })
/** Before the title of the other property, and the reasons behind it. */
const NAMED_TWIN = /^(.* the same building as ).*?(: (?:same|equal) .*)$/
