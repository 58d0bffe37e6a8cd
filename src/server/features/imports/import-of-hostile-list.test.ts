import { beforeEach, expect, test } from 'vitest'
import { PROPERTY_FIELD_NAMES, propertyField, type PropertyFieldName } from '#contract/property-fields.ts'
import type { Context } from '#server/engines/context.ts'
import { makeProperty } from '#server/testing/factories/accounts.ts'
import { deskForEachTest } from '#server/testing/desk.fixture.ts'
import { begin, rowsOf } from '#server/testing/factories/import-flow.ts'

const desk = deskForEachTest()
let ctx: Context
beforeEach(async () => {
  ctx = { ...desk.app.system, viewer: await desk.app.viewer(desk.userId) }
})

/** Texts that schedules write in place of a value, or that mean something else to an import. */
const MARKS = [
  'Same',
  'ditto',
  'N/A',
  '-',
  'TBD',
  'unknown',
  '"',
  'None',
  'do.',
  '#REF!',
  '?',
  'Total',
  'Blanket',
  '3/4/2025',
  '=1+1',
  '007',
  '1-2',
]
const TEXT_FIELDS = PROPERTY_FIELD_NAMES.filter((name) => propertyField(name).kind === 'text' && propertyField(name).importable)
/** Its values are checked when they are entered. */
const CHECKED: readonly PropertyFieldName[] = ['protection_class']

async function propertyList(): Promise<Buffer> {
  const request = { account_id: desk.accountId }
  return (await desk.app.as(desk.userId).post('/api/v1/account_properties/property-list/download', request)).raw
}

/** What an import of the property list would do. */
async function proposed() {
  const { id, counts, questions } = await begin(desk, await propertyList(), 'property-list.xlsx')
  const changes = (await rowsOf(desk, id)).flatMap((row) => row.changes)
  return { counts, questions: questions.map(({ constant }) => constant), changes }
}
const NOTHING = { add: 0, change: 0, conflict: 0, errors: 0, remove: 0 }

test('a property list with marks in all fields of text changes nothing when it is imported', async () => {
  for (const [row, mark] of MARKS.entries()) {
    const texts = Object.fromEntries(TEXT_FIELDS.filter((name) => !CHECKED.includes(name)).map((name) => [name, mark]))
    await makeProperty(ctx, desk.accountId, { ...texts, address: `${row + 1} Oak St` })
  }
  expect(await proposed()).toEqual({ counts: expect.objectContaining({ ...NOTHING, unchanged: MARKS.length }), questions: [], changes: [] })
})

test('a property list with marks as addresses changes nothing when it is imported', async () => {
  for (const [row, address] of MARKS.entries()) await makeProperty(ctx, desk.accountId, { location_number: String(row + 1), address })
  expect(await proposed()).toEqual({ counts: expect.objectContaining({ ...NOTHING, unchanged: MARKS.length }), questions: [], changes: [] })
})

test('a description keeps its lines', async () => {
  const description = 'Main building.\nAnnex of 1990, "Hall B".\n\n- roof of 2015'
  await makeProperty(ctx, desk.accountId, { description })
  expect(await proposed()).toEqual({ counts: expect.objectContaining({ ...NOTHING, unchanged: 1 }), questions: [], changes: [] })
})

test('states and postal codes of other countries are read as they are', async () => {
  for (const [row, mark] of ['Same', 'N/A', '-', 'TBD', 'ditto'].entries())
    await makeProperty(ctx, desk.accountId, {
      location_number: String(row + 1),
      address: `${row + 1} Oak St`,
      country: 'DE',
      state: mark,
      postal_code: mark,
      latitude: null,
      longitude: null,
    })
  expect(await proposed()).toEqual({ counts: expect.objectContaining({ ...NOTHING, unchanged: 5 }), questions: [], changes: [] })
})

test.each([
  ['with many decimals', [33.3333, 0.0005, 12.345, 66.6667, 99.99999, 7, 0.125, 1e-7]],
  ['that are all very small', [0.0005, 0.5, 1]],
])('percentages %s do not change', async (_, shares) => {
  for (const [row, share] of shares.entries())
    await makeProperty(ctx, desk.accountId, {
      location_number: String(row + 1),
      address: `${row + 1} Oak St`,
      sprinklered: 'partial',
      percent_sprinklered: Math.min(99, Math.max(1, share)),
      percent_occupied: share,
    })
  expect(await proposed()).toEqual({
    counts: expect.objectContaining({ ...NOTHING, unchanged: shares.length }),
    questions: [],
    changes: [],
  })
})
