import { expect, test } from 'vitest'
import { addressKeys } from '#server/engines/address/address-keys.ts'
import { indexRegister, type RegisterRow } from '#server/features/imports/pipeline/match/register-index.ts'
import type { Cell } from '#server/features/imports/pipeline/read/cells.ts'
import type { RowFields } from '#server/features/imports/pipeline/validate/results.ts'
import { proposeDivested, type DivestedSource } from './propose-divested.ts'

const HEADER = ['Loc #', 'Location Name', 'Street Address', 'City', 'ST', 'Zip', 'Date Sold']
const place = (number: string, address: string): RowFields => ({
  location_number: number,
  property_name: `Site ${number}`,
  address,
  city: 'Fresno',
  state: 'CA',
  postal_code: '93721',
})
const property = (id: string, values: RowFields): RegisterRow => {
  const { strong, weak } = addressKeys(values)
  return { id, status: 'active', trashed: false, addressKey: strong, weakAddressKey: weak, values, custom: {} }
}
const REGISTER = [
  property('mill', place('1', '1 Main St')),
  property('barn', place('2', '2 Main St')),
  property('shed', place('3', '3 Main St')),
]
const listed = ({ location_number, property_name, address, city, state, postal_code }: RowFields, date: Cell): Cell[] =>
  [location_number, property_name, address, city, state, postal_code].map((cell): Cell => cell ?? null).concat(date)

const source = (index: number, ...rows: Cell[][]): DivestedSource => ({
  index,
  headerRow: 2,
  merges: [],
  rows: [['SOLD'], HEADER, ...rows].map((cells, at) => ({
    number: 100 * index + at + 1,
    sheet: index,
    sheetRow: at + 1,
    hidden: false,
    cells,
  })),
})
async function* each(...sources: DivestedSource[]) {
  yield* sources
}
const propose = async (sources: DivestedSource[], onSchedule: string[] = [], register = REGISTER) => {
  const options = { constants: {}, now: new Date('2026-11-21'), pause: async () => {} }
  const sheets = await proposeDivested(each(...sources), indexRegister(register), new Set(onSchedule), options)
  return sheets.map(({ divested, ...sheet }) => ({
    ...sheet,
    divested: divested.map(({ number, property: { id }, divestedOn, exact }) => [number, id, divestedOn, exact]),
  }))
}

test('a divested sheet proposes the properties of the register that it lists, with the date of sale', async () => {
  const rows = [
    listed(place('1', '1 Main St'), '3/15/2026'),
    listed(place('2', '2 Main St'), null),
    listed(place('8', '8 Oak Ave'), '4/1/2026'),
    ['TOTAL', null, null, null, null, null, null],
  ]
  expect(await propose([source(2, ...rows)])).toEqual([
    {
      index: 2,
      rows: 3,
      stillListed: 0,
      alreadyDivested: 0,
      divested: [
        [203, 'mill', '2026-03-15', true],
        [204, 'barn', null, true],
      ],
    },
  ])
})

test('a property with another address is proposed, but its match is not exact', async () => {
  const moved = { ...place('1', '1 Main Street West'), property_name: 'Site 1' }
  const [sheet] = await propose([source(1, listed(moved, null), listed(place('2', '2 Main St'), null))])
  expect(sheet?.divested).toEqual([
    [103, 'mill', null, false],
    [104, 'barn', null, true],
  ])
})

test('a property that the schedule lists as well is counted, not proposed', async () => {
  const rows = [listed(place('1', '1 Main St'), '3/15/2026'), listed(place('2', '2 Main St'), '3/15/2026')]
  const [sheet] = await propose([source(1, ...rows)], ['mill'])
  expect(sheet).toMatchObject({ stillListed: 1, divested: [[104, 'barn', '2026-03-15', true]] })
})

const divested = (property: RegisterRow): RegisterRow => ({ ...property, status: 'divested' })

