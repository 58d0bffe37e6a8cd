import { describe, expect, test } from 'vitest'
import { begin, commit, put, register, rowsOf } from '#server/testing/factories/import-flow.ts'
import { deskForEachTest } from '#server/testing/desk.fixture.ts'

const desk = deskForEachTest()

const HEADER = 'Loc #,Bldg #,Name,Address,City,State,Zip,Building Value,Contents'
const STORES = [
  'Dollar General #10233,1201 N Peoria Ave,Tulsa,OK,74103,900000,40000',
  'Dollar General #11876,44 W Douglas Ave,Wichita,KS,67202,1210000,40001',
  'Dollar General #9034,5502 Center St,Omaha,NE,68102,1520000,40002',
  'Mercer Warehouse,2 Quarry Ln,Omaha,NE,68102,3070000,40007',
]
const ADDED = 'Dollar New,77 First St,Tulsa,OK,74103,5000000,1'
const schedule = (stores: readonly string[], first = 1) => [HEADER, ...stores.map((store, at) => `${first + at},,${store}`)].join('\n')

const imported = async (content = schedule(STORES)) => {
  const data = await begin(desk, content)
  expect((await commit(desk, data)).status).toBe(200)
  return data
}
const active = async () => (await register(desk)).filter(({ status }) => status === 'active')
/** The location number of each active property, by its id. */
const numbers = async () => Object.fromEntries((await active()).map(({ id, location_number }) => [id, Number(location_number)]))
/** Everything that identifies a property, and its values. */
const identities = async () =>
  Object.fromEntries(
    (await active()).map(({ id, property_name, address, city, state, postal_code, building_value }) => [
      id,
      [property_name, address, city, state, postal_code, building_value].join(),
    ]),
  )
const undo = (id: string, query = '') => desk.app.as(desk.userId).delete(`/api/v1/properties/import/${id}${query}`)

describe('a schedule with a new location first and all numbers plus one', () => {
  const RENUMBERED = schedule([ADDED, ...STORES])
  test('adds the new one and changes nothing but the numbers', async () => {
    await imported()
    const data = await begin(desk, RENUMBERED)
    expect([data.counts, data.questions]).toMatchObject([{ add: 1, change: 4, conflict: 0, errors: 0 }, []])
    const changes = (await rowsOf(desk, data.id, '&tab=change')).map((row) => row.changes)
    expect(changes).toEqual(['1', '2', '3', '4'].map((before) => [{ field: 'location_number', before, after: String(Number(before) + 1) }]))
  })
  test('leaves every property at its address when committed, and after the undo', async () => {
    await imported()
    const [before, numbersBefore] = [await identities(), await numbers()]
    const data = await begin(desk, RENUMBERED)
    expect((await commit(desk, data)).status).toBe(200)
    const after = await identities()
    expect(after).toMatchObject(before)
    expect(Object.values(after).toSorted()).toEqual([...Object.values(before), ADDED.replace(',1', '').replace(/,1$/, '')].toSorted())
    expect(await numbers()).toMatchObject(Object.fromEntries(Object.entries(numbersBefore).map(([id, number]) => [id, number + 1])))
    expect((await undo(data.id)).status).toBe(200)
    expect([await identities(), await numbers()]).toEqual([before, numbersBefore])
  })
  test('is not undone when a property that was edited since has the number of another one, with the reason', async () => {
    await imported()
    const data = await begin(desk, RENUMBERED)
    await commit(desk, data)
    const edited = (await active()).find(({ location_number }) => location_number === '3')
    const saved = await desk.app
      .as(desk.userId)
      .put(`/api/v1/account_properties/${edited?.id}`, { version: edited?.version, year_built: 2001 })
    expect(saved.status).toBe(200)
    const answer = await undo(data.id, '?others=1')
    expect([answer.status, answer.body.message]).toEqual([409, expect.stringContaining('Change its number first.')])
  })
})

test('two properties swap their numbers, and building numbers move within a location', async () => {
  const campus = (...rows: string[]) => [HEADER, ...rows.map((row, at) => `${row},${STORES[at]}`)].join('\n')
  await imported(campus('1,1', '2,1', '7,1', '7,2'))
  const before = await identities()
  const data = await begin(desk, campus('2,1', '1,1', '7,2', '7,1'))
  expect(data.counts).toMatchObject({ add: 0, change: 4, errors: 0 })
  expect((await commit(desk, data)).status).toBe(200)
  expect(await identities()).toEqual(before)
  const placed = async () =>
    (await active()).map((one) => `${one.property_name?.slice(-5)} ${one.location_number}/${one.building_number}`).toSorted()
  expect(await placed()).toEqual(['#9034 7/2', '10233 2/1', '11876 1/1', 'house 7/1'])
  expect((await undo(data.id)).status).toBe(200)
  expect(await placed()).toEqual(['#9034 7/1', '10233 1/1', '11876 2/1', 'house 7/2'])
})

