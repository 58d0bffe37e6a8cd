import { expect, test } from 'vitest'
import type { ImportPatch } from '#contract/import-inputs.ts'
import type { Import } from '#contract/imports.ts'
import { begin, put } from '#server/testing/factories/import-flow.ts'
import { deskForEachTest } from '#server/testing/desk.fixture.ts'

const desk = deskForEachTest()

const HEADER = 'Loc #,Location Name,Street Address,City,ST,Zip,Comments,Bldg Value,Total'
const row = (number: number, value: number, note = '') =>
  `${number},Site ${number},${number}00 Main St,Fresno,CA,93721,${note},${value},${value}`
const schedule = (...rows: string[]) => [HEADER, ...rows].join('\n')
const change = async (data: Import, patch: ImportPatch): Promise<Import> => (await put(desk, data.id, patch)).body.data
const sumsOf = ({ sums }: Import) => [sums?.file, sums?.left_out, sums?.after]
const sum = (rows: number, tiv: number) => ({ rows, tiv, currency: 'USD' })

test('a row that is excluded by hand is in the sum of the file and in the sum of what stays out, until it is included again', async () => {
  const data = await begin(desk, schedule(row(1, 1_000), row(2, 20), row(3, 300), ',,,,,,Total,1320,1320'))
  expect(sumsOf(data)).toEqual([sum(3, 1_320), sum(0, 0), sum(3, 1_320)])
  const excluded = await change(data, { exclusions: [{ row: 3, excluded: true }] })
  expect(sumsOf(excluded)).toEqual([sum(3, 1_320), sum(1, 20), sum(2, 1_300)])
  expect(excluded.sums).toMatchObject({ stated: 1_320, stated_rows: 1_320 })
  // The next change checks only its own row.
  const edited = await change(excluded, { edits: [{ row: 2, column: 'H', value: '4000' }] })
  expect(sumsOf(edited)).toEqual([sum(3, 4_320), sum(1, 20), sum(2, 4_300)])
  const included = await change(edited, { exclusions: [{ row: 3, excluded: false }] })
  expect(sumsOf(included)).toEqual([sum(3, 4_320), sum(0, 0), sum(3, 4_320)])
})

test('the total column of the file is compared with all its rows, although marked ones are left out', async () => {
  const data = await begin(desk, schedule(row(1, 1_000), row(2, 20, 'Divested'), row(3, 300)))
  const decided = await change(data, { constants: { marked_rows: 'leave_out' } })
  expect(sumsOf(decided)).toEqual([sum(3, 1_320), sum(1, 20), sum(2, 1_300)])
  expect(decided.sums).toMatchObject({ stated_by: 'total_column', stated: 1_320, stated_rows: 1_320 })
})

test('rows that repeat a location stay out with their values, but not if these are added to the first row', async () => {
  const data = await begin(desk, schedule(row(1, 1_000), row(1, 20), row(1, 300)))
  expect(sumsOf(await change(data, { constants: { repeated_locations: 'first' } }))).toEqual([sum(3, 1_320), sum(2, 320), sum(1, 1_000)])
  expect(sumsOf(await change(data, { constants: { repeated_locations: 'sum' } }))).toEqual([sum(1, 1_320), sum(0, 0), sum(1, 1_320)])
})

test('rows that a mode does not add stay out with their values', async () => {
  const data = await begin(desk, schedule(row(1, 1_000), row(2, 20)))
  expect(sumsOf(await change(data, { mode: 'update_only' }))).toEqual([sum(2, 1_020), sum(2, 1_020), sum(0, 0)])
})
