import { buffer } from 'node:stream/consumers'
import { beforeEach, expect, test } from 'vitest'
import { codesOf } from '#contract/code-lists.ts'
import { CONSTRUCTION_CLASSES, PROPERTY_TYPES, SPRINKLERED } from '#contract/property-vocabularies.ts'
import { readOne, save } from '#server/engines/spreadsheet/spreadsheet.fixture.ts'
import { writeCsv } from '#server/engines/spreadsheet/write/write-csv.ts'
import { writeWorkbook } from '#server/engines/spreadsheet/write/write-workbook.ts'
import { makeProperty } from '#server/testing/factories/accounts.ts'
import { begin, propertyAt, rowsOf } from '#server/testing/factories/import-flow.ts'
import { deskForEachTest } from '#server/testing/desk.fixture.ts'

const desk = deskForEachTest()

const TYPES = codesOf(PROPERTY_TYPES)
const CLASSES = codesOf(CONSTRUCTION_CLASSES)
const COVERS = codesOf(SPRINKLERED)
const NAMES = ['-Hall', '=1+1', '@Home', '+1 Tower', "'Old' Mill"]
/** The columns that users see at first. */
const VIEW =
  'location_number address city state building_value contents_value bi_value tiv discrepancies quality_score property_type construction_class year_built floor_area'.split(
    ' ',
  )

/** A register with a property of every type, which has what the list doesn't show, too. */
beforeEach(async () => {
  const ctx = { ...desk.app.system, viewer: await desk.app.viewer(desk.userId) }
  for (const [index, property_type] of TYPES.entries())
    await makeProperty(ctx, desk.accountId, {
      location_number: String(index + 1),
      building_number: 'B',
      property_name: NAMES[index] ?? `Site ${index}`,
      county: 'Los Angeles',
      postal_code: '90012-1234',
      property_type,
      occupancy_original: 'As given',
      construction_class: CLASSES[index % CLASSES.length] ?? null,
      construction_original: 'Masonry?',
      sprinklered: COVERS[index % COVERS.length] ?? null,
      year_built: 1950 + index,
      year_upgraded: 2001,
      floor_area: 1_234 + index,
      building_value: 1_234_567 + index,
      stock_value: 500,
      stated_tiv: index % 2 === 0 ? null : 77_777,
    })
  await ctx.db
    .updateTable('account_properties')
    .set({ quality_score: 60, checked_digest: 'checked' })
    .where('account_id', '=', desk.accountId)
    .execute()
})

async function exported(action: string, columns?: string[]): Promise<Buffer> {
  const list = { model: 'account_properties', handle: 'blob', input: 'all', account_id: desk.accountId }
  const { status, raw } = await desk.app
    .as(desk.userId)
    .post('/api/v1/account_properties/actions', { ...list, action, ...(columns && { columns }) })
  expect(status).toBe(200)
  return raw
}

/** What an import of the file would change, by tab of the preview. */
async function changesOf(file: Buffer | string, name: string) {
  const { id, columns, questions, counts } = await begin(desk, file, name)
  expect(questions).toEqual([])
  expect(columns.filter(({ state }) => state === 'confirm' || state === 'unmapped').map(({ header }) => header)).toEqual([])
  return { changes: (await rowsOf(desk, id)).flatMap((row) => row.changes), counts }
}

test.each([
  ['export_csv', 'everything', 'properties.csv', undefined],
  ['export_excel', 'everything', 'properties.xlsx', undefined],
  ['export_csv', 'the view', 'properties.csv', VIEW],
  ['export_excel', 'the view', 'properties.xlsx', VIEW],
])('an %s of %s changes nothing when it is imported', async (action, _, name, columns) => {
  const { changes, counts } = await changesOf(await exported(action, columns), name)
  expect(changes).toEqual([])
  expect(counts).toMatchObject({ unchanged: TYPES.length, add: 0, change: 0, conflict: 0, errors: 0, excluded: 0, remove: 0 })
})

/** The rows of a file, in which a cell was edited. */
async function edited(file: Buffer, name: string, header: string, value: string | number): Promise<Buffer> {
  const { rows } = await readOne(await save(name, file))
  const [names = [], ...records] = rows.map(({ cells }) => new Map(cells.map((cell) => [cell.column, cell.value])))
  const [column] = [...names].find(([, text]) => text === header) ?? []
  if (column === undefined) throw new Error(`There is no column ${header}`)
  records[0]?.set(column, value)
  const columns = [...names].map(([, text]) => ({ header: String(text), width: 12, kind: 'text' as const }))
  const sheet = { name: 'Properties', columns, rows: records.map((record) => [...names].map(([at]) => record.get(at) ?? null)) }
  return buffer(name.endsWith('.csv') ? writeCsv(sheet) : writeWorkbook({ sheets: [sheet] }))
}

test.each([
  ['export_csv', 'properties.csv'],
  ['export_excel', 'properties.xlsx'],
])('an edited cell of an %s is the only change', async (action, name) => {
  const file = await exported(action)
  const { changes: value } = await changesOf(await edited(file, name, 'Building value', 1_300_000), name)
  expect(value).toEqual([{ field: 'building_value', before: 1_234_567 + TYPES.length - 1, after: 1_300_000 }])
  const { changes: type } = await changesOf(await edited(file, name, 'Property type', 'Parking'), name)
  // The text as given is that of the cell from now on.
  expect(type).toEqual([
    { field: 'property_type', before: 'unknown', after: 'parking' },
    { field: 'occupancy_original', before: 'As given', after: 'Parking' },
  ])
})

test('an export of the view distinguishes the buildings of a location', async () => {
  const ctx = { ...desk.app.system, viewer: await desk.app.viewer(desk.userId) }
  for (const building_number of ['1', '2', '3'])
    await makeProperty(ctx, desk.accountId, { location_number: '99', building_number, address: '9 Oak St', property_name: 'Mill' })
  const { changes, counts } = await changesOf(await exported('export_csv', VIEW), 'properties.csv')
  expect(changes).toEqual([])
  expect(counts).toMatchObject({ unchanged: TYPES.length + 3, conflict: 0, errors: 0, excluded: 0, remove: 0 })
})

test('a divested property of an export stays divested, without a change', async () => {
  const id = await propertyAt(desk, '3')
  const divested = await desk.app.as(desk.userId).post('/api/v1/account_properties/actions', {
    model: 'account_properties',
    action: 'divest',
    selectedIds: [id],
    input: { divested_on: '2026-01-02', divested_reason: 'sold' },
  })
  expect(divested.status).toBe(200)
  const data = await begin(desk, await exported('export_csv'), 'properties.csv')
  expect(data.questions).toEqual([])
  expect(data.counts).toMatchObject({ unchanged: TYPES.length, excluded: 0, add: 0, change: 0, conflict: 0, errors: 0, remove: 0 })
})
