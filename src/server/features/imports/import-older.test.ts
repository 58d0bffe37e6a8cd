import { expect, test } from 'vitest'
import type { Import } from '#contract/imports.ts'
import { begin, commit, put, register, settled } from '#server/testing/factories/import-flow.ts'
import { deskForEachTest } from '#server/testing/desk.fixture.ts'

const desk = deskForEachTest()

const fileOf = (header: string, ...values: number[]) =>
  [
    `Loc #,Name,Address,City,State,Zip,${header}`,
    ...values.map((value, at) => `${at + 1},Site ${at + 1},${at + 1} Oak St,Tulsa,OK,74103,${value}000`),
  ].join('\n')
const importFile = async (content: string, name: string) => {
  const data = await begin(desk, content, name)
  expect((await commit(desk, data)).status).toBe(200)
  await settled(desk, data.id)
}
const older = ({ questions }: Import) => questions.find(({ constant }) => constant === 'older_values')
const answer = async (data: Import, value: string) => {
  expect((await put(desk, data.id, { constants: { older_values: value } })).status).toBe(200)
  return settled(desk, data.id)
}
const values = async () => (await register(desk)).map(({ building_value }) => building_value)

test('a file of an earlier year asks before it replaces values of a later one, and only adds unless the user wants that', async () => {
  await importFile(fileOf('2026 Building Value', 200, 300), 'SOV 2026.csv')
  const data = await begin(desk, fileOf('2025 Building Value', 150, 250, 350), 'SOV 2025.csv')
  expect(older(data)).toEqual({
    constant: 'older_values',
    suggestion: 'add_only',
    message:
      'The values in the file are those of 2025, and the register has those of 2026 from “SOV 2026.csv”. Replace the newer ones of 2 properties?',
    options: { add_only: 'No, only add new locations', replace: 'Yes, change 2' },
  })
  expect((await commit(desk, data)).status).toBe(409)
  const replaced = await answer(data, 'replace')
  expect([replaced.questions, replaced.counts]).toMatchObject([[], { add: 1, change: 2 }])
  const added = await answer(replaced, 'add_only')
  expect([added.mode, added.questions, added.counts]).toMatchObject(['add_only', [], { add: 1, change: 0 }])
  expect((await commit(desk, added)).status).toBe(200)
  await settled(desk, added.id)
  expect(await values()).toEqual([200_000, 300_000, 350_000])
})

test.each([
  ['the year of the values is later', '2027 Building Value'],
  ['it is the same', '2026 Building Value'],
  ['the file names none', 'Building Value'],
])('there is no question if %s', async (_, header) => {
  await importFile(fileOf('2026 Building Value', 200, 300), 'SOV 2026.csv')
  expect((await begin(desk, fileOf(header, 150, 250))).questions).toEqual([])
})

test('an import that was undone has no values in the register', async () => {
  const data = await begin(desk, fileOf('2026 Building Value', 200))
  expect((await commit(desk, data)).status).toBe(200)
  await settled(desk, data.id)
  const earlier = fileOf('2024 Building Value', 120)
  expect(older(await begin(desk, earlier))?.message).toContain('those of 2026 from “sov.csv”')
  expect((await desk.app.as(desk.userId).delete(`/api/v1/properties/import/${data.id}`)).status).toBe(200)
  await settled(desk, data.id)
  expect(older(await begin(desk, earlier))).toBeUndefined()
})
