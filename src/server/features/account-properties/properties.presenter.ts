import type { Property, PropertyRow } from '#contract/account-properties.ts'
import { PROPERTY_FIELD_NAMES } from '#contract/property-fields.ts'
import { CONSTRUCTION_CLASSES, PROPERTY_STATUSES, PROPERTY_TYPES, SPRINKLERED } from '#contract/property-vocabularies.ts'
import { propertyRules } from '#server/access/account-properties.ts'
import { timezoneOf, type Viewer } from '#server/access/viewer.ts'
import { dateCell, decimalCell, labelCell, moneyCell, plainNumberCell, textCell, wholeCell } from '#server/engines/datatable/cells.ts'
import type { OpenFinding, PropertyRecord } from './properties.queries.ts'

/** `address, address_2, city, state postal_code`, the country added when it is not the US (domain section 2). */
export function fullAddress(record: Pick<PropertyRecord, 'address' | 'address_2' | 'city' | 'state' | 'postal_code' | 'country'>): string {
  const place = [record.state, record.postal_code].filter(Boolean).join(' ')
  return [record.address, record.address_2, record.city, place, record.country === 'US' ? '' : record.country].filter(Boolean).join(', ')
}

type Sources = Property['sources']

const common = (record: PropertyRecord) => ({
  id: record.id,
  deleted_at: record.deleted_at?.toISOString() ?? null,
})

export function presentProperty(viewer: Viewer, record: PropertyRecord, findings: readonly OpenFinding[]): Property {
  return {
    ...common(record),
    account_id: record.account_id,
    account_name: record.account_name,
    full_address: fullAddress(record),
    status: record.status === 'divested' ? 'divested' : 'active',
    divested_on: record.divested_on,
    divested_reason: record.divested_reason,
    divested_note: record.divested_note,
    values: Object.fromEntries(PROPERTY_FIELD_NAMES.map((name) => [name, record[name]])),
    tiv: record.tiv ?? 0,
    quality_score: record.quality_score,
    custom: record.custom as Property['custom'], // written by the import as header to text
    sources: record.sources as Sources, // written by `applyValues` alone
    findings: findings.map(({ id, check_id, field, severity, message }) => ({ id, check_id, field, severity, message })),
    documents: record.documents,
    version: record.version,
    created_at: record.created_at.toISOString(),
    updated_at: record.updated_at.toISOString(),
    accessible_features: propertyRules(viewer, record),
  }
}

export function presentPropertyRow(viewer: Viewer, record: PropertyRecord, findings: readonly OpenFinding[]): PropertyRow {
  return {
    ...common(record),
    is_new: false,
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
    floor_area: wholeCell(record.floor_area),
    sprinklered: labelCell(record.sprinklered, SPRINKLERED),
    building_value: moneyCell(record.building_value),
    contents_value: moneyCell(record.contents_value),
    bi_value: moneyCell(record.bi_value),
    tiv: moneyCell(record.tiv),
    documents: wholeCell(record.documents),
    quality_score: wholeCell(record.quality_score),
    discrepancies: wholeCell(findings.length),
    status: labelCell(record.status, PROPERTY_STATUSES),
    updated_at: dateCell(record.updated_at, timezoneOf(viewer)),
    version: record.version,
    findings: findings.map(({ field, severity, message }) => ({ field, severity, message })),
  }
}
