import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '#server/testing/app.ts'
import { type Desk, SOV, begin, openDesk, put } from '#server/testing/factories/import-flow.ts'

let app: TestApp
let desk: Desk
beforeAll(async () => {
  app = await testApp({ worker: true })
})
afterAll(() => app.stop())
beforeEach(async () => {
  desk = await openDesk(app)
})

/** By row number, the transaction that wrote the row last. */
async function writersOf(id: string): Promise<Record<number, string>> {
  const { rows } = await sql<{ row_number: number; writer: string }>`SELECT row_number, xmin::text AS writer FROM import_rows
    WHERE import_id = ${id}`.execute(app.system.db)
  return Object.fromEntries(rows.map(({ row_number, writer }) => [row_number, writer]))
}

describe('a change that alters no result', () => {
  test('confirms the mapping without writing a row', async () => {
    const data = await begin(desk, SOV)
    const before = await writersOf(data.id)
    const mapping = Object.fromEntries(data.columns.flatMap(({ letter, field }) => (field === null ? [] : [[letter, field]])))
    const { status, body } = await put(desk, data.id, { mapping })
    expect([status, body.data.state, body.data.activity, body.data.version]).toEqual([200, 'validated', null, data.version + 1])
    expect(body.data.columns.map(({ state }: { state: string }) => state)).not.toContain('confirm')
    expect(await writersOf(data.id)).toEqual(before)
    expect(body.data.sums).toEqual(data.sums)
  })
})

test('a page past the end of a tab is answered with the last page', async () => {
  const data = await begin(desk, SOV)
  const page = async (query: string) => (await app.as(desk.userId).get(`/api/v1/properties/import/${data.id}/rows?${query}`)).body
  const last = await page('tab=add&paginate=2&page=2')
  expect(last.data.map(({ row }: { row: number }) => row)).toEqual([5])
  expect(await page('tab=add&paginate=2&page=9')).toEqual(last)
  expect((await page('tab=remove&page=3')).meta).toMatchObject({ current_page: 1, total: 0 })
})
