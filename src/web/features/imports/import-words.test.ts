import { expect, test } from 'vitest'
import { allImported, cellName, columnLetter, commitSentence, fieldLabel, leftAside, rowName } from './import-words.ts'
import { checkedImport } from './imports.fixture.ts'
import { moveChosen } from './sheet-selection.ts'

test('the button says exactly what the import will do', () => {
  expect(commitSentence({ add: 3, change: 57, unchanged: 711 }, 3)).toBe('Add 3, change 57, mark 3 divested')
  expect(commitSentence({ add: 8_645 }, 0)).toBe('Add 8,645')
  expect(commitSentence({ change: 1 }, 2)).toBe('Change 1, mark 2 divested')
})

test('there is nothing to import when no row adds, changes or removes', () => {
  expect(commitSentence({ unchanged: 60, errors: 4 }, 0)).toBeNull()
})

test('rows that are left aside are counted by reason', () => {
  expect(leftAside({ errors: 9, conflict: 2, excluded: 12 })).toBe('9 with errors, 2 to decide, 12 excluded')
  expect(leftAside({ add: 3 })).toBe('')
})

test('a preview without skipped rows counts the rows to import', () => {
  expect(allImported({ add: 8_000, change: 600, unchanged: 45 })).toBe('All 8,645 rows will be imported.')
  expect(allImported({ add: 1 })).toBe('The row will be imported.')
})

test('columns carry the letters of a spreadsheet', () => {
  expect([1, 26, 27, 52, 53, 300].map(columnLetter)).toEqual(['A', 'Z', 'AA', 'AZ', 'BA', 'KN'])
})

test('fields are named by their label, custom ones by themselves', () => {
  expect(fieldLabel('building_value')).toBe('Building value')
  expect(fieldLabel('Congressional District')).toBe('Congressional District')
})

test('keys move the chosen cell within the sheet; left of the first cell stands the row', () => {
  expect(moveChosen({ row: 0, column: 0 }, 'ArrowUp', 10, 5)).toEqual({ row: 0, column: 0 })
  expect(moveChosen({ row: 9, column: 4 }, 'ArrowRight', 10, 5)).toEqual({ row: 9, column: 4 })
  expect(moveChosen({ row: 3, column: 0 }, 'ArrowLeft', 10, 5)).toEqual({ row: 3, column: null })
  expect(moveChosen({ row: 3, column: null }, 'ArrowRight', 10, 5)).toEqual({ row: 3, column: 0 })
  expect(moveChosen({ row: 3, column: 2 }, 'PageDown', 10, 5)).toEqual({ row: 9, column: 2 })
})

test('rows and cells are named as in the file, with their sheet when several are imported together', () => {
  const alone = checkedImport()
  const [sheet] = alone.sheets
  const split = checkedImport({ sheets: sheet ? [sheet, { ...sheet, index: 1, name: 'Texas' }] : [] })
  const row = { sheet: 'Texas', sheet_row: 12 }
  expect([rowName(alone, row), cellName(alone, 'K', row)]).toEqual(['Row 12', 'K12'])
  expect([rowName(split, row), cellName(split, 'K', row)]).toEqual(['Texas, row 12', 'Texas, K12'])
})
