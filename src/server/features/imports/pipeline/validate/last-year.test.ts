import { expect, test } from 'vitest'
import type { PropertyFieldName } from '#contract/property-fields.ts'
import { SETTINGS } from '#server/features/imports/imports.fixture.ts'
import { columnStyle } from '#server/features/imports/pipeline/map/column-style.ts'
import { normalizeHeader } from '#server/features/imports/pipeline/read/headers.ts'
import { readCell } from './read-cell.ts'

const read = (field: PropertyFieldName, text: string) => readCell(text, field, columnStyle(normalizeHeader('Year'), [text], SETTINGS))

test.each([
  ['roof_year', '2010/2015'],
  ['wiring_year', '2015/2010'],
  ['year_upgraded', '2010-2015'],
] as const)('%s is the later year of %s, with a warning', (field, text) =>
  expect(read(field, text)).toEqual({
    value: 2015,
    problem: {
      code: 'placeholder_value',
      severity: 'warning',
      message: `“${text}” is read as 2015, the later year. Type the year if that is wrong.`,
    },
  }),
)

test('a later year that cannot be one leaves the field empty, and one year has no warning', () => {
  expect(read('roof_year', '2010/2150')).toMatchObject({ value: null, problem: { code: 'out_of_range' } })
  expect(read('roof_year', '2015')).toEqual({ value: 2015 })
})
