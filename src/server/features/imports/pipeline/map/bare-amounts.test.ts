import { expect, test } from 'vitest'
import { SETTINGS } from '#server/features/imports/imports.fixture.ts'
import { cellQuestions } from '#server/features/imports/pipeline/plan/cell-questions.ts'
import { normalizeHeader } from '#server/features/imports/pipeline/read/headers.ts'
import type { Cell } from '#server/features/imports/pipeline/read/cells.ts'
import { readMoney } from '#server/features/imports/pipeline/validate/read-numbers.ts'
import { columnStyle } from './column-style.ts'
import type { FileSettings } from './file-settings.ts'

const styleOf = (cells: readonly Cell[], header = 'BI Value', settings: Partial<FileSettings> = {}) =>
  columnStyle(normalizeHeader(header), cells, { ...SETTINGS, ...settings })
const questions = (cells: readonly Cell[], header = 'BI Value', settings: Partial<FileSettings> = {}) =>
  cellQuestions([{ index: 0, column: 'O', header, target: 'bi_value', style: styleOf(cells, header, settings) }])
const MIXED = [90, 101, '112', '123 K', 134, '145K', '$156', 0, '1,200,000']

test('small amounts next to some with a multiple are a question', () => {
  expect(questions(MIXED)).toEqual([
    {
      constant: 'bare_amounts',
      suggestion: 'multiply',
      message: 'Column O, “BI Value”, has amounts such as 90 next to others such as 123 K. Multiply those below 10,000 by 1,000?',
      options: { multiply: 'Yes, × 1,000', written: 'No, as written' },
    },
  ])
  expect(questions([12, '1.5M', 3_000_000])[0]?.message).toContain('Multiply those below 100 by 1,000,000?')
})

test.each<[string, readonly Cell[], string?, Partial<FileSettings>?]>([
  ['all amounts are full ones', [1_500_000, '1927K', '2.3M', 0]],
  ['no amount has a multiple', [90, 101]],
  ['all have one', ['90K', '1.2M']],
  ['the header names the unit', MIXED, 'BI ($000)'],
  ['the user named the unit', MIXED, 'BI', { factor: 1_000 }],
  ['the user answered', MIXED, 'BI', { bareAmounts: 'written' }],
])('there is no question if %s', (_, cells, header, settings) => expect(questions(cells, header, settings)).toEqual([]))

test('the answer multiplies the small amounts only', () => {
  const read = (bareAmounts: FileSettings['bareAmounts']) =>
    MIXED.map((cell) => readMoney(cell ?? '', styleOf(MIXED, 'BI', { bareAmounts })).value)
  expect(read('multiply')).toEqual([90_000, 101_000, 112_000, 123_000, 134_000, 145_000, 156_000, 0, 1_200_000])
  expect(read('written')).toEqual([90, 101, 112, 123_000, 134, 145_000, 156, 0, 1_200_000])
})
