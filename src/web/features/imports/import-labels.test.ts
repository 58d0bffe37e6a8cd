import { expect, test } from 'vitest'
import { progressLabel } from '#web/engines/account/import-progress.ts'
import {
  commitLabel,
  displayText,
  fieldLabel,
  fileRows,
  leftOutAmount,
  fileSumLabel,
  placeName,
  readText,
  registerText,
  statedTotal,
} from './import-labels.ts'
import { leftOut, leftOutValue, unmappedAmount, unmappedReason } from './left-out-labels.ts'
import type { Import } from '#contract/imports.ts'
import { checkedImport } from './imports.fixture.ts'

test('the commit label says exactly what the import will do', () => {
  expect(commitLabel({ add: 3, change: 57, unchanged: 711 }, 3)).toBe('Add 3, change 57, mark 3 divested')
  expect(commitLabel({ add: 8_645 }, 0)).toBe('Add 8,645')
  expect(commitLabel({ add: 60 }, 0, 2)).toBe('Add 60, and confirm 2 columns')
  expect(commitLabel({ change: 1 }, 2)).toBe('Change 1, mark 2 divested')
})

test('the commit label is empty when there is nothing to import', () => {
  expect(commitLabel({ unchanged: 60, errors: 4 }, 0)).toBe('')
})

test('rows that are left out are counted by reason', () => {
  const out = (rows: number) => ({ left_out: { rows, tiv: 0, currency: 'USD' } })
  expect(leftOut({ counts: { errors: 9, conflict: 2, excluded: 12 }, sums: null })).toBe(
    '9 with errors, 2 to decide, 12 other rows (titles, totals and excluded locations)',
  )
  expect(leftOut({ counts: { excluded: 1 }, sums: out(1) })).toBe('1 left out by a decision')
  expect(leftOut({ counts: { excluded: 1 }, sums: out(0) })).toBe('1 other row (titles and totals)')
  expect(leftOut({ counts: { errors: 2, excluded: 9 }, sums: out(6) })).toBe(
    '2 with errors, 4 left out by a decision, 5 other rows (titles and totals)',
  )
  expect(leftOut({ counts: { add: 3 }, sums: out(0) })).toBe('')
  expect(leftOut({ counts: { excluded: 6 }, sums: { ...out(0), merged_rows: 5 } })).toBe(
    '5 that were added to earlier rows, 1 other row (titles and totals)',
  )
})

