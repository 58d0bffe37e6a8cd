import { sql, type RawBuilder } from 'kysely'
import type { Property, PropertyRow } from '#contract/account-properties.ts'
import { TIV_PARTS, hasTivPart } from '#contract/property-fields.ts'
import { fullAddress } from '#contract/property-format.ts'
import { CONSTRUCTION_CLASSES, PROPERTY_STATUSES, PROPERTY_TYPES, SPRINKLERED } from '#contract/property-vocabularies.ts'
import { seesUploaders } from '#server/access/account-files.ts'
import { seesDivestedNote } from '#server/access/account-properties.ts'
import { timezoneOf } from '#server/access/viewer.ts'
import type { Context } from '#server/engines/context.ts'
import { dateCell, decimalCell, exactCell, labelCell, plainNumberCell, textCell, wholeCell } from '#server/engines/datatable/cells.ts'
import type { Unmarked } from '#server/engines/datatable/define-datatable.ts'
import { readRows } from '#server/engines/datatable/page-statement.ts'
import {
  documentCount,
  flagCount,
  namesOfPage,
  openFindings,
  pairsOfPage,
  presentFindings,
  type PropertyRecord,
} from './properties.queries.ts'
import { documentIn, visibleDocuments } from './property-history.ts'
import { valuesOf } from './save-property.ts'

const SEEN = sql`SELECT * FROM seen`

/** The stored total is 0 without values; it is known only if one of its parts is. */
export const HAS_TIV = sql`num_nonnulls(${sql.raw(TIV_PARTS.map((part) => `account_properties.${part}`).join(', '))}) > 0`

/** The score of the last check; a divested property is not checked, and one from before would be out of date. */
const scoreOf = ({ findings, status, quality_score }: Pick<PropertyRecord, 'findings' | 'status' | 'quality_score'>) =>
  findings === null || status === 'divested' ? null : quality_score

export const presentProperty = async (ctx: Context, record: PropertyRecord) => ({
  ...record,
  divested_note: seesDivestedNote(ctx.viewer) ? record.divested_note : null,
  full_address: fullAddress(record),
  status: record.status === 'divested' ? ('divested' as const) : ('active' as const),
  values: valuesOf(record),
  tiv: hasTivPart(record) ? record.tiv : null,
  findings: presentFindings(record.findings),
  quality_score: scoreOf(record),
  custom: record.custom as Property['custom'], // written by the import as header to text
  sources: await visibleSources(ctx, record),
})

/** Visitors of a link do not see who entered a value. */
const withoutNames = (sources: Property['sources']): Property['sources'] =>
  Object.fromEntries(Object.entries(sources).map(([name, entry]) => [name, { ...entry, by: null }]))

/** Where the values are from. A cell is named with its document, so only to viewers who see that document. */
async function visibleSources(ctx: Context, record: PropertyRecord): Promise<Property['sources']> {
  const written = record.sources as Property['sources'] // written with `provenance` alone
  const sources = seesUploaders(ctx.viewer) ? written : withoutNames(written)
  const refs = Object.values(sources).flatMap(({ source, ref }) => (source === 'import' && ref !== null ? [documentIn(ref)] : []))
  if (refs.length === 0) return sources
  const visible = await visibleDocuments(ctx, record.account_id, refs)
  const isHidden = ({ source, ref }: Property['sources'][string]) => source === 'import' && ref !== null && !visible.has(documentIn(ref))
  return Object.fromEntries(Object.entries(sources).map(([name, entry]) => [name, isHidden(entry) ? { ...entry, ref: null } : entry]))
}

/** Reads only what a row shows: the list has to be fast. */
const listed = (ctx: Context, ids: RawBuilder<unknown>) =>
  ctx.db
    .selectFrom('account_properties')
    .select([
      'id',
      'account_id',
      'location_number',
      'building_number',
      'property_name',
      'address',
      'city',
      'state',
      'postal_code',
      'county',
    ])
    .select(['property_type', 'construction_class', 'year_built', 'stories', 'floor_area', 'sprinklered', 'building_value'])
    .select([
      'contents_value',
      'bi_value',
      'currency',
      'quality_score',
      'status',
      'divested_on',
      'divested_reason',
      'divested_note',
      'version',
      'updated_at',
      'deleted_at',
    ])
    .select(sql<number | null>`CASE WHEN ${HAS_TIV} THEN tiv END`.as('tiv'))
    .select((eb) =>
      eb.selectFrom('accounts').select('name').whereRef('accounts.id', '=', 'account_properties.account_id').as('account_name'),
    )
    .select([documentCount(ctx).as('documents'), openFindings(ctx, SEEN, sql`pairs`).as('findings'), flagCount(ctx).as('flags')])
    .where('id', '=', sql<string>`ANY(${ids})`)

type Listed = Awaited<ReturnType<ReturnType<typeof listed>['executeTakeFirstOrThrow']>>

function divestedOf({ viewer }: Context, { divested_on, divested_reason, divested_note: note }: Listed): PropertyRow['divested'] {
  const divested_note = seesDivestedNote(viewer) ? (note ?? undefined) : undefined
  return divested_on === null ? null : { divested_on, divested_reason: divested_reason ?? undefined, divested_note }
}

function presentRow(ctx: Context, record: Listed): Unmarked<PropertyRow> {
  const own = record.findings && record.findings.filter(({ widespread }) => !widespread)
  // What is one sentence about the schedule is not repeated in each row, but a critical cell is red wherever it is.
  const shown = record.findings && record.findings.filter(({ widespread, severity }) => !widespread || severity === 'critical')
  return {
    id: record.id,
    deleted_at: record.deleted_at?.toISOString() ?? null,
    account_id: record.account_id,
    account_name: record.account_name ?? '',
    location_number: textCell(record.location_number),
    building_number: textCell(record.building_number),
    property_name: textCell(record.property_name),
    address: textCell(record.address),
    city: textCell(record.city),
    state: textCell(record.state),
    postal_code: textCell(record.postal_code),
    county: textCell(record.county),
    property_type: labelCell(record.property_type, PROPERTY_TYPES),
    construction_class: labelCell(record.construction_class, CONSTRUCTION_CLASSES),
    year_built: plainNumberCell(record.year_built),
    stories: decimalCell(record.stories),
    floor_area: exactCell(record.floor_area),
    sprinklered: labelCell(record.sprinklered, SPRINKLERED),
    building_value: exactCell(record.building_value),
    contents_value: exactCell(record.contents_value),
    bi_value: exactCell(record.bi_value),
    tiv: wholeCell(record.tiv),
    currency: record.currency,
    documents: wholeCell(record.documents),
    quality_score: wholeCell(scoreOf(record)),
    discrepancies: wholeCell(record.quality_score === null ? null : own && own.length),
    status: labelCell(record.status, PROPERTY_STATUSES),
    flags: record.flags,
    updated_at: dateCell(record.updated_at, timezoneOf(ctx.viewer)),
    divested: divestedOf(ctx, record),
    version: record.version,
    findings: presentFindings(shown),
    schedule_findings: record.findings && own && record.findings.length - own.length,
  }
}

/** The rows of a page of properties, each with its documents and what is wrong with it. */
export const propertyRows = readRows(
  (ctx, ids) =>
    sql<Listed>`WITH seen AS MATERIALIZED (${namesOfPage(ctx, ids)}), pairs AS MATERIALIZED (${pairsOfPage(ctx, ids, SEEN)}) ${listed(ctx, ids)}`,
  presentRow,
)
