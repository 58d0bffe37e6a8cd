import { expect, test } from 'vitest'
import { commitLabel, fieldLabel, leftOut, placeName } from './import-labels.ts'
import { checkedImport } from './imports.fixture.ts'

test('the commit label says exactly what the import will do', () => {
  expect(commitLabel({ add: 3, change: 57, unchanged: 711 }, 3)).toBe('Add 3, change 57, mark 3 divested')
  expect(commitLabel({ add: 8_645 }, 0)).toBe('Add 8,645')
  expect(commitLabel({ change: 1 }, 2)).toBe('Change 1, mark 2 divested')
})

test('the commit label is empty when there is nothing to import', () => {
  expect(commitLabel({ unchanged: 60, errors: 4 }, 0)).toBe('')
})

test('rows that are left out are counted by reason', () => {
  expect(leftOut({ errors: 9, conflict: 2, excluded: 12 })).toBe('9 with errors, 2 to decide, 12 excluded')
  expect(leftOut({ add: 3 })).toBe('')
})

test('fields are shown by their label, custom fields by their name', () => {
  expect(fieldLabel('building_value')).toBe('Building value')
  expect(fieldLabel('Congressional District')).toBe('Congressional District')
})

test('rows and cells are named as in the file, with the sheet when several are imported together', () => {
  const alone = checkedImport()
  const [sheet] = alone.sheets
  const split = checkedImport({ sheets: sheet ? [sheet, { ...sheet, index: 1, name: 'Texas' }] : [] })
  const row = { sheet: 'Texas', sheet_row: 12 }
  expect([placeName(alone, row), placeName(alone, row, 'K')]).toEqual(['Row 12', 'K12'])
  expect([placeName(split, row), placeName(split, row, 'K')]).toEqual(['Texas, row 12', 'Texas, K12'])
})
