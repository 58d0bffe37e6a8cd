import { describe, expect, test } from 'vitest'
import type { Import } from '#contract/imports.ts'
import { answering, begin, commit, register } from '#server/testing/factories/import-flow.ts'
import { deskForEachTest } from '#server/testing/desk.fixture.ts'

const desk = deskForEachTest()

const HEADER = 'Loc #,Name,Address,City,State,Zip,Building Value,Contents'
const location = (number: number, building: number) => `${number},Site ${number},${number} Oak St,Tulsa,OK,74103,${building},1000`
const side = (left: string, right: string) => `${left || ','.repeat(7)},,${right}`
const sideBySide = [
  side(HEADER, HEADER),
  ...[1, 2, 3].map((number) => side(location(number, 500_000), location(number + 50, 700_000))),
  side('', location(54, 700_000)),
].join('\n')

const questionOf = ({ questions }: Import) => questions.find(({ constant }) => constant === 'side_table')
const answer = answering(desk)
const targets = ({ columns }: Import) => columns.map(({ field }) => field)
const PLACE = ['location_number', 'property_name', 'address', 'city', 'state', 'postal_code']
const LEFT = [...PLACE, 'building_value', 'contents_value']

describe('a table to the right of the schedule', () => {
  test('is a question with its rows and value, which blocks the commit; only the left table is imported', async () => {
    const data = await begin(desk, sideBySide)
    expect(questionOf(data)).toEqual({
      constant: 'side_table',
      suggestion: 'exclude',
      message:
        'Columns J to Q are another table, next to the first one: 4 rows worth $2,804,000. ' +
        'Leave it out? To import it, move it to a sheet of its own.',
      options: { include: 'No, its columns belong to the locations on the left' },
    })
    expect([targets(data), data.counts, data.unmapped_money]).toMatchObject([[...LEFT, ...Array(9).fill(null)], { add: 3, errors: 0 }, []])
    expect(data.columns[16]).toMatchObject({ letter: 'Q', state: 'ignored', note: 'other_table' })
    expect((await commit(desk, data)).status).toBe(409)
    const answered = await answer(data, { side_table: 'exclude' })
    expect((await commit(desk, answered)).status).toBe(200)
    expect((await register(desk)).map((one) => [one.location_number, one.building_value, one.contents_value])).toEqual(
      [1, 2, 3].map((number) => [String(number), 500_000, 1_000]),
    )
    const next = await begin(desk, [HEADER, location(1, 600_000)].join('\n'))
    expect(targets(next)).toEqual(LEFT)
  })
  test('is read like columns of the schedule if the user wants it, and the answer can be changed', async () => {
    const data = await answer(await begin(desk, sideBySide), { side_table: 'include' })
    expect([data.questions.map(({ constant }) => constant), data.columns[15]?.note]).toEqual([['unmapped_values'], null])
    expect(data.unmapped_money.map(({ letter }) => letter)).toEqual(['P', 'Q'])
    expect(questionOf(await answer(data, {}))?.constant).toBe('side_table')
  })
  test.each([
    ['below titles', ['OWNED LOCATIONS,,,,,,,,,LEASED LOCATIONS', side(HEADER, HEADER)], location(51, 700_000)],
    ['without a blank column between', [`${HEADER},${HEADER}`], location(51, 700_000)],
    ['of equipment at other locations', [side(HEADER, 'Loc #,Description,Equipment Value')], '7,Crane,700000'],
    ['with other values', [side(HEADER, 'Loc #,Address,City,State,Tenant Improvements')], '51,1 Elm St,Tulsa,OK,700000'],
  ])('is a question %s', async (_, header, right) => {
    const gap = header.at(-1)?.includes(',,') ? ',,' : ','
    const rows = [1, 2, 3].map((number) => `${location(number, 500_000)}${gap}${right}`)
    const data = await begin(desk, [...header, ...rows].join('\n'))
    expect(questionOf(data)?.message).toMatch(/are another table, next to the first one: 3 rows worth \$2,10/)
    expect(targets(data).slice(0, 8)).toEqual(LEFT)
  })
  test.each([
    ['the values of the same locations', 'Loc #,Address,BI / Rents', (number: number) => `${number},${number} Oak St,9000`],
    ['the addresses of owners', 'Owner,Address,City,State,Zip', (number: number) => `Owner ${number},${number} Elm St,Tulsa,OK,74103`],
  ])('is no question for columns with %s', async (_, header, right) => {
    const rows = [1, 2, 3].map((number) => side(location(number, 500_000), right(number)))
    expect((await begin(desk, [side(HEADER, header), ...rows].join('\n'))).questions).toEqual([])
  })
})
