import { beforeEach, expect, test } from 'vitest'
import { codesOf } from '#contract/code-lists.ts'
import type { Context } from '#server/engines/context.ts'
import { readOne, save } from '#server/engines/spreadsheet/spreadsheet.fixture.ts'
import { deskForEachTest } from '#server/testing/desk.fixture.ts'
import {
  CONSTRUCTION_CLASSES,
  GEOCODE_LEVELS,
  OPENING_PROTECTIONS,
  PROPERTY_TYPES,
  ROOF_COVERS,
  ROOF_SHAPES,
  SPRINKLERED,
  VALUATION_BASES,
} from '#contract/property-vocabularies.ts'
import type { PropertyValues } from '#contract/property-fields.ts'
import { makeProperty } from '#server/testing/factories/accounts.ts'
import { addToAccount, makeAccount } from '#server/testing/factories/register.ts'
import { begin, propertyAt, rowsOf } from '#server/testing/factories/import-flow.ts'

const desk = deskForEachTest()
let ctx: Context
beforeEach(async () => {
  ctx = { ...desk.app.system, viewer: await desk.app.viewer(desk.userId) }
})
const add = (values: Partial<PropertyValues>) => makeProperty(ctx, desk.accountId, values)

async function propertyList(): Promise<Buffer> {
  const { status, raw } = await desk.app
    .as(desk.userId)
    .post('/api/v1/account_properties/property-list/download', { account_id: desk.accountId })
  expect(status).toBe(200)
  return raw
}

/** What an import of the property list would change. */
async function reimported() {
  const data = await begin(desk, await propertyList(), 'property-list.xlsx')
  return { data, changes: (await rowsOf(desk, data.id)).flatMap((row) => row.changes) }
}
const UNCHANGED = { add: 0, change: 0, conflict: 0, errors: 0, remove: 0 }

test('a property list with every kind of value changes nothing when it is imported', async () => {
  const types = codesOf(PROPERTY_TYPES)
  for (const [index, property_type] of types.entries())
    await add({
      location_number: String(index + 1),
      building_number: index % 3 === 0 ? 'B-2' : '1',
      property_name: ['=1+1', '-Hall', '@Home', '+1 Tower', "'Old' Mill"][index] ?? `Site ${index}`,
      address_2: index % 2 === 0 ? 'Suite 4' : null,
      county: 'Los Angeles',
      postal_code: index % 2 === 0 ? '90012-1234' : '02134',
      latitude: 34.0522342,
      longitude: -118.2436849,
      property_type,
      construction_class: codesOf(CONSTRUCTION_CLASSES)[index % 6] ?? null,
      sprinklered: 'partial',
      percent_sprinklered: [33.3, 12.5, 7, 1.1, 98.99][index % 5] ?? null,
      roof_year: 2015,
      flood_zone: 'AE',
      stories: 2,
      floor_area: 1_234.5 + index,
      building_value: 1_234_567_890 + index,
      other_value: 5_000,
      stock_value: index === 0 ? 500 : null,
      bi_months: 18,
      valuation_basis: codesOf(VALUATION_BASES)[index % 3] ?? null,
      valuation_date: '2025-12-31',
      external_id: `C-${index}`,
      location_group: 'North campus',
      legal_entity: 'Cascadia LLC',
      division: 'Logistics',
      description: `Two stories, brick, wing ${index}`,
      interest: 'leased',
      geocode_level: codesOf(GEOCODE_LEVELS)[0] ?? null,
      year_upgraded: 2001,
      basement_levels: 1,
      building_count: 2,
      percent_occupied: 87.5,
      wiring_year: 2002,
      plumbing_year: 2003,
      hvac_year: 2004,
      tenants: 'A, B and C',
      units: 12,
      fire_alarm: 'local',
      burglar_alarm: 'central_station',
      hydrant_distance_ft: 250.5,
      fire_station_miles: 1.25,
      roof_cover: codesOf(ROOF_COVERS)[1] ?? null,
      roof_shape: codesOf(ROOF_SHAPES)[1] ?? null,
      opening_protection: codesOf(OPENING_PROTECTIONS)[1] ?? null,
      foundation: 'slab',
      first_floor_height_ft: 2.5,
      distance_to_coast_miles: 12.3,
      wind_tier: 'Tier 1',
      eq_zone: 'Zone 4',
      machinery_value: index === 1 ? 600 : null,
      edp_value: index === 2 ? 700 : null,
      improvements_value: index === 3 ? 800 : null,
      stated_tiv: index % 2 === 0 ? 77_777 : null,
      protection_class: '3/3X',
    })
  const { data, changes } = await reimported()
  expect(data.columns.filter(({ state }) => state === 'confirm' || state === 'unmapped').map(({ header }) => header)).toEqual([])
  expect(data.questions).toEqual([])
  expect(changes).toEqual([])
  expect(data.counts).toMatchObject({ ...UNCHANGED, unchanged: types.length })
})

