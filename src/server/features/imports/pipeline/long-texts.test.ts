import { expect, test } from 'vitest'
import { CELL_MAX_CHARACTERS } from '#contract/reading-limits.ts'
import { PROPERTY_FIELD_NAMES } from '#contract/property-fields.ts'
import { SETTINGS } from '#server/features/imports/imports.fixture.ts'
import { columnStyle } from './map/column-style.ts'
import { classifyRows } from './read/classify-rows.ts'
import { normalizeHeader } from './read/headers.ts'
import { readCell } from './validate/read-cell.ts'
import { splitParts } from './validate/read-parts.ts'

/** Generous, for a busy machine: one text takes about 10 ms. */
const AT_MOST_MS = 1_500
const LABELS = ['Address', 'City', 'State']

test.each(['1', '20', ' ', 'A', '[', ' & ', 'a ', '\t', '.'])(
  'texts of the greatest length, of %j, are read within milliseconds',
  (unit) => {
    const text = `a${unit.repeat(CELL_MAX_CHARACTERS / unit.length - 2)}!`
    const begun = performance.now()
    const style = columnStyle(normalizeHeader(text), [text], SETTINGS)
    for (const field of PROPERTY_FIELD_NAMES) readCell(text, field, style)
    splitParts('full_address', text)
    classifyRows(
      [LABELS, [text, 'b', 'c'], [text, text]].map((cells, at) => ({ number: at + 1, hidden: false, cells })),
      1,
      LABELS,
    )
    expect(performance.now() - begun).toBeLessThan(AT_MOST_MS)
  },
)

test('a text that is longer than every field is too long, but not for its white space', () => {
  const style = columnStyle(normalizeHeader(''), [], SETTINGS)
  const address = readCell('1 Main St '.repeat(300), 'address', style)
  expect(address.problem).toMatchObject({
    code: 'too_long',
    severity: 'error',
    message: expect.stringContaining('2,999 characters; 100 fit'),
  })
  expect(readCell('1'.repeat(2_001), 'building_value', style)).toMatchObject({
    value: null,
    problem: { code: 'too_long', severity: 'warning' },
  })
  expect(readCell(`5${' '.repeat(3_000)}`, 'building_value', style)).toEqual({ value: 5 })
})