test('values that differ only in decimals look different before and after an import', () => {
  expect([readText(12_000.004, 'floor_area'), readText(12_000, 'floor_area')]).toEqual(['12,000.004', '12,000'])
  expect(registerText('floor_area', 12_000.004)).toBe('12,000.004 sq ft')
  expect(registerText('building_value', 1_234_567.89)).toBe('$1,234,567.89')
  // A formula of the file may have a result with many digits.
  expect(displayText(1_234_567.890_000_1, 'building_value')).toBe('1,234,567.89')
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

const totalOf = (change: object, unmapped_money: Import['unmapped_money'] = [], columns: Import['columns'] = []) => {
  const { sums } = checkedImport()
  return statedTotal({ sums: sums && { ...sums, ...change }, unmapped_money, columns })
}

test('a totals row is compared with the rows in the fields that it states', () => {
  const parts = { stated: 250, stated_parts: ['building_value'], stated_rows: 250 }
  expect(totalOf(parts)).toEqual({
    amount: '$250',
    source: 'Totals row of the file',
    only: 'Building value only',
    names: 'Building value',
    agrees: true,
    isWhole: true,
    note: 'Agrees with the rows',
  })
  expect(totalOf({ ...parts, stated_rows: 200 })).toMatchObject({ agrees: false, note: '$50 more than the rows' })
  expect(totalOf({ stated: 310 })).toMatchObject({ only: '', agrees: false, note: '$10 more than the rows' })
})

test('a totals row agrees only in part if it has totals of columns that are not mapped', () => {
  const parts = { stated: 250, stated_parts: ['building_value'], stated_rows: 250 }
  expect(totalOf({ ...parts, stated_unmapped: ['H'] })).toMatchObject({
    agrees: true,
    isWhole: false,
    note: 'Agrees with the rows; the total of column H is not compared, because it is not imported',
  })
  expect(totalOf({ ...parts, stated_unmapped: ['H', 'I'] })?.note).toContain('the totals of columns H and I are not compared')
  expect(totalOf({ stated: 300, stated_unmapped: ['H'] })).toMatchObject({ isWhole: true, note: 'Agrees with the rows' })
})

test('a totals row agrees only in part if it has totals of columns that are stored as custom fields', () => {
  const change = { stated: 250, stated_parts: ['building_value'], stated_rows: 250 }
  const custom = (letter: string) => ({ letter, header: letter, total: 90, currency: null, left_out: true, custom_field: true })
  expect(totalOf({ ...change, stated_unmapped: ['H'] }, [custom('H')])).toMatchObject({
    isWhole: false,
    note: 'Agrees with the rows; the total of column H is not compared, because it is not imported as a value',
  })
  expect(totalOf({ ...change, stated_unmapped: ['H', 'I'] }, [custom('H'), custom('I')])?.note).toContain('not imported as values')
})

test('columns of money without a field are named with every reason, and their amounts by currency', () => {
  const open = { letter: 'H', header: 'Stock', total: 50, currency: null }
  const out = { ...open, total: 7, left_out: true }
  const custom = { ...out, total: 900, currency: 'EUR', custom_field: true }
  const labelsOf = (...columns: Import['unmapped_money']) => {
    const data = { unmapped_money: columns, sums: checkedImport().sums }
    return [unmappedAmount(data), unmappedReason(data)]
  }
  expect(labelsOf(open)).toEqual(['$50', 'not mapped'])
  expect(labelsOf(custom)).toEqual(['€900', 'kept as a custom field'])
  expect(labelsOf(out, custom)).toEqual(['$7 and €900', 'left out or kept as a custom field'])
  expect(labelsOf(open, custom, custom)).toEqual(['$50 and €1,800', 'not mapped or kept as custom fields'])
  expect(labelsOf(out, { ...custom, total: null })).toEqual(['$7 and more', 'left out or kept as a custom field'])
  expect(labelsOf({ ...custom, total: null })).toEqual(['Amounts not known', 'kept as a custom field'])
})

test('a total column is compared with the rows that have a total, which are counted if others have none', () => {
  const column = { stated: 250, stated_by: 'total_column', stated_rows: 250, stated_in: 2 }
  expect(totalOf(column)).toMatchObject({ agrees: true, note: 'Agrees with the 2 rows that have one; 1 row without' })
  expect(totalOf({ ...column, stated: 290 })).toMatchObject({ note: '$40 more than the 2 rows that have one; 1 row without' })
  expect(totalOf({ ...column, stated_in: 3 })).toMatchObject({ note: 'Agrees with the rows' })
})

test('the sum of the mapped columns is that of the file only if nothing contradicts it', () => {
  const { sums } = checkedImport()
  const labelOf = (stated: number | null, ...unmapped_money: Import['unmapped_money']) =>
    fileSumLabel({
      sums: sums && { ...sums, stated, stated_by: 'total_column' },
      unmapped_money,
      columns: [],
      issues: [],
      questions: [],
      sheets: [],
    })
  expect([labelOf(null), labelOf(300)]).toEqual(['In the file', 'In the file'])
  expect(labelOf(22_900_000)).toBe('In the mapped columns')
  expect(labelOf(null, { letter: 'G', header: 'Stock', total: 5, currency: null })).toBe('In the mapped columns')
  expect(totalOf({ stated: 22_900_000, stated_by: 'total_column' })).toMatchObject({
    source: 'Total column of the file',
    note: '$22,899,700 more than the rows',
  })
})

test('the sum is not that of the file while another sheet may belong to the schedule', () => {
  const { sums } = checkedImport()
  const sheet = { index: 0, name: 'Locations', rows: 11, hidden: false, taken: true, joinable: true, note: null }
  const other = { ...sheet, index: 1, name: 'Values', taken: false, joinable: false }
  const labelOf = (...sheets: Import['sheets']) => fileSumLabel(checkedImport({ sums: sums && { ...sums, stated: null }, sheets }))
  const note = 'Its columns are not those of “Locations”, or in another order. Import its 11 rows in a second import.'
  expect(labelOf(sheet, other)).toBe('In the file')
  expect(labelOf(sheet, { ...other, note })).toBe('In this sheet')
  expect(labelOf(sheet, { ...sheet, index: 2 }, { ...other, note })).toBe('In these sheets')
})

test('rows below another header are counted, and their value is not known', () => {
  const { sums } = checkedImport()
  if (!sums) throw new Error('The fixture has no sums.')
  const outOf = (tiv: number) => ({ ...sums, left_out: { rows: 2, tiv, currency: 'USD' }, unread_rows: 2 })
  expect(fileRows(outOf(0))).toBe('3 locations, 2 not read')
  expect([leftOutAmount(outOf(0)), leftOutAmount(outOf(5_000))]).toEqual(['value not known', '$5,000 and more'])
  expect(leftOutValue({ sums: outOf(0), state: 'committed' })).toBe('2 rows, value not known, were not imported')
  const labelOf = (change: Partial<Import>) => fileSumLabel({ ...checkedImport({ sums: { ...sums, stated: null } }), ...change })
  expect(labelOf({ sums: { ...outOf(0), stated: null } })).toBe('In the rows that were read')
  const question = { constant: 'other_tables', suggestion: 'exclude', message: 'Leave out the rows?' }
  expect([labelOf({}), labelOf({ questions: [question] })]).toEqual(['In the file', 'In the mapped columns'])
})

test('a difference of up to half a unit per amount is rounding', () => {
  expect(totalOf({ stated: 301 })).toMatchObject({ agrees: true, note: 'Agrees with the rows, after rounding' })
  expect(totalOf({ stated: 302 })).toMatchObject({ agrees: false, note: '$2 more than the rows' })
  const columns = checkedImport()
    .columns.slice(0, 1)
    .flatMap((column) => ['building_value', 'bi_value', 'stated_tiv'].map((field) => ({ ...column, field })))
  expect([totalOf({ stated: 303 }, [], columns)?.agrees, totalOf({ stated: 304 }, [], columns)?.agrees]).toEqual([true, false])
  const parts = { stated_parts: ['building_value', 'contents_value'], stated_rows: 300 }
  expect([totalOf({ ...parts, stated: 297 })?.agrees, totalOf({ ...parts, stated: 296 })?.agrees]).toEqual([true, false])
})

test('a column without a mapping explains a difference of exactly its money', () => {
  expect(totalOf({ stated: 310 }, [{ letter: 'P', header: 'Stock', total: 10, currency: null }])?.note).toBe(
    '$10 more than the rows: column P',
  )
  expect(totalOf({ stated: 320 }, [{ letter: 'P', header: 'Stock', total: 10, currency: null }])?.note).toBe('$20 more than the rows')
})

test('amounts in several currencies are not compared with a total', () => {
  expect(totalOf({ file: { rows: 3, tiv: 300, currency: null } })).toBeNull()
  expect(totalOf({ stated: null })).toBeNull()
})

test('a totals row of several fields counts them, so that their names do not cover the button', () => {
  const parts = { stated: 300, stated_parts: ['building_value', 'contents_value'], stated_rows: 300 }
  expect(totalOf(parts)).toMatchObject({ only: '2 values only', names: 'Building value, Contents (BPP)' })
})

test('the commit button says how many rows stay out', () => {
  expect(commitLabel({ change: 756, conflict: 15 }, 0)).toBe('Change 756, leave out 15')
  expect(commitLabel({ conflict: 15 }, 0)).toBe('')
})

test('an import is ready only when nothing is left to settle', () => {
  const settled = { answers: 0, columns: 0, decisions: 0 }
  const labelOf = (open: object, counts: object = {}) =>
    progressLabel(checkedImport({ open: { ...settled, ...open }, counts: { ...checkedImport().counts, errors: 0, ...counts } }))
  expect(labelOf({})).toBe('Ready to import')
  expect(labelOf({ answers: 2, columns: 1 })).toBe('Waits for 2 answers')
  expect(labelOf({ columns: 1, decisions: 15 })).toBe('1 column to confirm, 15 rows to decide')
  expect(labelOf({}, { errors: 3 })).toBe('3 rows with errors')
  expect(progressLabel(checkedImport({ activity: 'committing' }))).toBe('Writing to the register')
})

test('a difference from the totals row is explained by a column without a mapping, within the rounding of the rows', () => {
  const column = (letter: string, total: number | null, currency: string | null = null) => ({ letter, header: letter, total, currency })
  const { sums } = checkedImport()
  const rows = sums?.file.rows ?? 0
  const note = (...columns: Import['unmapped_money']) => totalOf({ stated: 9_000, stated_parts: [], stated_rows: 4_000 }, columns)?.note
  expect(note(column('P', 5_000 + rows / 2))).toBe('$5,000 more than the rows: column P')
  expect(note(column('P', 3_000), column('Q', 2_000))).toBe('$5,000 more than the rows: column P, Q')
  expect(note(column('P', 3_000), column('Q', 5_000))).toBe('$5,000 more than the rows: column Q')
  expect(note(column('P', 5_000, 'CAD'))).toBe('$5,000 more than the rows')
  expect(note(column('P', 5_000 + rows), column('Q', null))).toBe('$5,000 more than the rows')
})
