import { expect, test } from 'vitest'
import { SETTINGS } from '#server/features/imports/imports.fixture.ts'
import { columnStyle } from '#server/features/imports/pipeline/map/column-style.ts'
import type { PlannedColumn } from '#server/features/imports/pipeline/map/read-plan.ts'
import { normalizeHeader } from '#server/features/imports/pipeline/read/headers.ts'
import { totalQuestion } from './total-question.ts'

const column = (target: PlannedColumn['target'], header: string): PlannedColumn => ({
  index: 0,
  column: 'C',
  header,
  target,
  style: columnStyle(normalizeHeader(header), [], SETTINGS),
})
const EXCEEDING = { stated: 10_000, 'stated parts': 1_000, 'stated rows': 10, 'stated above parts': 9 }
const money = (total: number | null) => [{ letter: 'J', header: 'Appraised', total, currency: null }]
const ask = (columns: PlannedColumn[], facts: Partial<Parameters<typeof totalQuestion>[0]> = {}) =>
  totalQuestion({ constants: {}, plan: { columns }, tally: EXCEEDING, ...facts })

test.each(['Insured Value', 'Declared Value', 'Limit of Insurance'])(
  '“%s” that exceeds the other values in nearly all rows may be the building value',
  (header) => {
    const columns = [column('stated_tiv', header), column('contents_value', 'Contents'), column('stock_value', 'Stock')]
    const message = `No column has building values, and column C, “${header}”, exceeds the sum of “Contents”, “Stock” in nearly all rows. Import it as the building value?`
    expect(ask(columns)).toEqual([
      { constant: 'tiv_column', suggestion: 'building_value', message, options: { stated_tiv: 'No, only as the total' } },
    ])
    expect(ask(columns, { tally: { ...EXCEEDING, 'stated above parts': 8 } })).toEqual([])
    expect(ask(columns, { constants: { tiv_column: 'stated_tiv' } })).toEqual([])
    // Since the answer, the column is mapped to the total again.
    expect(ask(columns, { constants: { tiv_column: 'building_value' } })).toHaveLength(1)
    expect(ask([...columns, column('building_value', 'Building')])).toEqual([])
  },
)

test('a total that includes the other values is suggested as the total only', () => {
  const columns = [column('stated_tiv', 'TIV'), column('contents_value', 'Contents')]
  expect(ask(columns, { tally: { ...EXCEEDING, 'stated above parts': 10 } })).toEqual([
    {
      constant: 'tiv_column',
      suggestion: 'stated_tiv',
      message: 'No column has building values, and column C, “TIV”, exceeds “Contents” in all rows. Import it only as the total?',
      options: { stated_tiv: 'Yes, only as the total', building_value: 'No, as the building value' },
    },
  ])
})

test('columns of what was recommended or appraised do not have the building values of the client', () => {
  const of = (header: string) => ({ unmapped: [{ letter: 'D', header, total: 8_000, currency: null }] })
  for (const other of ['Recommended Value', 'Appraised Value', 'Broker Value'])
    expect([other, ...ask([column('stated_tiv', "Insured's Value")], of(other))]).toHaveLength(2)
  expect(ask([column('stated_tiv', 'Total')], of('Broker Value'))).toHaveLength(1)
})
test('columns of money without a mapping that may have the building values come first', () => {
  const columns = [column('stated_tiv', 'Total')]
  expect(ask(columns, { unmapped: money(8_000) })).toEqual([])
  expect(ask(columns, { unmapped: money(null) })).toEqual([])
  expect(ask(columns, { unmapped: money(500) })).toHaveLength(1)
})
