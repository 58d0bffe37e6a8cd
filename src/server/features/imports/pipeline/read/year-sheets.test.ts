import { expect, test } from 'vitest'
import type { Cell } from './cells.ts'
import { EMPTY_LAYOUT } from './sheet-head.ts'
import { sheetYear } from './sheet-year.ts'
import { surveySheets } from './survey-sheets.ts'

const HEADER = ['Loc #', 'Name', 'Address', 'City', 'State', 'Zip', 'Building', 'Contents', 'BI']
const locations = (count: number, building: Cell = 2_345_678, first = 1): Cell[][] =>
  Array.from({ length: count }, (_, at) => [
    first + at,
    `Site ${first + at}`,
    `${first + at} Main St`,
    'Tulsa',
    'OK',
    '74103',
    building,
    100_000,
    5_000,
  ])

/** The name of the proposed sheet. */
function proposed(...sheets: readonly (readonly [name: string, rows: readonly Cell[][], hidden?: boolean | undefined])[]) {
  const heads = sheets.map(([name, rows, hidden = false], index) => {
    const head = rows.map((cells, at) => ({ number: at + 1, hidden: false, cells }))
    return { ...EMPTY_LAYOUT, index, name, hidden, rows: rows.length, head }
  })
  return surveySheets(heads).proposed?.name
}
const sheet = (name: string, count: number, title?: string) =>
  [name, [...(title === undefined ? [] : [[title]]), HEADER, ...locations(count)]] as const

test.each([
  ['SOV 2026', 'SOV 2025'],
  ['26-27 SOV', '25-26 SOV'],
  ['2026-27', '2025-26'],
  ['FY26', 'FY25'],
  ['FY 2026 Values', 'FY 2025 Values'],
])('%s wins over %s, regardless of the order and the number of rows', (newer, older) => {
  expect(proposed(sheet(newer, 8), sheet(older, 9))).toBe(newer)
  expect(proposed(sheet(older, 40), sheet(newer, 18))).toBe(newer)
})

test('the year in a title counts for the same locations', () => {
  expect(proposed(sheet('Sheet1', 20, 'Statement of Values 2025'), sheet('Sheet2', 18, 'Statement of Values 2026'))).toBe('Sheet2')
  const rows: Cell[][] = [['Values as of 1/1/2026'], HEADER, ...locations(18, 1_234_567, 50)]
  const other = ['Sheet2', rows] as const
  expect(proposed(sheet('Sheet1', 20, 'Values as of 12/31/2025'), other)).toBe('Sheet1')
})

test.each<[string, Cell[][], boolean?]>([
  ['without values', locations(9).map((cells) => cells.slice(0, 6))],
  ['that is nearly empty', locations(2)],
  ['that is hidden', locations(9), true],
])('a newer sheet %s does not win', (_, rows, hidden) =>
  expect(proposed(sheet('SOV 2025', 12), ['SOV 2026', [HEADER, ...rows], hidden])).toBe('SOV 2025'),
)

test('a fiscal year is the year of a sheet', () =>
  expect(['FY26', "fy '27 values", 'Taffy 12'].map(sheetYear)).toEqual([2026, 2027, undefined]))
