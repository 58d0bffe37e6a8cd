import { sql, type NotNull } from 'kysely'
import { formatMoney, formatNumber, plural } from '#contract/format.ts'
import { mapCalls, type MapMarker, type PropertyMap } from '#contract/map.ts'
import { choiceLabel } from '#contract/property-fields.ts'
import { visibleProperties } from '#server/access/account-properties.ts'
import { seesDiscrepancies } from '#server/access/discrepancies.ts'
import { requireVisibleAccount } from '#server/access/require.ts'
import type { Context } from '#server/engines/context.ts'
import { implement } from '#server/engines/http/answer.ts'
import { sliceAction } from './properties.metric.ts'

/** The active properties that the viewer sees. */
const activeProperties = (ctx: Context, accountId: string) =>
  ctx.db
    .selectFrom('account_properties')
    .where('account_properties.account_id', '=', accountId)
    .where('account_properties.status', '=', 'active')
    .where('account_properties.deleted_at', 'is', null)
    .where(visibleProperties(ctx.viewer))

const readMarkers = (ctx: Context, accountId: string) =>
  activeProperties(ctx, accountId)
    .select(['id', 'latitude', 'longitude', 'property_name', 'address', 'address_2', 'property_type', 'construction_class'])
    .select(['year_built', 'stories', 'floor_area', 'currency', 'tiv', 'quality_score'])
    // For each property, because a join reads all findings again for each one while there are no statistics of them.
    .select(
      sql<number>`(SELECT count(*)::int FROM discrepancies d
        WHERE d.property_id = account_properties.id AND d.status = 'open' AND NOT d.widespread)`.as('open'),
    )
    .where('latitude', 'is not', null)
    .$narrowType<{ latitude: NotNull; longitude: NotNull }>()
    .orderBy('id')
    .execute()

type MarkerRow = Awaited<ReturnType<typeof readMarkers>>[number]

/** Markers of the active properties with a position, and the number of those without one. */
async function propertyMap(ctx: Context, accountId: string): Promise<PropertyMap> {
  await requireVisibleAccount(ctx.db, ctx.viewer, accountId)
  const rows = await readMarkers(ctx, accountId)
  const { missing } = await activeProperties(ctx, accountId)
    .where('latitude', 'is', null)
    .select(({ fn }) => fn.countAll<number>().as('missing'))
    .executeTakeFirstOrThrow()
  const seesFindings = seesDiscrepancies(ctx.viewer)
  return { markers: rows.map((row) => marker(row, seesFindings)), missing: missingOnMap(ctx, accountId, missing) }
}

function marker(row: MarkerRow, seesFindings: boolean): MapMarker {
  const { id, latitude, longitude, property_name, address, address_2 } = row
  return {
    position: { lat: latitude, lng: longitude },
    info: { id, property_name: property_name ?? '', address, address_2: address_2 ?? '', meta: factsOf(row, seesFindings) },
  }
}

/** The facts that have a value; score and findings only for viewers who see discrepancies. */
function factsOf(row: MarkerRow, seesFindings: boolean): MapMarker['info']['meta'] {
  const rows: [label: string, value: string | undefined][] = [
    ['Property Type', row.property_type === 'unknown' ? undefined : choiceLabel('property_type', row.property_type)],
    ['Construction', row.construction_class === null ? undefined : choiceLabel('construction_class', row.construction_class)],
    ['Year Built', row.year_built === null ? undefined : String(row.year_built)],
    ['Stories', row.stories === null ? undefined : formatNumber(row.stories)],
    ['Floor Area', row.floor_area === null ? undefined : `${formatNumber(row.floor_area)} sq ft`],
    ['TIV', !row.tiv ? undefined : formatMoney(row.tiv, row.currency)],
    ['Data Quality', !seesFindings || row.quality_score === null ? undefined : String(row.quality_score)],
    ['Open Discrepancies', !seesFindings || !row.open ? undefined : formatNumber(row.open)],
  ]
  return rows.flatMap(([label, value]) => (value === undefined ? [] : [{ label, value }]))
}

function missingOnMap(ctx: Context, accountId: string, count: number): PropertyMap['missing'] {
  if (count === 0) return null
  const text = `${plural(count, 'property is', 'properties are')} not on the map`
  return { count, text, action: sliceAction(ctx, accountId, { filter__on_map: '0' }) }
}

export const mapRoutes = implement(
  mapCalls,
  {
    ofAccount: async ({ ctx, params }) => ({ data: await propertyMap(ctx, params.id) }),
  },
  (ctx, { id = '' }) => requireVisibleAccount(ctx.db, ctx.viewer, id),
)
