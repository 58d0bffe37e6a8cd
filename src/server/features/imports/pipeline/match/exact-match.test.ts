import { expect, test } from 'vitest'
import { addressKeys } from '#server/engines/address/address-keys.ts'
import { registerRow } from '#server/features/imports/imports.fixture.ts'
import type { RowFields } from '#server/features/imports/pipeline/validate/results.ts'
import { isExact } from './exact-match.ts'

const PROPERTY = registerRow('depot', { location_number: '2', property_name: 'Depot', address: '5 Rail St', city: 'Newark', state: 'OH' })

test.each<[string, RowFields, boolean]>([
  ['only the number', { location_number: '2' }, true],
  ['the number and the name', { location_number: '2', property_name: 'Depot' }, true],
  ['the number and another name', { location_number: '2', property_name: 'Mill' }, false],
  ['the number and another address', { location_number: '2', address: '9 Elm St', city: 'Newark', state: 'OH' }, false],
])('a row with %s', (_, fields, exact) =>
  expect(isExact({ fields, keys: addressKeys(fields) }, { rule: 'number', property: PROPERTY })).toBe(exact),
)
