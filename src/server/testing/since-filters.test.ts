import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { DAY_MS } from '#contract/limits.ts'
import type { Context } from '#server/engines/context.ts'
import { testApp, type As, type TestApp } from './app.ts'
import { makeAccount, makeProperty } from './factories/accounts.ts'
import { makeFile } from './factories/files.ts'
import { makeUser, subscribe } from './factories/people.ts'

let app: TestApp
let broker: As
let visitor: As
const properties: Record<string, string> = {}
const files: Record<string, string> = {}
const visit = new Date(Date.now() - DAY_MS)
const at = (offsetMs: number) => new Date(visit.getTime() + offsetMs)

async function setTimes(table: 'account_properties' | 'account_files', id: string, created: Date, updated: Date) {
  await sql`UPDATE ${sql.table(table)} SET created_at = ${created}, updated_at = ${updated} WHERE id = ${id}`.execute(app.system.db)
}

beforeAll(async () => {
  app = await testApp()
  const { id, companyId } = await makeUser(app.system)
  await subscribe(app.system, companyId)
  broker = app.as(id)
  const asBroker: Context = { ...app.system, viewer: await app.viewer(id) }
  const { id: account } = await makeAccount(asBroker, { companyId })
  for (const [name, created, updated] of [
    ['old', -2, -1],
    ['at the visit', 0, 0],
    ['changed', 0, 1],
    ['added', 1, 1],
    ['added and changed', 1, 2],
  ] as const) {
    properties[name] = (await makeProperty(asBroker, account)).id
    files[name] = (await makeFile(asBroker, account, { name: `${name}.txt` })).id
    await setTimes('account_properties', properties[name], at(created), at(updated))
    await setTimes('account_files', files[name], at(created), at(updated))
  }
  files['private'] = (await makeFile(asBroker, account, { name: 'private.txt' })).id
  await app.system.db.updateTable('account_files').set({ private: true }).where('id', '=', files['private']).execute()
  const { link } = (await broker.post(`/api/v1/accounts/${account}/links`, { label: 'Carrier' })).body.data
  const { body } = await app.anonymous.post(`/api/v1/accounts/${account}/share`, { share_token: link.split('/').at(-1) })
  visitor = app.bearing(`Bearer ${body.token}`)
})
afterAll(() => app.stop())

async function found(as: As, list: string, filter: string, of: Record<string, string>, moment = visit.toISOString()) {
  const { body } = await as.get(`/api/v1/${list}?filter__${filter}=${encodeURIComponent(moment)}`)
  const names = Object.entries(of).filter(([, id]) => body.data.some((row: { id: string }) => row.id === id))
  expect(body.meta.total).toBe(names.length)
  return { names: names.map(([name]) => name), message: body.message }
}

it.each([
  ['added_since', ['added', 'added and changed']],
  ['changed_since', ['changed']],
])('the list of properties filtered by %s has those after the moment, for members and visitors', async (filter, names) => {
  for (const as of [broker, visitor]) expect(await found(as, 'account_properties', filter, properties)).toEqual({ names, message: '' })
})

it('the list of documents filtered by added_since has those after the moment, without private ones for visitors', async () => {
  const names = ['added', 'added and changed']
  expect((await found(broker, 'account_files', 'added_since', files)).names).toEqual([...names, 'private'])
  expect((await found(visitor, 'account_files', 'added_since', files)).names).toEqual(names)
})

it.each([
  'yesterday',
  '2026-02-31T00:00:00Z',
  '0000-01-01T00:00:00Z',
  '2026-03-01T24:30:00Z',
  '2026-03-01',
  "2026-03-01T00:00:00Z' OR TRUE --",
])('a moment that is none is ignored, and the answer says so: %s', async (moment) => {
  const { names, message } = await found(visitor, 'account_properties', 'added_since', properties, moment)
  expect(names).toEqual(Object.keys(properties))
  expect(message).toMatch(/^Ignored, because .*filter__added_since/)
})
