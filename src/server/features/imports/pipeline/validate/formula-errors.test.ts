import { expect, test } from 'vitest'
import { SETTINGS } from '#server/features/imports/imports.fixture.ts'
import { columnStyle } from '#server/features/imports/pipeline/map/column-style.ts'
import { normalizeHeader } from '#server/features/imports/pipeline/read/headers.ts'
import { readCell } from './read-cell.ts'

const read = (field: Parameters<typeof readCell>[1], cell: string) =>
  readCell(cell, field, columnStyle(normalizeHeader(''), [cell], SETTINGS))

test.each(['#NAME?', '#REF!', '#DIV/0!', '#N/A', '#VALUE!', '#NUM!', '#SPILL!'])('“%s” is never a text, an amount or a number', (text) => {
  for (const field of ['property_name', 'description', 'building_value', 'year_built', 'construction_class', 'flood_zone'] as const)
    expect(read(field, text).value).toBeNull()
  for (const field of ['property_name', 'building_value'] as const)
    expect(read(field, text).problem).toMatchObject({ code: 'formula_without_value', severity: 'warning' })
  expect(read('address', text)).toEqual({ value: null })
})

test.each(['#1', '#12B', '# 4 / Main'])('“%s” is a text', (text) => expect(read('property_name', text)).toEqual({ value: text }))

test.each(['$ -', '$-', ' $   -   ', 'CHF -', '€ –'])('“%s” is no amount, as the format for accounting prints it', (text) =>
  expect(read('building_value', text)).toEqual({ value: 0 }),
)
