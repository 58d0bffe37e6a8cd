import { propertyCalls } from '#contract/account-properties.ts'
import { accountCalls } from '#contract/accounts.ts'
import type { Client } from './client.ts'

/** Creates a standard account with complete properties of equal value; returns its id. */
export async function makeAccount(client: Client, name: string, properties = 0): Promise<string> {
  const { data } = await client(accountCalls.create, { body: { name, type: 'standard' } })
  for (let number = 1; number <= properties; number += 1) await makeProperty(client, data.id, number)
  return data.id
}

export async function makeProperty(client: Client, accountId: string, number: number): Promise<string> {
  const { data } = await client(propertyCalls.create, {
    body: {
      account_id: accountId,
      location_number: String(number),
      property_name: `Mill ${number}`,
      address: `${number} Foundry St`,
      city: 'Sacramento',
      state: 'CA',
      postal_code: '95814',
      country: 'US',
      construction_class: '4',
      property_type: 'office',
      year_built: 1990,
      stories: 2,
      floor_area: 20_000,
      building_value: 1_000_000,
    },
  })
  return data.id
}
