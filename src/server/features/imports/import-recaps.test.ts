import { describe, expect, test } from 'vitest'
import type { Import } from '#contract/imports.ts'
import { answering, begin, commit, register } from '#server/testing/factories/import-flow.ts'
import { deskForEachTest } from '#server/testing/desk.fixture.ts'

const desk = deskForEachTest()
const answer = answering(desk)

const LOCATIONS = [
  '1,10 Mill Rd,Reno,NV,89502,8000000,600000',
  '2,12 Mill Rd,Reno,NV,89502,2000000,85000',
  '3,14 Elm St,Boise,ID,83702,3100000,90000',
]
const beside = (right: readonly string[]): string =>
  ['Loc,Address,City,State,Zip,Building,Contents', ...LOCATIONS].map((line, index) => `${line},,${right[index] ?? ''}`).join('\n')
const STATES = beside(['State,Bldg,Cont', 'NV,10000000,685000', 'ID,3100000,90000', 'Total,13100000,775000'])
const ENTITIES = beside(['Entity,Total TIV', 'Mill LLC,10685000', 'Shop LLC,3190000', 'Total,13875000'])

const constantsOf = ({ questions }: Import) => questions.map(({ constant }) => constant)

describe('a recap to the right of the schedule', () => {
  test.each([
    ['states', STATES, 'Columns I to K'],
    ['entities', ENTITIES, 'Columns I to J'],
  ])('of %s is left out, with all locations imported', async (_, file, columns) => {
    const data = await begin(desk, file)
    expect([constantsOf(data), data.questions[0]?.message]).toEqual([
      ['side_table'],
      expect.stringContaining(`${columns} are another table, next to the first one: 2 rows worth $13,875,000.`),
    ])
    expect((await commit(desk, await answer(data, { side_table: 'exclude' }))).status).toBe(200)
    expect((await register(desk)).map((one) => [one.building_value, one.contents_value, one.legal_entity, one.stated_tiv])).toEqual([
      [8_000_000, 600_000, null, null],
      [2_000_000, 85_000, null, null],
      [3_100_000, 90_000, null, null],
    ])
  })

  test('is no reason to leave out the location next to its total if its columns are imported', async () =>
    expect(constantsOf(await answer(await begin(desk, STATES), { side_table: 'include' }))).not.toContain('possible_sums'))
})
