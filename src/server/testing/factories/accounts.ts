import type { PropertyValues } from '#contract/property-fields.ts'
import type { Context } from '#server/engines/context.ts'
import { createProperty } from '#server/features/account-properties/properties.record.ts'
import { createAccount } from '#server/features/accounts/accounts.record.ts'
import { makeCompany } from './people.ts'

let serial = 0

interface AccountOptions {
  companyId?: string
  name?: string
  type?: 'standard' | 'managed'
  carrierCompanyId?: string
  users?: string[]
}

/** An account, in a new company unless `companyId` is given. */
export async function makeAccount(ctx: Context, { companyId, name, type = 'standard', carrierCompanyId, users }: AccountOptions = {}) {
  serial += 1
  return createAccount(ctx, {
    name: name ?? `Account ${serial}`,
    type,
    company_id: companyId ?? (await makeCompany(ctx)).id,
    ...(carrierCompanyId === undefined ? {} : { carrier_company_id: carrierCompanyId }),
    ...(users === undefined ? {} : { users }),
  })
}

/** A complete, plausible property; `values` override its fields. */
export async function makeProperty(ctx: Context, accountId: string, values: Partial<PropertyValues> = {}) {
  serial += 1
  return createProperty(ctx, {
    account_id: accountId,
    location_number: String(serial),
    property_name: `Building ${serial}`,
    address: `${100 + serial} Main St`,
    city: 'Los Angeles',
    state: 'CA',
    postal_code: '90012',
    latitude: 34.05,
    longitude: -118.24,
    construction_class: '4',
    year_built: 1990,
    stories: 2,
    floor_area: 20_000,
    property_type: 'office',
    sprinklered: 'full',
    building_value: 5_000_000,
    contents_value: 500_000,
    bi_value: 250_000,
    ...values,
  })
}