test('empty values stay empty', async () => {
  await add({ location_number: '1', sprinklered: 'none' })
  await add({
    location_number: '2',
    property_name: null,
    postal_code: null,
    latitude: null,
    longitude: null,
    construction_class: null,
    year_built: null,
    stories: null,
    floor_area: null,
    sprinklered: codesOf(SPRINKLERED).at(-1) ?? null,
    building_value: null,
    contents_value: null,
    bi_value: null,
  })
  const { data, changes } = await reimported()
  expect(changes).toEqual([])
  expect(data.columns.filter(({ state }) => state === 'confirm' || state === 'unmapped').map(({ header }) => header)).toEqual([])
  expect(data.counts).toMatchObject({ ...UNCHANGED, unchanged: 2 })
})

test('values as small as codes and words of the product itself are recognized, so that an edited one is read', async () => {
  for (const number of [1, 2, 3])
    await add({
      location_number: String(number),
      building_value: number % 2,
      other_value: 3,
      contents_value: number % 2,
      stock_value: 5,
      machinery_value: 6,
      edp_value: 7,
      improvements_value: 8,
      bi_value: 1,
      sprinklered: 'partial',
      percent_sprinklered: null,
      property_type: 'other',
    })
  const { data, changes } = await reimported()
  expect(data.columns.filter(({ state }) => state === 'confirm' || state === 'unmapped').map(({ header }) => header)).toEqual([])
  expect([data.questions, data.issues, changes]).toEqual([[], [], []])
  expect(data.sums?.file.tiv).toBe(data.sums?.before.tiv)
  expect(data.counts).toMatchObject({ ...UNCHANGED, unchanged: 3 })
})

test('buildings of a location stay apart', async () => {
  for (const building_number of ['1', '2', '3'])
    await add({ location_number: '9', building_number, address: '9 Oak St', property_name: 'Mill' })
  const { data, changes } = await reimported()
  expect(changes).toEqual([])
  expect(data.counts).toMatchObject({ ...UNCHANGED, unchanged: 3 })
})

test('properties in several currencies have a total for each of them, and do not change', async () => {
  for (const [at, currency] of ['USD', 'CAD', 'USD'].entries())
    await add({ location_number: String(at + 1), country: 'US', building_value: 1_000_000 }).then(({ id }) =>
      desk.app.system.db.updateTable('account_properties').set({ currency }).where('id', '=', id).execute(),
    )
  const sheet = await readOne(await save('list.xlsx', await propertyList()))
  const totals = sheet.rows.slice(-2).map(({ cells }) => cells.find(({ column }) => column === 1)?.value)
  expect(totals).toEqual(['Total CAD', 'Total USD'])
  const { data, changes } = await reimported()
  expect(changes).toEqual([])
  expect(data.counts).toMatchObject(UNCHANGED)
})

const divest = async (...selectedIds: string[]) => {
  const { status } = await desk.app.as(desk.userId).post('/api/v1/account_properties/actions', {
    model: 'account_properties',
    action: 'divest',
    selectedIds,
    input: { divested_on: '2026-01-02', divested_reason: 'sold' },
  })
  expect(status).toBe(200)
}

