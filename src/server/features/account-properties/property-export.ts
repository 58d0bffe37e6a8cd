import { sql } from 'kysely'
import { CONSTRUCTION_CLASSES, PROPERTY_STATUSES, PROPERTY_TYPES, SPRINKLERED } from '#contract/property-vocabularies.ts'
import { visibleProperties } from '#server/access/account-properties.ts'
import type { ExportValues } from '#server/engines/datatable/define-datatable.ts'
import { countedProperties } from './property-counts.ts'

const COMPUTED = {
  // Before the first check there is no number.
  discrepancies: sql`CASE WHEN account_properties.quality_score IS NOT NULL THEN coalesce(found.discrepancies, 0) END AS discrepancies`,
  quality_score: sql`CASE WHEN account_properties.status <> 'divested' THEN account_properties.quality_score END AS quality_score`,
}

/** The values of the list of properties, which are exported by the ten thousands. */
export const propertyValues: ExportValues = {
  select: (ctx, columns, batch) => countedProperties(ctx, batch, { columns, computed: COMPUTED, where: visibleProperties(ctx.viewer) }),
  labels: {
    property_type: PROPERTY_TYPES,
    construction_class: CONSTRUCTION_CLASSES,
    sprinklered: SPRINKLERED,
    status: PROPERTY_STATUSES,
  },
}
