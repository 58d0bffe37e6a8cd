import type { Property } from '#contract/account-properties.ts'
import { PROPERTY_FIELD_NAMES } from '#contract/property-fields.ts'
import { propertyRules } from '#server/access/account-properties.ts'
import type { Viewer } from '#server/access/viewer.ts'
import type { OpenFinding, PropertyRecord } from './properties.queries.ts'

/** `address, address_2, city, state postal_code`, the country added when it is not the US (domain section 2). */
export function fullAddress(record: Pick<PropertyRecord, 'address' | 'address_2' | 'city' | 'state' | 'postal_code' | 'country'>): string {
  const place = [record.state, record.postal_code].filter(Boolean).join(' ')
  return [record.address, record.address_2, record.city, place, record.country === 'US' ? '' : record.country].filter(Boolean).join(', ')
}

type Sources = Property['sources']

export function presentProperty(viewer: Viewer, record: PropertyRecord, findings: readonly OpenFinding[]): Property {
  return {
    id: record.id,
    deleted_at: record.deleted_at?.toISOString() ?? null,
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
