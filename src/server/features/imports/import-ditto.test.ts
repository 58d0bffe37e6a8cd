import { describe, expect, test } from 'vitest'
import { begin, commit, put, register, rowsOf, settled } from '#server/testing/factories/import-flow.ts'
import { deskForEachTest } from '#server/testing/desk.fixture.ts'

const desk = deskForEachTest()

const COLUMNS = 'Loc #\tName\tStreet Address\tCity\tState\tZip\tBuilding Value'
const FIRST = '1\tHall\t1 Main St\tFresno\tCA\t93721\t1000000'
const below = (number: number, address: string, city = 'Fresno', state = 'CA', zip = '93721') =>
  [number, `Site ${number}`, address, city, state, zip, `${number}000000`].join('\t')
/** Tab separated, since quotes have a meaning between commas. */
const schedule = (...rows: string[]) => [COLUMNS, FIRST, ...rows].map((row) => row.split('\t').map(quoted).join(',')).join('\n')
const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`
const places = async () =>
  (await register(desk)).map(({ address, city, state, postal_code }) => [address, city, state, postal_code].join('|'))

describe('a mark in place of the value above', () => {
  test.each(['"', '″', 'do.', 'Idem', 'same', '-"-', '- " -', 'ditto', '〃', 'as above', 'Ídem', 'dito'])(
    '“%s” takes the place of the row above, with a warning that has the mark',
    async (mark) => {
      const data = await begin(desk, schedule(below(2, '2 Main St', mark, mark, mark), below(3, '3 Main St', mark, mark, mark)))
      expect([data.questions, data.counts]).toMatchObject([[], { add: 3, errors: 0 }])
      const second = (await rowsOf(desk, data.id)).find(({ sheet_row }) => sheet_row === 3)
      expect(second?.issues).toMatchObject(
        ['Fresno', 'CA', '93721'].map((value) => ({
          code: 'value_above',
          severity: 'warning',
          value: mark,
          message: `“${mark}” is read as “${value}” of row 2. Correct it if the rows were sorted since.`,
        })),
      )
      expect((await commit(desk, data)).status).toBe(200)
      expect(await places()).toEqual([1, 2, 3].map((number) => `${number} Main St|Fresno|CA|93721`))
    },
  )
  test('takes the street, too, and nothing of another building', async () => {
    const data = await begin(desk, schedule(below(2, '"').replace(/2000000$/, '"')))
    expect((await commit(desk, data)).status).toBe(200)
    expect(await places()).toEqual(['1 Main St|Fresno|CA|93721', '1 Main St|Fresno|CA|93721'])
    expect((await register(desk)).map(({ building_value }) => building_value)).toEqual([1_000_000, null])
  })
  test('remains an error without a row directly above, and is never stored', async () => {
    const rows = schedule(below(2, '2 Main St', '"')).split('\n')
    const first = await begin(desk, [rows[0], rows[2]].join('\n'))
    expect(first.counts).toMatchObject({ add: 0, errors: 1 })
    const data = await begin(desk, schedule(below(2, '2 Elm St', 'Tulsa', 'OK', '74103'), below(3, '3 Elm St', 'same', 'same', 'same')))
    await put(desk, data.id, { exclusions: [{ row: 3, excluded: true }] })
    expect((await settled(desk, data.id)).counts).toMatchObject({ add: 1, excluded: 1, errors: 1 })
  })
  test('follows a change of the row above', async () => {
    const data = await begin(desk, schedule(below(2, '2 Main St', '"'), below(3, '3 Main St')))
    await put(desk, data.id, { edits: [{ row: 2, column: 'D', value: 'Clovis' }] })
    expect((await commit(desk, await settled(desk, data.id))).status).toBe(200)
    expect((await places())[1]).toBe('2 Main St|Clovis|CA|93721')
  })
  test('is read after it was typed', async () => {
    const data = await begin(desk, schedule(below(2, '2 Main St'), below(3, '3 Main St')))
    await put(desk, data.id, { edits: [{ row: 3, column: 'D', value: 'same' }] })
    expect((await settled(desk, data.id)).counts).toMatchObject({ add: 3, errors: 0 })
  })
  test('is not suspected in names that contain its words', async () => {
    const data = await begin(desk, schedule(below(2, '2 Ditto Landing', 'Do'), below(3, '5" Pipe Yard 3', 'Same Creek')))
    expect((await commit(desk, data)).status).toBe(200)
    expect((await places()).slice(1)).toEqual(['2 Ditto Landing|Do|CA|93721', '5" Pipe Yard 3|Same Creek|CA|93721'])
  })
})
