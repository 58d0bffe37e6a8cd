import { sql, type RawBuilder } from 'kysely'
import { CONSTRUCTION_CLASSES, PROPERTY_STATUSES, PROPERTY_TYPES, SPRINKLERED } from '#contract/property-vocabularies.ts'
import { visibleProperties } from '#server/access/account-properties.ts'
import type { ExportValues } from '#server/engines/datatable/define-datatable.ts'
import { countedProperties } from './property-counts.ts'
import { HAS_TIV } from './properties.presenter.ts'

/** The columns of the list that are not a column of the table as it is. */
const COMPUTED: Readonly<Partial<Record<string, RawBuilder<unknown>>>> = {
  tiv: sql`CASE WHEN ${HAS_TIV} THEN account_properties.tiv END AS tiv`,
  documents: sql`coalesce(linked.documents, 0) AS documents`,
  discrepancies: sql`coalesce(found.discrepancies, 0) AS discrepancies`,
  quality_score: sql`CASE WHEN account_properties.status <> 'divested' THEN account_properties.quality_score END AS quality_score`,
}

/** The values of the list of properties, which are exported by the ten thousands. */
export const propertyValues: ExportValues = {
  select: (ctx, columns, batch) =>
    countedProperties(ctx, batch, {
      columns: sql.join(columns.map((name) => COMPUTED[name] ?? sql.ref(`account_properties.${name}`))),
      where: visibleProperties(ctx.viewer),
    }),
  labels: {
    property_type: PROPERTY_TYPES,
    construction_class: CONSTRUCTION_CLASSES,
    sprinklered: SPRINKLERED,
    status: PROPERTY_STATUSES,
  },
}
