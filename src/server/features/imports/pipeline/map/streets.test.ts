import { expect, test } from 'vitest'
import { SETTINGS } from '#server/features/imports/imports.fixture.ts'
import { columnLetters } from '#server/engines/spreadsheet/sheet.ts'
import type { Cell } from '#server/features/imports/pipeline/read/cells.ts'
import { columnStyle } from '#server/features/imports/pipeline/map/column-style.ts'
import { createReadPlan } from '#server/features/imports/pipeline/map/read-plan.ts'
import { readRow } from '#server/features/imports/pipeline/validate/read-row.ts'
import { proposeMapping } from './propose-mapping.ts'

/** What the columns, each as header and cells, are proposed as, except for those to ignore. */
const propose = (...columns: (readonly [string, ...Cell[]])[]) => proposeLearned(new Map(), ...columns)
const proposeLearned = async (learned: ReadonlyMap<string, string>, ...columns: (readonly [string, ...Cell[]])[]) => {
  const sheet = columns.map(([header, ...cells], index) => ({ column: columnLetters(index + 1), header, cells }))
  return (await proposeMapping(sheet, learned, SETTINGS)).map(({ target, status }) => `${target} ${status}`)
}
const CITY = ['City', 'Fresno', 'Selma', 'Reedley'] as const
const STREETS = ['101 Main St, Suite 1', '22 Oak Ave', '3 Elm Rd'] as const

test.each(['Full Address', 'Complete Address'])('“%s” next to a city is the street address', async (header) =>
  expect(await propose([header, ...STREETS], CITY)).toEqual(['address mapped', 'city mapped']),
)
test('a full address next to a city is split if it has city and state, too', async () =>
  expect(await propose(['Full Address', '1 Main St, Fresno, CA 93721', '2 Main St, Selma, CA 93662'], CITY)).toEqual([
    'full_address mapped',
    'city mapped',
  ]))
test.each(['Location', 'Physical Location', 'Risk Location', 'Premises', 'Property', 'Zorp'])(
  'streets below “%s” are the address, to be confirmed, if no column is named so',
  async (header) => expect(await propose(['Item', 1, 2, 3], [header, ...STREETS], CITY)).toContain('address confirm'),
)
test('what was learned of “Location” above numbers or names does not apply to streets', async () => {
  const location = ['Location', '1 Church St', '2 Church St', '7 Elm Rd'] as const
  const targets = (learned: string) => proposeLearned(new Map([['location', learned]]), location, CITY)
  expect(await targets('location_number')).toEqual(['address confirm', 'city mapped'])
  expect(await targets('property_name')).toEqual(['address confirm', 'city mapped'])
  expect(await targets('address')).toEqual(['address mapped', 'city mapped'])
})
test('half of the cells must be streets', async () => {
  const some = ['Hwy 15 & 200th St', 'N/A - various', '3 Lake Ave', '40 River Rd, Fairmont, MN 56031']
  expect(await propose(['Item', 1, 2, 3, 4], ['Location', ...some])).toContain('address confirm')
  expect(await propose(['Item', 1, 2, 3], ['Location', 'Main Hall', 'Yard 4', '3 Lake Ave'])).not.toContain('address confirm')
})
test('street names in the name are no address if a column has the address', async () =>
  expect(await propose(['Property Name', '100 Main St', '5 Oak Ave'], ['Address', '100 Main St', '5 Oak Ave'])).toEqual([
    'property_name mapped',
    'address mapped',
  ]))
test('numbers and names below “Location” are no streets', async () => {
  expect(await propose(['Location', 1, 2, 3], CITY)).toEqual(['location_number mapped', 'city mapped'])
  expect(await propose(['Location', 'Warehouse 1', 'Building 5, Dock 2', '3rd Ward'], CITY)).not.toContain('address confirm')
})
test('headers in two languages are known', async () =>
  expect(
    await propose(
      ['Nom / Name', 'Usine 1', 'Usine 2'],
      ['Adresse / Address', '11, rue Sherbrooke', '22, rue Sherbrooke'],
      ['Ville / City', 'Laval', 'Gatineau'],
      ['Code postal/Postal code', 'H2X 1Y1', 'H2X 1Y2'],
      ['Bâtiment / Building', 2_090_000, 2_180_000],
    ),
  ).toEqual(['property_name mapped', 'address mapped', 'city mapped', 'postal_code mapped', 'building_value mapped']))
test('an address without a state is the street if another column has the city', () => {
  const headers = ['Full address', 'City', 'Province']
  const style = (index: number, header: Parameters<typeof columnStyle>[0]) => columnStyle(header, [cells[index] ?? null], SETTINGS)
  const cells = ['1 Main St, West Wing', 'Fresno', 'CA']
  const plan = createReadPlan({ A: 'full_address', B: 'city', C: 'state' }, (letter) => headers['ABC'.indexOf(letter)] ?? '', style, {})
  expect(readRow(cells, plan)).toMatchObject({ fields: { address: '1 Main St, West Wing', city: 'Fresno', state: 'CA' }, issues: [] })
})
test('a parish name of a church is the group, and the date of a record no renovation', async () => {
  expect(await propose(['Parish Name', 'St. Mary', 'Holy Cross'], ['Parish', 'Orleans', 'Caddo'])).toEqual([
    'location_group mapped',
    'county mapped',
  ])
  expect(await propose(['Last_Update_Dt', '2026-03-01', '2026-04-02'])).toEqual(['ignore unmapped'])
  expect(await propose(['Year Updated', 1998, 2003])).toEqual(['year_upgraded mapped'])
})

test('a column of days is a renovation only below a header that names one', async () => {
  const days = ['2026-11-20', '2026-11-21', '2026-11-22']
  expect(await propose(['Updated', ...days])).toEqual(['ignore unmapped'])
  expect(await propose(['Updated', 1998, 2003])).toEqual(['year_upgraded confirm'])
  expect(await propose(['Renovation Date', ...days])).toEqual(['year_upgraded mapped'])
})
