import { CONSTRUCTION_CLASSES, PROPERTY_STATUSES, PROPERTY_TYPES, SPRINKLERED } from '#contract/property-vocabularies.ts'
import { visibleProperties } from '#server/access/account-properties.ts'
import type { ExportValues } from '#server/engines/datatable/define-datatable.ts'
import { countedProperties } from './property-counts.ts'

/** The values of the list of properties, which are exported by the ten thousands. */
export const propertyValues: ExportValues = {
  select: (ctx, columns, batch) => countedProperties(ctx, batch, { columns, where: visibleProperties(ctx.viewer) }),
  labels: {
    property_type: PROPERTY_TYPES,
    construction_class: CONSTRUCTION_CLASSES,
    sprinklered: SPRINKLERED,
    status: PROPERTY_STATUSES,
  },
}
