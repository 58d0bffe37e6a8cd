import type { Property } from '#contract/account-properties.ts'
import type { Context } from '#server/engines/context.ts'
import { openFindings, type PropertyRecord } from './properties.queries.ts'
import { valuesOf } from './save-property.ts'

/** `address, address_2, city, state postal_code`, and the country unless it is the US. */
export function fullAddress(record: Pick<PropertyRecord, 'address' | 'address_2' | 'city' | 'state' | 'postal_code' | 'country'>): string {
  const place = [record.state, record.postal_code].filter(Boolean).join(' ')
  return [record.address, record.address_2, record.city, place, record.country === 'US' ? '' : record.country].filter(Boolean).join(', ')
}

export async function presentProperty(ctx: Context, record: PropertyRecord) {
  const findings = await openFindings(ctx, [record.id])
  return {
    account_id: record.account_id,
    account_name: record.account_name,
    full_address: fullAddress(record),
    status: record.status === 'divested' ? ('divested' as const) : ('active' as const),
    divested_on: record.divested_on,
    divested_reason: record.divested_reason,
    divested_note: record.divested_note,
    values: valuesOf(record),
    tiv: record.tiv ?? 0,
    quality_score: record.quality_score,
    custom: record.custom as Property['custom'], // written by the import as header to text
    sources: record.sources as Property['sources'], // written with `provenance` alone
    findings: findings.map(({ id, check_id, field, severity, message }) => ({ id, check_id, field, severity, message })),
    documents: record.documents,
  }
}
