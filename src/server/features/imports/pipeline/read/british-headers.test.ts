import { expect, test } from 'vitest'
import { normalizeHeader, scoreHeader } from './headers.ts'

test.each([
  ['Buildings DV (£)', 'building_value'],
  ['Building DV', 'building_value'],
  ['Contents DV (£)', 'contents_value'],
  ['Buildings Declared Value', 'building_value'],
  ['GR (£)', 'bi_value'],
  ['Gross Rentals (GBP)', 'bi_value'],
  ['DV', 'stated_tiv'],
])('“%s” is %s', (header, target) => expect(scoreHeader(normalizeHeader(header))[0]).toMatchObject({ target, score: 1 }))
