import { expect, test } from 'vitest'
import { addressKeys } from '#server/engines/address/address-keys.ts'
import { columnLetters } from '#server/engines/spreadsheet/sheet.ts'
import { SETTINGS } from '#server/features/imports/imports.fixture.ts'
import { checkedMapping } from '#server/features/imports/pipeline/map/propose-mapping.ts'
import { observeReadPlan } from '#server/features/imports/pipeline/map/read-plan.ts'
import { indexRegister, type RegisterRow } from '#server/features/imports/pipeline/match/register-index.ts'
import { presentTally } from '#server/features/imports/pipeline/plan/summarize.ts'
import { listedProperties } from '#server/features/imports/pipeline/plan/tally.ts'
import { sampleColumn, type Cell } from '#server/features/imports/pipeline/read/cells.ts'
import type { RowFields } from '#server/features/imports/pipeline/validate/results.ts'
import type { SourceRow } from '#server/features/imports/pipeline/validate/validate-rows.ts'
import { importPipeline } from './pipeline.ts'

const HEADER = ['Loc #', 'Location Name', 'Street Address', 'City', 'ST', 'Zip', 'Bldg Value']
const CELLS: Cell[][] = [
  ['Statement of Values'],
  HEADER,
  [1, 'Mill', '1 Main St', 'Fresno', 'CA', '93721', 110_000],
  [2, 'Depot', '2 Main St', 'Fresno', 'CA', '93721', 200_000],
  [3, 'Barn', '', 'Fresno', 'CA', '93721', 300_000],
  ['TOTAL', null, null, null, null, null, 610_000],
]
const ROWS: SourceRow[] = CELLS.map((cells, index) => ({
  number: index + 1,
  sheet: 0,
  sheetRow: index + 1,
  hidden: false,
  cells,
  matchedByHand: false,
  propertyId: null,
}))
const pause = async () => {}

async function* batches(rows: readonly SourceRow[]) {
  yield rows.slice(0, 3)
  yield rows.slice(3)
}

const known: RowFields = {
  location_number: '1',
  property_name: 'Mill',
  address: '1 Main St',
  city: 'Fresno',
  state: 'CA',
  postal_code: '93721',
}
const { strong, weak } = addressKeys(known)
const MILL: RegisterRow = {
  id: 'mill',
  status: 'active',
  trashed: false,
  addressKey: strong,
  weakAddressKey: weak,
  values: { ...known, country: 'US', currency: 'USD', building_value: 100_000 },
  custom: {},
}

test('all stages run in memory, from the rows of a sheet to the figures of the preview', async () => {
  const { joined } = importPipeline.readSheets([{ index: 0, name: 'SOV', hidden: false, rows: ROWS.length, head: ROWS, merges: [] }])
  const header = joined[0]?.header
  expect([header?.row, header?.labels]).toEqual([2, HEADER])

  const samples = HEADER.map(sampleColumn)
  const addToSamples = (cells: readonly Cell[]) => samples.forEach((sample, index) => sample.add(cells[index]))
  const others = await importPipeline.readRows(batches(ROWS), [{ index: 0, headerRow: 2 }], HEADER, addToSamples, pause)
  expect(others.map(({ row, kind }) => `${row} ${kind}`)).toEqual(['1 title', '2 header', '6 total'])

  const columns = HEADER.map((label, index) => ({ column: columnLetters(index + 1), header: label, cells: samples[index]?.cells() ?? [] }))
  const proposals = await importPipeline.map(columns, new Map(), SETTINGS)
  const mapping = checkedMapping(Object.fromEntries(proposals.map(({ column, target }) => [column, target])))
  expect(Object.values(mapping)).toEqual(['location_number', 'property_name', 'address', 'city', 'state', 'postal_code', 'building_value'])

  const locations = ROWS.slice(2, 5)
  const plan = await observeReadPlan(batches(locations), mapping, () => '', {}, SETTINGS, pause)
  const options = { merges: new Map(), rowLabel: (row: number) => `row ${row}`, onProgress: pause, pause }
  const rows = await importPipeline.validate(batches(locations), plan, options)
  expect(rows.map(({ issues }) => issues.map(({ code }) => code))).toEqual([[], [], ['required_missing']])

  const matches = await importPipeline.match(rows, indexRegister([MILL]))
  expect(rows.map(({ number }) => matches.get(number)?.kind)).toEqual(['matched', 'new', 'new'])

  const mode = 'full_replacement'
  const planned = await importPipeline.plan(rows, matches, { mode, emptyClears: false, rowLabel: String }, pause)
  expect(planned.map(({ tab, changes }) => [tab, changes])).toEqual([
    ['change', { building_value: [100_000, 110_000] }],
    ['add', undefined],
    ['errors', undefined],
  ])

  const listed = listedProperties(planned)
  const { tally, firstRows } = importPipeline.summarize({ rows: planned, register: [MILL], listed, mode, divested: [] })
  const summary = presentTally(tally, { firstRows, totals: [], skipped: others.length, headers: new Map() })
  expect(summary.tabs).toEqual({ add: 1, change: 1, unchanged: 0, remove: 0, conflict: 0, excluded: 3, errors: 1 })
  expect(summary.sums).toEqual({
    file: { rows: 3, tiv: 610_000, currency: 'USD' },
    imported: { rows: 2, tiv: 310_000, currency: 'USD' },
    before: { rows: 1, tiv: 100_000, currency: 'USD' },
    after: { rows: 2, tiv: 310_000, currency: 'USD' },
    stated: null,
    stated_by: 'totals_row',
    stated_parts: [],
    stated_rows: null,
    stated_in: null,
    left_out: { rows: 1, tiv: 300_000, currency: 'USD' },
    unread_rows: 0,
    removed: { rows: 0, tiv: 0, currency: 'USD' },
  })
})