describe('a schedule without the first location and all numbers minus one', () => {
  const SHORTER = schedule(STORES.slice(1))
  test('leaves the numbers as they are while the first location is in the register, which is one question', async () => {
    await imported()
    const data = await begin(desk, SHORTER)
    expect(data.counts).toMatchObject({ add: 0, change: 0, unchanged: 3, conflict: 0, errors: 0 })
    expect([data.issues, data.questions]).toEqual([
      [],
      [
        {
          constant: 'new_numbers',
          suggestion: 'leave',
          message:
            'The schedule renumbers 3 locations, but properties that it does not list have new numbers. Leave the numbers as they are in the register?',
          options: { use: 'No, renumber, and mark properties divested that are not in the file' },
        },
      ],
    ])
    const left = (await put(desk, data.id, { constants: { new_numbers: 'leave' } })).body.data
    expect([left.questions, left.counts.unchanged]).toEqual([[], 3])
  })
  test('counts the rows again when one is excluded and included', async () => {
    await imported()
    const data = await begin(desk, SHORTER)
    const exclude = async (excluded: boolean) => (await put(desk, data.id, { exclusions: [{ row: 2, excluded }] })).body.data
    expect((await exclude(true)).questions[0]?.message).toContain('renumbers 2 locations')
    expect((await exclude(false)).questions[0]?.message).toContain('renumbers 3 locations')
  })
  test('is a question without a suggestion if a new location then has a number in use', async () => {
    await imported()
    const data = await begin(desk, schedule([...STORES.slice(1), ADDED]))
    expect(data.counts.errors).toBe(1)
    expect(data.questions).toMatchObject([{ constant: 'new_numbers', suggestion: null, options: { leave: 'Yes, leave them' } }])
    const renumbered = (await put(desk, data.id, { constants: { new_numbers: 'use' } })).body.data
    expect(renumbered.counts).toMatchObject({ add: 1, change: 3, remove: 1, errors: 0 })
  })
  test('renumbers the others when that is the answer', async () => {
    await imported()
    const { data } = (await put(desk, (await begin(desk, SHORTER)).id, { constants: { new_numbers: 'use' } })).body
    expect(data).toMatchObject({ mode: 'full_replacement', constants: {}, questions: [], counts: { change: 3, remove: 1, errors: 0 } })
  })
  test('renumbers the others when the first location is removed, and is undone', async () => {
    await imported()
    const before = await numbers()
    const { data } = (await put(desk, (await begin(desk, SHORTER)).id, { mode: 'full_replacement' })).body
    expect(data.counts).toMatchObject({ change: 3, remove: 1, errors: 0 })
    expect((await commit(desk, data, { all_except: [] })).status).toBe(200)
    expect(Object.values(await numbers()).toSorted((a, b) => a - b)).toEqual([1, 2, 3])
    expect((await undo(data.id)).status).toBe(200)
    expect(await numbers()).toEqual(before)
  })
  test('is not committed without that removal, with the reason', async () => {
    await imported()
    const { data } = (await put(desk, (await begin(desk, SHORTER)).id, { mode: 'full_replacement' })).body
    const answer = await commit(desk, data)
    expect([answer.status, answer.body.message]).toEqual([409, expect.stringContaining('that you do not remove')])
    expect((await commit(desk, data, { all_except: [] })).status).toBe(200)
  })
})

test('a row with the number of another property is offered that one and the one at its address', async () => {
  await imported(schedule([...STORES, 'Twin A,9 Elm Rd,Omaha,NE,68102,1,1', 'Twin B,9 Elm Rd,Omaha,NE,68102,1,1']))
  const data = await begin(desk, [HEADER, '1,,Twin C,9 Elm Rd,Omaha,NE,68102,1,1'].join('\n'))
  const [row] = await rowsOf(desk, data.id, '&tab=conflict')
  expect(row?.candidates.map(({ name }) => name)).toEqual(['5 Twin A', '6 Twin B', '1 Dollar General #10233'])
})
