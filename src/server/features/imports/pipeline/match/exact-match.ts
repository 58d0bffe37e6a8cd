import type { AddressKeys } from '#server/engines/address/address-keys.ts'
import type { RowFields } from '#server/features/imports/pipeline/validate/results.ts'
import { hasSameName } from './compare-identity.ts'
import type { MatchRule } from './match-rows.ts'
import type { RegisterRow } from './register-index.ts'

/** Whether a match is certain: by client reference, by the whole address, or by number together with address or name, if the row has one. */
export function isExact(
  row: { fields: RowFields; keys: AddressKeys },
  { rule, property }: { rule: MatchRule; property: RegisterRow },
): boolean {
  const { fields, keys } = row
  if (rule === 'external_id') return true
  const sameAddress =
    keys.strong === null ? keys.weak !== null && keys.weak === property.weakAddressKey : keys.strong === property.addressKey
  if (rule === 'address_building') return sameAddress
  const isOnlyNumber = !fields.address && !fields.property_name
  return rule === 'number' && (sameAddress || isOnlyNumber || (!keys.strong && hasSameName(fields, property.values)))
}