test('a property that is divested already is counted, not proposed', async () => {
  const before = REGISTER.map((one) => (one.id === 'barn' ? one : divested(one)))
  const rows = ['1', '2', '3', '8'].map((number) => listed(place(number, `${number} Main St`), '3/15/2026'))
  expect(await propose([source(1, ...rows)], [], before)).toMatchObject([
    { rows: 4, stillListed: 0, alreadyDivested: 2, divested: [[104, 'barn', '2026-03-15', true]] },
  ])
})

test('a property in the trash is not found', async () => {
  const trashed = REGISTER.map((one) => ({ ...divested(one), trashed: true }))
  expect(await propose([source(1, listed(place('1', '1 Main St'), null))], [], trashed)).toMatchObject([
    { rows: 1, alreadyDivested: 0, divested: [] },
  ])
})

test('a divested property is found, although the schedule lists others at its address', async () => {
  const [mill, hall] = ['4', '5'].map((number) =>
    property(`new ${number}`, { ...place(number, '1 Main St'), property_name: `Hall ${number}` }),
  )
  const register = [...REGISTER.map(divested), ...[mill, hall].flatMap((one) => one ?? [])]
  const sheets = await propose([source(1, listed(place('1', '1 Main St'), '3/15/2026'))], ['new 4', 'new 5'], register)
  expect(sheets).toMatchObject([{ rows: 1, stillListed: 0, alreadyDivested: 1, divested: [] }])
})

test('an active property that the schedule does not list is proposed, although another one with its address is divested', async () => {
  const [mill] = REGISTER
  const register = [...REGISTER, ...(mill ? [{ ...divested(mill), id: 'old mill' }] : [])]
  const sheets = await propose([source(1, listed(place('1', '1 Main St'), '3/15/2026'))], [], register)
  expect(sheets).toMatchObject([{ alreadyDivested: 0, divested: [[103, 'mill', '2026-03-15', true]] }])
})

test('a property on two divested sheets is proposed once', async () => {
  const row = listed(place('1', '1 Main St'), '3/15/2026')
  const sheets = await propose([
    source(1, row, listed(place('2', '2 Main St'), null)),
    source(2, row, listed(place('3', '3 Main St'), null)),
  ])
  expect(sheets.map(({ divested }) => divested.map(([, id]) => id))).toEqual([['mill', 'barn'], ['shed']])
})

test('a divested sheet without dates has none, and its dates are read in the order that all of them show', async () => {
  const [undated] = await propose([source(1, listed(place('1', '1 Main St'), null), listed(place('2', '2 Main St'), null))])
  expect(undated?.divested.map(([, id, date]) => [id, date])).toEqual([
    ['mill', null],
    ['barn', null],
  ])
  const withoutColumn = source(1, ...[place('1', '1 Main St'), place('2', '2 Main St')].map((values) => listed(values, null).slice(0, -1)))
  const rows = withoutColumn.rows.map((row) => ({ ...row, cells: row.cells.map((cell) => (cell === 'Date Sold' ? 'Zorp' : cell)) }))
  expect((await propose([{ ...withoutColumn, rows }]))[0]?.divested.map(([, id, date]) => [id, date])).toEqual([
    ['mill', null],
    ['barn', null],
  ])
  const [european] = await propose([source(1, listed(place('1', '1 Main St'), '3/4/2026'), listed(place('2', '2 Main St'), '15/3/2026'))])
  expect(european?.divested.map(([, , date]) => date)).toEqual(['2026-04-03', '2026-03-15'])
})

test('dates of sale that can be read in two ways are left out until the order is known, with an example for the question', async () => {
  const rows = [listed(place('1', '1 Main St'), '3/4/2026')]
  expect(await propose([source(2, ...rows)])).toMatchObject([{ unclearDate: '3/4/2026', divested: [[203, 'mill', null, true]] }])
  const clear = [...rows, listed(place('2', '2 Main St'), '25/4/2026')]
  expect(await propose([source(2, ...clear)])).toMatchObject([
    {
      divested: [
        [203, 'mill', '2026-04-03', true],
        [204, 'barn', '2026-04-25', true],
      ],
    },
  ])
})
