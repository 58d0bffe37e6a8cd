import { expect, test } from 'vitest'
import { SETTINGS } from '#server/features/imports/imports.fixture.ts'
import { columnStyle } from '#server/features/imports/pipeline/map/column-style.ts'
import { normalizeHeader } from '#server/features/imports/pipeline/read/headers.ts'
import { readMoney } from './read-numbers.ts'

const read = (text: string) => {
  const { value, problem } = readMoney(text, columnStyle(normalizeHeader('Building'), ['1,000,000', '2,500,000.00'], SETTINGS))
  return [value, problem?.code]
}

test.each([
  ['2,500,000*', 2_500_000],
  ['* $2,500,000', 2_500_000],
  ['2,500,000 **', 2_500_000],
  ['2,500,000†', 2_500_000],
  ['$2.5M (2025)', 2_500_000],
  ['2,500,000(1)', 2_500_000],
  ['$2,500,000.00 (2)', 2_500_000],
  ['2,500,000¹', 2_500_000],
  ['$2,500,000 (2025)*', 2_500_000],
  ['2,500,000 RC', 2_500_000],
  ['2,500,000 (ACV)', 2_500_000],
  ['USD 1.5m rcv', 1_500_000],
  ['2.500.000', 2_500_000],
  ['2,5 Mio', 2_500_000],
  ['1,25M', 1_250_000],
  ['2 500 000', 2_500_000],
])('the amount in “%s” is read without its notes', (text, value) => expect(read(text)).toEqual([value, undefined]))

test.each([
  ['$2,500,000 est.', 2_500_000],
  ['2,500,000 (estimate)', 2_500_000],
  ['approx 3,000,000', 3_000_000],
  ['Approx. $3M', 3_000_000],
  ['~2,500,000', 2_500_000],
  ['~ $2,500,000 RC', 2_500_000],
  ['ca. 900K', 900_000],
  ['about USD 900,000', 900_000],
  ['2,500,000 +/-', 2_500_000],
])('“%s” is read with a warning that it is an estimate', (text, value) => expect(read(text)).toEqual([value, 'estimate']))

test.each([
  'see note',
  '1,000,000 + 250,000',
  '1000000\n250000',
  '$2,500,000/bldg',
  'CR 2,500,000',
  '2,500,00',
  '>2,500,000',
  '2,500,000 in 2025',
  '12.000 est.',
])('“%s” is not guessed', (text) => expect(read(text)).toEqual([null, 'not_a_number']))
