import { describe, expect, test } from 'vitest'
import { makeUser } from '#server/testing/factories/people.ts'
import { makeAccount, makeProperty } from '#server/testing/factories/accounts.ts'
import { RENEWAL, begin, commit, importFirst } from '#server/testing/factories/import-flow.ts'
import { deskForEachTest } from '#server/testing/desk.fixture.ts'

const desk = deskForEachTest()

interface Line {
  field: string
  from: unknown
  to: unknown
  by: string
  source: string
  ref: string | null
}
const user = () => desk.app.as(desk.userId)
const answer = (id: string, query = '', as = user()) => as.get(`/api/v1/account_properties/${id}/history${query}`)
const history = async (id: string, query = ''): Promise<Line[]> => (await answer(id, query)).body.data
const short = (lines: Line[]) => lines.map(({ field, from, to, source }) => [field, from, to, source])
const everyLine = async (): Promise<Line[]> => {
  const { db } = desk.app.system
  const properties = await db.selectFrom('account_properties').select('id').where('account_id', '=', desk.accountId).execute()
  return (await Promise.all(properties.map(({ id }) => history(id)))).flat()
}
const put = (id: string, body: object) => user().put(`/api/v1/account_properties/${id}`, body)
const property = () => makeProperty(desk.app.system, desk.accountId, { year_built: 1990, stories: 2 })

describe('the history of a property', () => {
  test('names field, former and new value, user and kind of each edit, newest first', async () => {
    const { id } = await property()
    await put(id, { version: 1, year_built: 1991, stories: 3 })
    await put(id, { version: 2, year_built: 1992, edit: 'list' })
    await put(id, { version: 3, year_built: 1991, edit: 'undo' })
    await put(id, { version: 4, year_built: 1990, edit: 'restore' })
    const lines = await history(id)
    expect(short(lines)).toEqual([
      ['year_built', 1991, 1990, 'restore'],
      ['year_built', 1992, 1991, 'undo'],
      ['year_built', 1991, 1992, 'list'],
      ['stories', 2, 3, 'form'],
      ['year_built', 1990, 1991, 'form'],
    ])
    const { data } = (await user().get('/api/v1/users/profile')).body
    expect(new Set(lines.map(({ by }) => by))).toEqual(new Set([data.full_name]))
    expect(short(await history(id, '?field=stories'))).toEqual([['stories', 2, 3, 'form']])
    expect((await answer(id, '?page=2&paginate=2')).body.meta).toMatchObject({ from: 3, to: 4, total: 5 })
  })

  test('has no line for a save that changed nothing, that was rejected, or that was stale', async () => {
    const { id } = await property()
    await put(id, { version: 1, year_built: 1990 })
    expect((await put(id, { version: 1, year_built: 3000 })).status).toBe(400)
    expect((await put(id, { version: 7, year_built: 1991 })).status).toBe(409)
    expect(await history(id)).toEqual([])
  })

  test('names the file of an import, and its undo', async () => {
    await importFirst(desk)
    const data = await begin(desk, RENEWAL)
    await commit(desk, data)
    const imported = await everyLine()
    expect(new Set(imported.map(({ source }) => source))).toEqual(new Set(['import']))
    expect(imported.length).toBeGreaterThan(0)
    expect(imported[0]?.ref).toMatch(/\.csv$/)
    expect((await user().delete(`/api/v1/properties/import/${data.id}`)).status).toBe(200)
    const after = await everyLine()
    for (const { field, from, to } of imported)
      expect(after).toContainEqual(expect.objectContaining({ field, from: to, to: from, source: 'undo' }))
  })

  test('hides the name of a document that the viewer does not see', async () => {
    await importFirst(desk)
    await commit(desk, await begin(desk, RENEWAL))
    await desk.app.system.db.updateTable('account_files').set({ original_file_name: 'Renamed.csv' }).execute()
    const refs = (await everyLine()).map(({ ref }) => ref)
    expect(new Set(refs)).toEqual(new Set([null]))
  })

  test('is not found for another company, and forbidden to roles without the permission', async () => {
    const { id } = await property()
    const other = await makeUser(desk.app.system, { role: 'broker' })
    const answered = await answer(id, '', desk.app.as(other.id))
    const missing = await answer('01980000-0000-7000-8000-000000000000', '', desk.app.as(other.id))
    expect([answered.status, answered.body]).toEqual([404, missing.body])
    const carrier = await makeUser(desk.app.system, { role: 'carrier' })
    expect((await answer(id, '', desk.app.as(carrier.id))).status).toBe(403)
  })

  test('ends with the property', async () => {
    const { id: accountId } = await makeAccount(desk.app.system, {})
    const { id } = await makeProperty(desk.app.system, accountId, {})
    const insert = { property_id: id, changed_at: new Date(), actor_name: 'Pat', source: 'form', changes: '{}' }
    await desk.app.system.db.insertInto('property_changes').values(insert).execute()
    await desk.app.system.db.deleteFrom('accounts').where('id', '=', accountId).execute()
    expect(await desk.app.system.db.selectFrom('property_changes').selectAll().where('property_id', '=', id).execute()).toEqual([])
  })
})
