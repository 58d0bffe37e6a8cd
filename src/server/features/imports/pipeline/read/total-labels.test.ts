import { describe, expect, test } from 'vitest'
import type { Cell, SheetRow } from './cells.ts'
import { classifySchedule } from './classify-rows.ts'
import { headerLabels } from './find-header.ts'
import { sideTableStart } from './side-table.ts'

const cellsOf = (line: string) => line.split(',').map((text): Cell => (text === '' ? null : /^\d[\d.]*$/.test(text) ? Number(text) : text))
const rowsOf = (lines: readonly string[]): SheetRow[] =>
  lines.map((line, index) => ({ number: index + 1, hidden: false, cells: cellsOf(line) }))

/** The numbers of the rows that may be totals. */
async function doubtsIn(lines: readonly string[]): Promise<number[]> {
  const rows = rowsOf(lines)
  const doubts: number[] = []
  await classifySchedule(
    (async function* batches() {
      yield rows.map((row) => ({ ...row, sheet: 0, sheetRow: row.number }))
    })(),
    [{ index: 0, headerRow: 1 }],
    headerLabels(1, rows, []),
    () => {},
    async () => {},
    (row) => doubts.push(row),
  )
  return doubts
}

describe('“Total” as the answer in a column', () => {
  test.each([
    ['of sprinklers', 'Sprinkler', 'Total,Partial,None,Total'],
    ['of occupancy', 'Bldg Occupied', 'Total,Partial,Vacant,Total'],
    ['of vacancy', 'Vacancy', 'None,Total,None,None'],
    ['without a known header', 'Loss Control', 'Partial,Total,Full,Yes'],
  ])('%s is no label of a sum', async (_, header, answers) => {
    const [first, second, third, fourth] = answers.split(',')
    expect(
      await doubtsIn([
        `Loc,Address,City,State,Zip,${header},Building,Contents`,
        `1,10 Mill Rd,Reno,NV,89502,${first},8000000,600000`,
        `2,12 Mill Rd,Reno,NV,89502,${second},2000000,85000`,
        `3,14 Elm St,Boise,ID,83702,${third},3100000,90000`,
        `4,14 Elm St,Boise,ID,83702,${fourth},4100000,95000`,
      ]),
    ).toEqual([])
  })

  test('is the label of a sum above its buildings in a column without answers', async () =>
    expect(
      await doubtsIn([
        'Community,Bldg,Address,City,State,Zip,Building,Contents,Rents',
        'Oak Park,Total,1 Oak Dr,Reno,NV,89501,7000000,45000,810000',
        'Oak Park,1,1 Oak Dr,Reno,NV,89501,3600000,20000,',
        'Oak Park,2,3 Oak Dr,Reno,NV,89501,3400000,25000,',
      ]),
    ).toEqual([2]))

  test('is no label in a schedule without numbers of locations', async () =>
    expect(
      await doubtsIn([
        'Address,City,State,Sprinkler,Building,Contents',
        '10 Mill Rd,Reno,NV,Total,8000000,600000',
        '12 Mill Rd,Reno,NV,Total,2000000,85000',
      ]),
    ).toEqual([]))

  test.each([
    ['without an address', ',,Reno,NV,,Total,10003000,685000'],
    ['with the address of the last location', ',12 Mill Rd,Reno,NV,89502,Total,10003000,685000'],
    ['with the number of locations', '2,2 locations,Reno,NV,,Total,10003000,685000'],
    ['as the name of the row', '3,12 Mill Rd,Reno,NV,89502,,10003000,685000,Total'],
  ])('is a label in a row %s', async (_, total) =>
    expect(
      await doubtsIn([
        'Loc,Address,City,State,Zip,Construction,Building,Contents,Name',
        '1,10 Mill Rd,Reno,NV,89502,Masonry,8000000,600000,Mill',
        '2,12 Mill Rd,Reno,NV,89502,Frame,2001000,85500,Shop',
        total,
      ]),
    ).toEqual([4]),
  )
})

const HEADER = 'Loc,Address,City,State,Zip,Building,Contents'
const LOCATIONS = [
  '1,10 Mill Rd,Reno,NV,89502,8000000,600000',
  '2,12 Mill Rd,Reno,NV,89502,2000000,85000',
  '3,14 Elm St,Boise,ID,83702,3100000,90000',
  '4,16 Elm St,Boise,ID,83702,4000000,190000',
]
const EMPTY = ',,,,,,'
const FIRST_RIGHT = 8

/** A schedule with other columns on the right of an empty one. */
const beside = (header: string, right: readonly string[]): string[] => [
  `${HEADER},,${header}`,
  ...Array.from({ length: Math.max(right.length, LOCATIONS.length) }, (_, index) => `${LOCATIONS[index] ?? EMPTY},,${right[index] ?? ''}`),
]

