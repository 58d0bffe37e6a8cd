import { describe, expect, test } from 'vitest'
import { coverageField, findCoverageColumn } from './coverage-words.ts'

describe('the word of a coverage', () => {
  test.each([
    ['Building', 'building_value'],
    ['Bldg', 'building_value'],
    ['Coverage A - Building', 'building_value'],
    ['Building (RC)', 'building_value'],
    ['Bâtiments', 'building_value'],
    ['Edificios', 'building_value'],
    ['BPP', 'contents_value'],
    ['Business Personal Property', 'contents_value'],
    ['Contenu', 'contents_value'],
    ['Mobilier', 'contents_value'],
    ['Existencias', 'stock_value'],
    ['Equipo', 'machinery_value'],
    ['TI&B', 'improvements_value'],
    ['BI/EE', 'bi_value'],
    ['Perte de loyers', 'bi_value'],
    ['Lucro cesante', 'bi_value'],
    ['Total', 'stated_tiv'],
  ])('“%s” names %s', (word, field) => expect(coverageField(word)).toBe(field))
  test.each(['Replacement Cost', 'RCV', 'Special Form', 'All Risk', 'Flood', 'Fine Arts', 'Building & Contents', 'Limit', ''])(
    '“%s” names no field',
    (word) => expect(coverageField(word)).toBeUndefined(),
  )
})

describe('the column of coverages', () => {
  const found = (header: string, ...cells: string[]) => findCoverageColumn([{ header, cells }]) !== undefined
  test('is found by its header, also with words that are not known', () => {
    expect(found('Coverage', 'Building', 'BPP', 'Fine Arts', 'Signs')).toBe(true)
    expect(found('Objet assuré', 'Bâtiment', 'Bâtiment')).toBe(true)
    expect(found('Coverage', 'Special', 'Basic', 'Building')).toBe(false)
  })
  test('is found below any header if its words name at least two fields', () => {
    expect(found('Item', 'Edificio', 'Contenido')).toBe(true)
    expect(found('Item', 'Building', 'Building')).toBe(false)
    expect(found('Occupancy', 'Building', 'Office', 'Contents')).toBe(false)
  })
})
