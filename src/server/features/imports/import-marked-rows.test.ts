import { describe, expect, test } from 'vitest'
import type { Import } from '#contract/imports.ts'
import { begin, commit, put, register, rowsOf, settled } from '#server/testing/factories/import-flow.ts'
import { deskForEachTest } from '#server/testing/desk.fixture.ts'

const desk = deskForEachTest()

const row = (number: number, status: string, note = '') =>
  `${number},Site ${number},${number}00 Main St,Fresno,CA,93721,${status},${note},${number}000000`
const schedule = (header: string, ...rows: string[]) =>
  [`Loc #,Location Name,Street Address,City,ST,Zip,${header},Comments,Bldg Value`, ...rows].join('\n')
const SCHEDULE = schedule(
  'Status',
  row(1, 'Active'),
  row(2, 'Sold'),
  row(3, 'Active', 'SOLD 3/1/26'),
  row(4, 'Closed'),
  row(5, 'Under contract'),
)

const question = ({ questions }: Import) => questions.find(({ constant }) => constant === 'marked_rows')
const decide = async (data: Import, decision: string): Promise<Import> => {
  const answer = await put(desk, data.id, { constants: { marked_rows: decision } })
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return settled(desk, data.id)
}
const imported = async () => new Set((await register(desk)).map(({ property_name }) => property_name))

describe('rows that are marked as sold, closed or not insured', () => {
  test('are one question, which blocks the commit', async () => {
    const data = await begin(desk, SCHEDULE)
    expect(question(data)).toEqual({
      constant: 'marked_rows',
      suggestion: 'leave_out',
      message: '3 rows are marked as sold, closed or not insured in column G, “Status”, and column H, “Comments”. Leave them out?',
      options: { import: 'No, import as active' },
    })
    expect((await commit(desk, data)).status).toBe(409)
  })
  test('are left out with the reason', async () => {
    const data = await decide(await begin(desk, SCHEDULE), 'leave_out')
    expect([question(data), data.counts, data.sums?.file]).toMatchObject([undefined, { add: 2, excluded: 3 }, { rows: 2, tiv: 6_000_000 }])
    const reasons = (await rowsOf(desk, data.id, '&tab=excluded')).map(({ sheet_row, reason }) => `${sheet_row} ${reason}`)
    expect(reasons[0]).toBe(
      '3 “Sold” below “Status” says that the property is sold, closed or not insured. Left out, as decided for all such rows.',
    )
    await commit(desk, data)
    expect(await imported()).toEqual(new Set(['Site 1', 'Site 5']))
  })
  test('are imported if the user says so, and the answer is not used for the next file', async () => {
    await commit(desk, await decide(await begin(desk, SCHEDULE), 'import'))
    expect((await imported()).size).toBe(5)
    expect(question(await begin(desk, SCHEDULE))).toBeDefined()
  })
  test('are recognized below “Insured?”, which names no owner', async () => {
    const data = await begin(
      desk,
      schedule('Insured?', row(1, 'Yes'), row(2, 'No'), row(3, 'Y'), row(4, 'N - self insured'), row(5, 'Excluded')),
    )
    expect(data.columns[6]).toMatchObject({ header: 'Insured?', field: null })
    expect(question(data)?.message).toMatch(/^3 rows are marked .* column G, “Insured\?”\./)
  })
})

describe('rows for no single location', () => {
  const BLANKET = [
    'Loc #,Location Name,Street Address,City,ST,Zip,Building,BI',
    '1,Hall,1 Main St,Fresno,CA,93721,1000000,5000',
    '2,Barn,2 Main St,Fresno,CA,93721,2000000,6000',
    ',Blanket Business Income (all locations),,,,,,9000000',
    ',Newly acquired property,,,,,5000000,',
    ',Unnamed locations limit,,,,,2500000,',
    ',,Property in transit,,,,400000,',
    '9,Blanket Mill,9 Main St,Fresno,CA,93721,3000000,',
  ].join('\n')
  test('are proposed to be left out, not as buildings of the location above', async () => {
    const data = await begin(desk, BLANKET)
    expect(data.questions).toEqual([
      {
        constant: 'marked_rows',
        suggestion: 'leave_out',
        message:
          '4 rows are for no single location (blanket, newly acquired, unnamed or in transit) in column B, “Location Name”, and column C, “Street Address”. Leave them out?',
        options: { import: 'No, import' },
      },
    ])
    const decided = await decide(data, 'leave_out')
    expect(decided.sums?.file).toMatchObject({ rows: 3, tiv: 6_011_000 })
    await commit(desk, decided)
    await settled(desk, data.id)
    expect(await imported()).toEqual(new Set(['Hall', 'Barn', 'Blanket Mill']))
  })
})
