import { expect, test } from 'vitest'
import { begin, commit, importFirst, put, register, rowsOf } from '#server/testing/factories/import-flow.ts'
import { deskForEachTest } from '#server/testing/desk.fixture.ts'

const desk = deskForEachTest()

const UPDATE = ['Loc #,Building Value', '1,7000001', '2,2000000', '99,7000099'].join('\n')

test('a sheet of numbers and values updates the properties that it finds, and says why the others stay out', async () => {
  await importFirst(desk)
  const before = await register(desk)
  const data = await begin(desk, UPDATE)
  expect(data.counts).toMatchObject({ change: 1, unchanged: 1, errors: 1 })
  const [unknown] = await rowsOf(desk, data.id, '&tab=errors')
  expect(unknown?.issues[0]?.message).toBe(
    'The register has no location 99 to update, and a new property needs an address. Correct the number, or type the address or map the column that holds it.',
  )

  expect((await commit(desk, data)).status).toBe(200)
  const value = ({ building_value, ...others }: (typeof before)[number]) => ({ building_value, address: others.address, city: others.city })
  const [first, ...others] = before.map(value)
  expect((await register(desk)).map(value)).toEqual([{ ...first, building_value: 7_000_001 }, ...others])
})

test('a sheet of numbers and values leaves the other rows out in the mode that only updates', async () => {
  await importFirst(desk)
  const { data } = (await put(desk, (await begin(desk, UPDATE)).id, { mode: 'update_only' })).body
  expect(data.counts).toMatchObject({ change: 1, unchanged: 1, errors: 0, excluded: 1 })
})

test('a row without an address is decided like one with an address when its name contradicts', async () => {
  await importFirst(desk)
  const data = await begin(desk, ['Loc #,Name,Building Value', '1,Grain Silo,5000000', '2,Mill,6000000'].join('\n'))
  expect(data.counts).toMatchObject({ change: 1, conflict: 1, errors: 0 })
  const [row] = await rowsOf(desk, data.id, '&tab=conflict')
  const message =
    'Choose that property or make this a new one: the number belongs to 1, Head Office, 100 Main St in the register, whose name differs.'
  expect(row?.issues.map((issue) => issue.message)).toContain(message)
  const matched = async (property_id: string | null) =>
    (await put(desk, data.id, { matches: [{ row: row?.row, property_id }] })).body.data.counts
  expect(await matched(row?.candidates[0]?.id ?? '')).toMatchObject({ change: 2, conflict: 0, errors: 0 })
  expect(await matched(null)).toMatchObject({ change: 1, conflict: 0, errors: 1 })
})
