import { expect, test } from 'vitest'
import { columnLetters } from '#server/engines/spreadsheet/sheet.ts'
import { SETTINGS } from '#server/features/imports/imports.fixture.ts'
import { columnStyle } from '#server/features/imports/pipeline/map/column-style.ts'
import { checkedMapping } from '#server/features/imports/pipeline/map/propose-mapping.ts'
import { createReadPlan } from '#server/features/imports/pipeline/map/read-plan.ts'
import type { Cell } from '#server/features/imports/pipeline/read/cells.ts'
import type { NormalizedHeader } from '#server/features/imports/pipeline/read/headers.ts'
import { readRow } from './read-row.ts'

/** The country of a row, and the codes of its issues. */
function read(values: Partial<Record<'city' | 'county' | 'state' | 'postal_code' | 'country' | 'building_value' | 'currency', Cell>>) {
  const fields = ['address', ...Object.keys(values)]
  const cells = ['12 High Street', ...Object.values(values)]
  const mapping = checkedMapping(Object.fromEntries(fields.map((field, index) => [columnLetters(index + 1), field])))
  const styleOf = (index: number, header: NormalizedHeader) => columnStyle(header, [cells[index] ?? null], SETTINGS)
  const plan = createReadPlan(mapping, (letter) => mapping[letter] ?? '', styleOf, {})
  const { fields: found, issues } = readRow(cells, plan)
  return [found.country, ...issues.map(({ code }) => code)].join(' ')
}

test.each(['LS1 4AB', 'SW1A 1AA', 'm1 1ae', 'EC1A1BB'])('a row without country and state at %s is in Great Britain', (postal_code) => {
  expect(read({ city: 'Leeds', county: 'West Yorkshire', postal_code })).toBe('GB')
  expect(read({ city: 'Leeds', state: 'West Yorkshire', postal_code })).toBe('GB')
})
test('a row without country, state and postal code is in the country of its currency', () => {
  expect(read({ city: 'Leeds', building_value: '£1,200,000' })).toBe('GB')
  expect(read({ city: 'Zürich', postal_code: '8001', building_value: "CHF 1'200'000" })).toBe('CH')
  expect(read({ city: 'Monterrey', currency: 'MXN' })).toBe('MX')
})
test('a country, a state, and currencies of several countries count more', () => {
  expect(read({ city: 'Paris', state: 'TX', building_value: '£1,200,000' })).toBe('US')
  expect(read({ city: 'Toronto', state: 'ON', postal_code: 'M5H 1A1', building_value: '£5,000' })).toBe('CA')
  expect(read({ city: 'Dublin', country: 'Ireland', postal_code: 'LS1 4AB', building_value: '£5,000' })).toBe('IE')
  expect(read({ city: 'Fresno', building_value: '$1,200,000' })).toBe('US required_missing')
  expect(read({ city: 'Paris', building_value: '1200000 €' })).toBe('US required_missing')
  expect(read({ city: 'Toronto', postal_code: 'M5H 1A1' })).toContain('US')
})