const RECAP = ['NV,10000000,685000', 'ID,7100000,280000', 'Total,17100000,965000']

describe('columns to the right of an empty one', () => {
  test.each([
    ['a recap with its title', 'Recap by Coverage,Amount', ['Building,17100000', 'Contents,965000', 'Ordinance,0', 'Other,0']],
    ['a recap below its title', 'Recap by State,', ['State,Bldg,Cont', ...RECAP]],
    ['a recap of entities', 'Entity,Total TIV', ['Mill LLC,10685000', 'Shop LLC,7380000', 'Total,18065000']],
    ['a recap that ends next to the last location', 'Entity,TIV', ['A LLC,10000000', 'B LLC,685000', 'C LLC,7380000', 'Total,18065000']],
    ['a recap that ends below', 'Entity,TIV', ['A LLC,1', 'B LLC,2', 'C LLC,3', 'D LLC,4', 'E LLC,5', 'Total,15']],
    ['a recap of states', 'State,Bldg,Cont', RECAP],
    ['a recap of states without a total', 'State,Bldg,Cont', RECAP.slice(0, 2)],
    ['a summary', 'Summary,Locs,Building', ['NV,2,10000000', 'ID,2,7100000']],
    ['a recap without a header', ',', ['Entity,TIV', 'Mill LLC,10685000', 'Total,10685000']],
    ['rates', 'Rates,', ['AOP,0.12', 'Wind,0.08', 'Total,0.20']],
    ['two recaps', 'State,Bldg,,Rates,', ['NV,10000000,,AOP,0.12', 'ID,7100000,,Wind,0.08', 'Total,17100000,,Total,0.20']],
  ])('are another table if they are %s', async (_, header, right) =>
    expect(sideTableStart(1, rowsOf(beside(header, right)))).toBe(FIRST_RIGHT),
  )

  test.each([
    ['other values', 'BI,Rents', ['900000,1', '150000,2', '200000,3', '220000,4']],
    ['values of some locations', 'BI,Extra Expense', ['900000,1', '150000,2']],
    ['names with values', 'Tenant,Rents', ['Acme,900000', 'Best,150000', 'Cole,200000', 'Dole,220000']],
    ['names with values of the first locations', 'Tenant,Rents', ['Acme,900000', 'Best,150000']],
    ['names with values and their total', 'Tenant,Rents', ['Acme,900000', 'Best,150000', 'Cole,200000', 'Dole,220000', 'Total,1470000']],
    ['sprinklers', 'Sprinkler,Year Built', ['Partial,1990', 'None,1985', 'Full,2001', 'Total,1999']],
    ['the state again', 'State,BI', ['NV,900000', 'NV,150000', 'ID,200000', 'ID,220000']],
    ['the state again and a total', 'State,BI', ['NV,900000', 'NV,150000', 'ID,200000', 'ID,220000', 'Total,1470000']],
    ['notes', 'Summary of Operations', ['Mill', 'Shop', 'Office']],
    ['rates of each location', 'Rates,Premium', ['0.1,100', '0.2,200', '0.1,300', '0.3,400']],
  ])('belong to the schedule if they are %s', async (_, header, right) =>
    expect(sideTableStart(1, rowsOf(beside(header, right)))).toBeUndefined(),
  )

  test('belong to the schedule if the columns on the left have no values', () => {
    const [header, ...rows] = [
      'Loc,Address,City,,Description,Building',
      '1,10 Mill Rd,Reno,,Mill,8000000',
      '2,12 Mill Rd,Reno,,Shop,2000000',
    ]
    expect(sideTableStart(1, rowsOf([header ?? '', ...rows, ',,,,Total,10000000']))).toBeUndefined()
  })

  test('belong to the schedule if a group of values follows a recap', () =>
    expect(
      sideTableStart(1, rowsOf(beside('State,Bldg,,BI', ['NV,10000000,,9', 'ID,7100000,,8', 'Total,17100000,,7', ',,,6']))),
    ).toBeUndefined())

  test('are another table if the total of a recap of states is next to that of the schedule', () => {
    const rows = ['CA,5000000', 'NV,5000000', 'ID,7100000', 'WA,0', 'Total,17100000']
    const lines = beside('State,Bldg', rows).map((line, index) =>
      index === rows.length ? line.replace(EMPTY, 'Total,,,,,17100000,965000') : line,
    )
    expect(sideTableStart(1, rowsOf(lines))).toBe(FIRST_RIGHT)
  })

  test('have no label of a total for the location on the left', async () =>
    expect(await doubtsIn(beside('Group,Part,Amount', ['A,1,5', 'B,2,6', 'Total,3,12', 'Rate,4,9']))).toEqual([]))
})
