import { describe, expect, test } from 'vitest'
import { RENEWAL, SOV, begin, commit, importFirst, propertyAt, put, register } from '#server/testing/factories/import-flow.ts'
import { deskForEachTest } from '#server/testing/desk.fixture.ts'

const desk = deskForEachTest()

const idOf = (location: string) => propertyAt(desk, location)

describe('undo', () => {
  const undo = (id: string, query = '') => desk.app.as(desk.userId).delete(`/api/v1/properties/import/${id}${query}`)
  /** Without what the checks store at some time after the commit. */
  const withoutVersion = async () =>
    (await register(desk)).map(({ version: _version, updated_at: _at, quality_score: _score, checked_digest: _digest, ...row }) => row)
  test('restores the register as it was before the newest import', async () => {
    await importFirst(desk)
    const before = await withoutVersion()
    const data = await begin(desk, RENEWAL)
    const full = (await put(desk, data.id, { mode: 'full_replacement' })).body.data
    await commit(desk, full, [await idOf('3')])
    const answer = await undo(data.id)
    expect([answer.status, answer.body.data.state]).toEqual([200, 'undone'])
    expect(await withoutVersion()).toEqual(before)
    expect((await undo(data.id)).status).toBe(200)
  })
  test('removes the digest of the last check from the properties that it restores, as the import does', async () => {
    await importFirst(desk)
    const { db } = desk.app.system
    const setDigests = () =>
      db.updateTable('account_properties').set({ checked_digest: 'former' }).where('account_id', '=', desk.accountId).execute()
    const digestOf = async (location: string) => (await register(desk)).find((row) => row.location_number === location)?.checked_digest
    const data = await begin(desk, RENEWAL)
    await setDigests()
    await commit(desk, data)
    expect(await digestOf('1')).not.toBe('former')
    await setDigests()
    expect((await undo(data.id)).status).toBe(200)
    expect(await digestOf('1')).not.toBe('former')
  })
  test('of an import does not count as an edit for the import before it', async () => {
    const first = await importFirst(desk)
    const ids = []
    for (const value of ['1,700,000', '1,800,000']) {
      const data = await begin(desk, RENEWAL.replace('1,600,000', value))
      await commit(desk, data)
      ids.unshift(data.id)
    }
    for (const id of [...ids, first.id]) {
      expect((await desk.app.as(desk.userId).get(`/api/v1/properties/import/${id}`)).body.data.undoable).toBe(true)
      expect((await undo(id)).body.message).not.toContain('edited')
    }
    expect((await register(desk)).filter(({ deleted_at }) => deleted_at === null)).toEqual([])
  })
  test('is not offered when every property of the import was edited since', async () => {
    const data = await importFirst(desk)
    for (const number of ['1', '2', '3'])
      await desk.app.as(desk.userId).put(`/api/v1/account_properties/${await idOf(number)}`, { version: 1, year_built: 2021 })
    expect((await desk.app.as(desk.userId).get(`/api/v1/properties/import/${data.id}`)).body.data.undoable).toBe(false)
    expect((await undo(data.id, '?others=1')).body.message).toBe(
      'Every property of this import was edited since, so nothing is left to undo.',
    )
  })
  test('names who undid the import, and what was not undone', async () => {
    await importFirst(desk)
    const data = await begin(desk, RENEWAL)
    await commit(desk, data)
    await desk.app.as(desk.userId).put(`/api/v1/account_properties/${await idOf('9')}`, { version: 1, year_built: 2021 })
    const { undone, created_by } = (await undo(data.id, '?others=1')).body.data
    expect(undone).toEqual({ at: expect.any(String), by: created_by, restored: 1, trashed: 0, unchanged: 1 })
  })
  test('is rejected for an import that is not the newest', async () => {
    const first = await importFirst(desk)
    await commit(desk, await begin(desk, RENEWAL))
    const rejected = await undo(first.id)
    expect([rejected.status, rejected.body.message]).toEqual([409, 'Only the newest import can be undone. Undo the later ones first.'])
  })
  test('is rejected with the properties edited since, unless the user undoes the others', async () => {
    await importFirst(desk)
    const data = await begin(desk, RENEWAL)
    await commit(desk, data)
    await desk.app.as(desk.userId).put(`/api/v1/account_properties/${await idOf('9')}`, { version: 1, year_built: 2021 })
    const rejected = await undo(data.id)
    expect([rejected.status, rejected.body.data]).toEqual([409, { edited: ['900 New St, Fresno, CA 93721'], count: 1 }])
    expect((await undo(data.id, '?others=1')).body.message).toContain('1 edited since then')
    expect((await register(desk)).map(({ location_number, building_value }) => [location_number, building_value])).toEqual([
      ['1', 1_000_000],
      ['2', 2_000_000],
      ['3', 3_000_000],
      ['9', 500_000],
    ])
  })
  test('cancels an import that is not committed', async () => {
    const data = await begin(desk, SOV)
    expect((await undo(data.id)).body.data.state).toBe('cancelled')
    expect((await commit(desk, data)).status).toBe(409)
    const history = await desk.app.as(desk.userId).get(`/api/v1/properties/import/${desk.accountId}/history`)
    expect(history.body.data.map(({ state }: { state: string }) => state)).toEqual(['cancelled'])
  })
})