test('divested properties are on a sheet of their own and stay divested', async () => {
  for (const number of ['1', '2', '3']) await add({ location_number: number })
  await divest(await propertyAt(desk, '3'))
  const { data } = await reimported()
  expect(data.sheets.map(({ name, taken }) => [name, taken])).toEqual([
    ['Properties', true],
    ['Divested', false],
  ])
  expect(data.sold_sheets).toMatchObject([{ name: 'Divested', used: true, rows: 1, found: 1, still_listed: 0 }])
  expect(data.questions).toEqual([])
  expect(data.counts).toMatchObject({ ...UNCHANGED, unchanged: 2 })
})

test('the list of an account with divested properties only changes nothing, also if two of them have the same number', async () => {
  const numbers = [
    ['1', '1 Mill Rd'],
    ['1', '22 Elm Ave'],
    ['2', '30 Oak St'],
  ] as const
  for (const [location_number, address] of numbers) await divest((await add({ location_number, address })).id)
  const { data, changes } = await reimported()
  expect(data.sheets.map(({ name, taken }) => [name, taken])).toEqual([['Divested', true]])
  expect([data.questions, data.issues, changes]).toEqual([[], [], []])
  expect(data.counts).toMatchObject({ ...UNCHANGED, unchanged: 3 })
})

test('custom fields come back as they are, also with the names of other columns and texts like formulas', async () => {
  const fields = {
    Building: '750000',
    'Fine Arts': '$100,000',
    'Loc #': '=1+1',
    '=SUM(A1)': '-5',
    'Column K': 'N/A',
    Status: 'Sold',
    Remarks: `Same ${'long '.repeat(90)}end`,
  }
  await ctx.db
    .updateTable('account_properties')
    .set({ custom: JSON.stringify(fields) })
    .where('id', '=', (await add({ location_number: '1', building_value: 500_000 })).id)
    .execute()
  await add({ location_number: '2' })
  const { data, changes } = await reimported()
  const custom = data.columns.filter(({ state }) => state === 'custom').map(({ header }) => header)
  expect(custom.toSorted()).toEqual(Object.keys(fields).toSorted())
  expect([data.questions, changes]).toEqual([[], []])
  expect(data.counts).toMatchObject({ ...UNCHANGED, unchanged: 2 })
})

test('sprinkler protection and its share stay as they are, also where they contradict each other', async () => {
  const shares = [null, 0, 40, 100]
  for (const sprinklered of codesOf(SPRINKLERED))
    for (const percent_sprinklered of shares) {
      const { id } = await add({ sprinklered, percent_sprinklered: null })
      // A form rejects some of them, but other programs may have stored them.
      await ctx.db.updateTable('account_properties').set({ percent_sprinklered }).where('id', '=', id).execute()
    }
  const { data, changes } = await reimported()
  expect([data.questions, changes]).toEqual([[], []])
  expect(data.counts).toMatchObject({ ...UNCHANGED, unchanged: 16 })
})

test('custom fields of another account stay custom fields, and are named if they have amounts', async () => {
  const { id } = await add({ location_number: '1' })
  await ctx.db
    .updateTable('account_properties')
    .set({ custom: JSON.stringify({ 'Fine Arts': '500000', 'Building Value 2020': '250000' }) })
    .where('id', '=', id)
    .execute()
  const list = await propertyList()
  const { company_id } = await ctx.db.selectFrom('accounts').select('company_id').where('id', '=', desk.accountId).executeTakeFirstOrThrow()
  const accountId = await makeAccount(desk.app, company_id)
  await addToAccount(desk.app, accountId, desk.userId)
  const data = await begin({ ...desk, accountId }, list, 'property-list.xlsx')
  expect(data.columns.filter(({ state }) => state === 'custom').map(({ header }) => header)).toEqual(['Building Value 2020', 'Fine Arts'])
  expect(data.unmapped_money).toMatchObject([
    { header: 'Building Value 2020', custom_field: true },
    { header: 'Fine Arts', custom_field: true },
  ])
})
