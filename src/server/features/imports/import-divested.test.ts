import { expect, test } from 'vitest'
import { makeAccount, makeProperty } from '#server/testing/factories/accounts.ts'
import { begin, commit, put, register, rowsOf, settled, type Desk } from '#server/testing/factories/import-flow.ts'
import { deskForEachTest } from '#server/testing/desk.fixture.ts'

const desk = deskForEachTest()

const COLUMNS = 'Loc #,Street Address,City,ST,Zip,Building Value'
const schedule = (from: number, to: number) =>
  [COLUMNS, ...Array.from({ length: to - from + 1 }, (_, at) => `${from + at},${from + at} Main St,Fresno,CA,93721,1000000`)].join('\n')
const active = async (which: Desk) => (await register(which)).filter(({ status }) => status === 'active').length
/** Imports five properties, and then a file that replaces them. */
async function replaceWith(content: string) {
  await commit(desk, await begin(desk, schedule(1, 5)))
  return (await put(desk, (await begin(desk, content)).id, { mode: 'full_replacement' })).body.data
}

test.each([
  ['no rows', COLUMNS],
  ['only blank rows', `${COLUMNS}\n,,,,,\n,,,,,\n`],
])('a file with %s replaces nothing: it is rejected', async (_, content) => {
  await commit(desk, await begin(desk, schedule(1, 5)))
  expect(await begin(desk, content)).toMatchObject({ state: 'failed', failure: expect.stringContaining('no rows below') })
  expect(await active(desk)).toBe(5)
})

test('a full replacement with only rows with errors divests no property', async () => {
  const data = await replaceWith(`${COLUMNS}\n6,,,,,1000000\n`)
  const rejected = await commit(desk, data, { all_except: [] })
  expect([rejected.status, rejected.body.message]).toEqual([409, expect.stringContaining('No row of this file can be imported')])
  expect(await active(desk)).toBe(5)
})

test('a full replacement that divests more than half of the properties waits for an answer', async () => {
  const data = await replaceWith(schedule(4, 6))
  const message = 'This marks 3 of 5 properties divested ($3,000,000). Does the file list all properties of the account?'
  expect(data.questions).toMatchObject([{ constant: 'many_divested', suggestion: 'add_and_update', message }])
  expect((await commit(desk, data, { all_except: [] })).status).toBe(409)
  expect(await active(desk)).toBe(5)
  const answered = (await put(desk, data.id, { constants: { many_divested: 'mark' } })).body.data
  expect((await commit(desk, answered, { all_except: [] })).status).toBe(200)
  expect(await active(desk)).toBe(3)
})

test('the answer that the file does not list all properties adds and updates only', async () => {
  const data = await replaceWith(schedule(4, 6))
  const answered = (await put(desk, data.id, { constants: { many_divested: 'add_and_update' } })).body.data
  expect(answered).toMatchObject({ mode: 'add_and_update', constants: {}, questions: [], counts: { add: 1, remove: 0 } })
})

test('a full replacement that divests at most half of the properties has no question', async () =>
  expect((await replaceWith(schedule(3, 6))).questions).toEqual([]))

test.each<[string, (id: string) => Parameters<typeof commit>[2]]>([
  ['marks divested', (id) => [id]],
  ['excepts', (id) => ({ all_except: [id] })],
  ['marks in addition', (id) => ({ all_except: [], also: [id] })],
])('a commit that %s a property of another account is rejected as a whole', async (_, removalsOf) => {
  const data = await replaceWith(schedule(3, 6))
  const elsewhere = await makeProperty(desk.app.system, (await makeAccount(desk.app.system)).id)
  for (const id of [elsewhere.id, '01a00000-0000-7000-8000-000000000000']) {
    const { status, body } = await commit(desk, data, removalsOf(id))
    expect([status, body.data]).toEqual([409, { gone: [id], moved: [] }])
  }
  expect(await active(desk)).toBe(5)
})

test('a property that was permanently deleted meanwhile is named and no longer removed', async () => {
  const data = await replaceWith(schedule(3, 6))
  const removed = (await rowsOf(desk, data.id, '&tab=remove')).map(({ property }) => property?.id ?? '')
  const [first = ''] = removed
  const call = desk.app.as(desk.userId)
  await call.delete('/api/v1/account_properties', { ids: [first] })
  expect((await call.delete('/api/v1/account_properties', { ids: [first], force: true })).status).toBe(200)
  const { status, body } = await commit(desk, data, { all_except: [], also: removed })
  expect([status, body.data.gone]).toEqual([409, [first]])
  expect(body.message).toBe('1 property whose removal you chose is no longer in this account, so it is left out. Please import again.')
  expect(body.data.moved.map(({ full_address }: { full_address: string }) => full_address)).toEqual([
    expect.stringMatching(/ permanently deleted /),
  ])
  const renewed = await settled(desk, data.id)
  expect([renewed.counts.remove, renewed.version > data.version]).toEqual([removed.length - 1, true])
  expect((await commit(desk, renewed, { all_except: [], also: removed.slice(1) })).status).toBe(200)
})
