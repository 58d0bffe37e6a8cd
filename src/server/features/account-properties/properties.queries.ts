import { sql, type Expression, type RawBuilder, type SqlBool } from 'kysely'
import type { Property } from '#contract/account-properties.ts'
import { SEVERITIES } from '#contract/checks.ts'
import { propertyTitle, type Titled } from '#contract/property-format.ts'
import { PAIR_CHECK, ofCheck, otherOfPair, seesDiscrepancies, shownMessage, visibleNames } from '#server/access/discrepancies.ts'
import { isOpenFlag } from '#server/access/flags.ts'
import { can } from '#server/access/viewer.ts'
import { visibleFiles } from '#server/access/account-files.ts'
import type { Context } from '#server/engines/context.ts'

/** The number of documents linked to a property that this viewer sees. */
export const documentCount = (ctx: Context) => sql<number>`(SELECT count(*) FROM account_file_properties l
  JOIN account_files ON account_files.id = l.file_id AND account_files.deleted_at IS NULL
  WHERE l.property_id = account_properties.id AND ${visibleFiles(ctx.viewer)})`

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
export interface OtherOfPair extends Titled {
  id: string
  mirrored: boolean
}
export type OpenFinding = Omit<NonNullable<Property['findings']>[number], 'other'> & { widespread: boolean; other: OtherOfPair | null }

const openPairs = (accounts: RawBuilder<unknown>) => sql`SELECT d.*, ${otherOfPair()} AS twin FROM discrepancies d
  WHERE d.account_id = ANY(${accounts}) AND d.status = 'open' AND ${ofCheck(PAIR_CHECK)}`

/** The open possible duplicates in the accounts of a page of properties, read once for all of its rows. */
export const pairsOfPage = ({ viewer }: Context, ids: RawBuilder<unknown>) =>
  seesDiscrepancies(viewer)
    ? openPairs(sql`ARRAY(SELECT account_id FROM account_properties WHERE id = ANY(${ids}))`)
    : sql`SELECT NULL::uuid AS twin WHERE false`

/** The names of the documents that the viewer sees in the accounts of a page of properties, read once for all of its rows. */
export const namesOfPage = ({ viewer }: Context, ids: RawBuilder<unknown>) =>
  visibleNames(viewer, sql`ARRAY(SELECT account_id FROM account_properties WHERE id = ANY(${ids}))`)

/**
 * The open findings of a property, worst first, with possible duplicates that are stored at the other one of the pair; null for viewers
 * who cannot see them.
 * @param pairs the open possible duplicates of its account
 * @param names the documents of its account that the viewer sees: messages name no others
 */
export const openFindings = (
  { viewer }: Context,
  pairs = sql`(${openPairs(sql`ARRAY[account_properties.account_id]`)})`,
  names: RawBuilder<unknown> = visibleNames(viewer, sql`ARRAY[account_properties.account_id]`),
) =>
  seesDiscrepancies(viewer)
    ? sql<OpenFinding[] | null>`coalesce((
  SELECT jsonb_agg(jsonb_build_object('id', d.id, 'check_id', d.check_id, 'field', d.field, 'severity', d.severity, 'message', d.message,
      'widespread', d.widespread, 'other', CASE WHEN o.id IS NOT NULL THEN jsonb_build_object('id', o.id, 'mirrored', d.mirrored,
        'location_number', o.location_number, 'building_number', o.building_number, 'address', o.address, 'city', o.city) END)
      ORDER BY array_position(${SEVERITIES}::text[], d.severity) DESC, d.check_id, d.mirrored)
    FROM (SELECT d.id, d.check_id, d.field, d.severity, ${shownMessage(names)} AS message, d.widespread, false AS mirrored,
        CASE WHEN ${ofCheck(PAIR_CHECK)} THEN ${otherOfPair()} END AS other_id
      FROM discrepancies d WHERE d.property_id = account_properties.id AND d.status = 'open'
      UNION ALL SELECT d.id, d.check_id, d.field, d.severity, ${shownMessage(names)}, d.widespread, true, d.property_id
      FROM ${pairs} d WHERE d.twin = account_properties.id AND account_properties.status = 'active') d
    LEFT JOIN account_properties o ON o.id = d.other_id), '[]')`
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
