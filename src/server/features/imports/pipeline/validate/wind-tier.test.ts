import { expect, test } from 'vitest'
import { SETTINGS } from '#server/features/imports/imports.fixture.ts'
import { columnStyle } from '#server/features/imports/pipeline/map/column-style.ts'
import { normalizeHeader } from '#server/features/imports/pipeline/read/headers.ts'
import { readCell } from './read-cell.ts'

test.each([
  ['Tier 1 Wind (Y/N)', 'Y', 'Tier 1', undefined],
  ['Tier 1 Wind (Y/N)', 'N', null, undefined],
  ['Tier 2', 'Yes', 'Tier 2', undefined],
  ['Wind Tier', 'Y', null, 'unknown_code'],
  ['Wind Tier', 'Tier 1', 'Tier 1', undefined],
  ['Wind Tier', 2, '2', undefined],
])('below “%s”, “%s” is the wind tier %s', (header, cell, expected, code) => {
  const { value, problem } = readCell(cell, 'wind_tier', columnStyle(normalizeHeader(header), [cell], SETTINGS))
  expect([value, problem?.code]).toEqual([expected, code])
})
