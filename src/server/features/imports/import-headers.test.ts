import { expect, test } from 'vitest'
import { begin, commit, put, settled } from '#server/testing/factories/import-flow.ts'
import { deskForEachTest } from '#server/testing/desk.fixture.ts'

const desk = deskForEachTest()

const TABLE = [
  ['Loc #', 'Name', 'Address', 'City', 'State', 'Zip', 'Building Value', 'Contents'],
  ...[1, 2, 3].map((number) => [number, `Site ${number}`, `${number} Oak St`, 'Tulsa', 'OK', '74103', 500_000, 5_000]),
]
const csv = (rows: readonly (readonly unknown[])[]) => rows.map((cells) => cells.join(',')).join('\n')

test('a schedule below sixty rows of notes is imported', async () => {
  const notes = Array.from({ length: 60 }, (_, at) => [`Condition ${at}`])
  const data = await begin(desk, csv([...notes, ['TOTALS', '', '', '', '', '', 1_500_000, 15_000], ...TABLE]))
  expect([data.header_row, data.counts, data.sums?.file.tiv]).toMatchObject([62, { add: 3, errors: 0 }, 1_515_000])
  expect((await commit(desk, data)).status).toBe(200)
})

test('a schedule below 230 rows of notes is imported from a wide file', async () => {
  const wide = (cells: readonly unknown[]) => [...cells, ...Array.from({ length: 100 }, () => '')]
  const notes = Array.from({ length: 230 }, (_, at) => wide([`Instruction ${at}`]))
  const data = await begin(desk, csv([...notes, ...TABLE.map(wide)]))
  expect([data.header_row, data.counts]).toMatchObject([231, { add: 3, errors: 0 }])
})

test('a sheet with the locations in columns says so, and nothing of it is imported', async () => {
  const transposed = TABLE[0]?.map((_, column) => TABLE.map((cells) => cells[column])) ?? []
  const data = await begin(desk, csv(transposed))
  expect([data.header_row, data.counts.add, data.counts.change]).toEqual([null, 0, 0])
  expect(data.sheets.map(({ note }) => note)).toEqual([
    'This sheet lists the locations in columns. Turn it (Transpose) and import it again.',
  ])
  expect((await commit(desk, data)).status).toBe(409)
})

test('of values of the client and recommended ones, the first are proposed and the others are announced as money', async () => {
  const columns = 'Loc #,Address,City,State,Zip,Building Value - Broker Recommended,Building Value - Client'
  const rows = [1, 2, 3].map((number) => `${number},${number} Main St,Tulsa,OK,74103,${number}200000,${number}000000`)
  const data = await begin(desk, [columns, ...rows].join('\n'))
  expect(data.columns.slice(5)).toMatchObject([
    { field: null, state: 'unmapped' },
    { field: 'building_value', state: 'confirm' },
  ])
  expect(data.unmapped_money).toEqual([{ letter: 'F', header: 'Building Value - Broker Recommended', total: 6_600_000, currency: null }])
  expect(data.sums?.file).toMatchObject({ rows: 3, tiv: 6_000_000 })
})

test('the years in the first of three header rows are in the names of columns, also if the user chooses the header row', async () => {
  const rows = [1, 2].map((number) => `${number},${number} Main St,Tulsa,OK,74103,${number}400000,50000,${number}500000,60000`)
  const above = [',,,,,2025,,2026,', ',,,,,PD,BI,PD,BI', 'Loc #,Address,City,State,Zip,Value,Value,Value,Value']
  const data = await begin(desk, ['Acme', ...above, ...rows].join('\n'))
  const named = ['2025 PD Value', '2025 BI Value', '2026 PD Value', '2026 BI Value']
  const headers = ({ columns }: typeof data) => columns.slice(5).map(({ header }) => header)
  expect([data.header_row, headers(data), data.sums?.file.tiv]).toEqual([4, named, 4_120_000])
  await put(desk, data.id, { header_row: 5 })
  await settled(desk, data.id)
  await put(desk, data.id, { header_row: 4 })
  expect(headers(await settled(desk, data.id))).toEqual(named)
})
