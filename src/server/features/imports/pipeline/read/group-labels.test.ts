import { describe, expect, test } from 'vitest'
import { readTable } from '#server/features/imports/imports.fixture.ts'
import type { Cell } from './cells.ts'
import { headerLabels } from './find-header.ts'

const PLACE = ['Loc #', 'Address', 'City', 'State', 'Zip']
const BLANK: Cell[] = [null, null, null, null, null]
const UNEQUAL = ['Building', 'Contents', 'BI', 'Building', 'Contents']

/** The header of a schedule with the rows above it, both without the columns of the place, and what is mapped to the values. */
async function mappedBelow(above: readonly (readonly Cell[])[], names: readonly string[]): Promise<string[]> {
  const locations = [1, 2].map((number) => {
    const place: Cell[] = [number, `${number} Main St`, 'Tulsa', 'OK', '74103']
    return place.concat(names.map((_, column) => 100_000 * (column + 1) + number * 1_000))
  })
  const { proposals = [] } = await readTable([...above.map((cells) => [...BLANK, ...cells]), [...PLACE, ...names], ...locations])
  return proposals.slice(PLACE.length).flatMap(({ header, target }) => (target === null || target === 'ignore' ? [] : [header]))
}
const NEWEST = ['2026 Building', '2026 Contents', 'BI']

describe('the years above blocks of columns', () => {
  test.each([
    ['at the beginning', ['2026', null, null, '2025', null]],
    ['in the middle', [null, '2026', null, '2025', null]],
    ['at the end', [null, null, '2026', null, '2025']],
    ['in different places', ['2026', null, null, null, '2025']],
  ])('are those of blocks of unequal size, also %s', async (_, years) => expect(await mappedBelow([years], UNEQUAL)).toEqual(NEWEST))
  test('are those of blocks of which the older one has more columns', async () =>
    expect(await mappedBelow([[null, '2026', null, null, '2025']], ['Building', 'Contents', 'Building', 'Contents', 'BI'])).toEqual(NEWEST))
  test('count next to a label of other columns', async () => {
    const { proposals = [] } = await readTable([
      ['Location', null, null, null, null, null, null, '2026', null, '2025'],
      [...PLACE, ...UNEQUAL],
      [1, '1 Main St', 'Tulsa', 'OK', '74103', 500_000, 60_000, 7_000, 400_000, 50_000],
      [2, '2 Main St', 'Tulsa', 'OK', '74103', 510_000, 61_000, 7_100, 410_000, 51_000],
    ])
    expect(proposals.slice(0, 7).map(({ header }) => header)).toEqual([...PLACE, '2026 Building', '2026 Contents'])
  })
  test.each([
    ['Year 2025 values', 'Year 2026 values'],
    ['Policy year 2025', 'Policy year 2026'],
    ['2025', 'New for 2026'],
    ['Expiring', 'New for 2026'],
    ['Values for 2025', 'Values for 2026'],
  ])('may have other words: “%s” and “%s”', async (older, newer) =>
    expect(await mappedBelow([[older, null, newer, null]], ['Building', 'Contents', 'Building', 'Contents'])).toEqual(
      ['Building', 'Contents'].map((name) => `${newer} ${name}`),
    ),
  )
})

test.each([
  ['New for 2026', 2],
  ['2026 Renewal', 2],
  ['2026', 2],
  ['2026', 0],
])('a year above one of two blocks is that of this block only: “%s”', async (label, column) => {
  const above = [0, 1, 2, 3].map((at) => (at === column ? label : null))
  expect(await mappedBelow([above], ['Building', 'Contents', 'Building', 'Contents'])).toEqual([`${label} Building`, `${label} Contents`])
})

describe('the years in the first of three header rows', () => {
  test.each([
    ['the older one first', '2025', '2026'],
    ['the newer one first', '2026', '2025'],
  ])('are parts of the names of columns, %s', async (_, first, second) => {
    const above = [
      [first, null, second, null],
      ['PD', 'BI', 'PD', 'BI'],
    ]
    expect(await mappedBelow(above, ['Value', 'Value', 'Value', 'Value'])).toEqual(['2026 PD Value', '2026 BI Value'])
  })
  test('are parts of them above a row of equal groups, and above a blank row', async () => {
    const names = ['Building', 'Contents', 'Building', 'Contents']
    const years = ['2025', null, '2026', null]
    expect(await mappedBelow([years, ['Insured values', null, 'Insured values', null]], names)).toEqual(['2026 Building', '2026 Contents'])
    expect(await mappedBelow([years, [null, null, null, null]], names)).toEqual(['2026 Building', '2026 Contents'])
  })
  test('are no titles', () => {
    const rows = [['SOV 2026', null, 'Revised 2025'], [null], ['Loc #', 'Building', 'Building']]
    const sheet = rows.map((cells, index) => ({ number: index + 1, hidden: false, cells }))
    expect(headerLabels(3, sheet, [])).toEqual(['Loc #', 'Building', 'Building'])
  })
})

describe('units in a row of groups', () => {
  const VALUES = ['Building', 'Contents', 'BI']
  test('are those of the columns below each label', async () => {
    const named = ['Building (in thousands)', 'Contents (in thousands)', 'BI']
    expect(await mappedBelow([['Property Values ($000)', null, 'Time Element ($)']], VALUES)).toEqual(named)
    expect(await mappedBelow([['Values in thousands', 'Values in thousands', 'Values in dollars']], VALUES)).toEqual(named)
    expect(await mappedBelow([['Dommages (en milliers)', null, "Pertes d'exploitation (en euros)"]], VALUES)).toEqual(named)
    expect(await mappedBelow([['Daños (en miles)', null, 'Lucro cesante (en dólares)']], VALUES)).toEqual(named)
  })
  test('are those of the file next to a title', async () => {
    expect(await mappedBelow([['Acme Holdings', null, 'in thousands']], VALUES)).toEqual(VALUES)
    expect(await mappedBelow([['Values in thousands']], VALUES)).toEqual(VALUES)
  })
})

test('deductibles are named by their group, so that they are no values', () => {
  const sheet = [
    ['', 'Values', null, 'Deductibles', null],
    ['Loc #', 'Building', 'Contents', 'AOP', 'Wind'],
    [1, 500_000, 60_000, 25_000, 50_000],
  ].map((cells, index) => ({ number: index + 1, hidden: false, cells }))
  expect(headerLabels(2, sheet, [])).toEqual(['Loc #', 'Building', 'Contents', 'Deductibles AOP', 'Deductibles Wind'])
})
