import { describe, expect, test } from 'vitest'
import type { Import } from '#contract/imports.ts'
import { begin, commit, propertyAt, put, register, rowsOf, settled } from '#server/testing/factories/import-flow.ts'
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
  test('have no suggestion in an account with properties, which may be theirs', async () => {
    await commit(desk, await begin(desk, SCHEDULE.replace(/Sold|Closed/gi, '')))
    expect(question(await begin(desk, SCHEDULE))).toMatchObject({
      suggestion: null,
      options: { divest: 'Yes, and mark their properties divested', leave_out: 'Yes, leave out only', import: 'No, import as active' },
    })
  })
  test('are left out with the reason', async () => {
    const data = await decide(await begin(desk, SCHEDULE), 'leave_out')
    expect([question(data), data.counts, data.sums?.file]).toMatchObject([undefined, { add: 2, excluded: 3 }, { rows: 5, tiv: 15_000_000 }])
    expect(data.sums?.left_out).toEqual({ rows: 3, tiv: 9_000_000, currency: 'USD' })
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

describe('rows of codes for active and inactive', () => {
  const CODES = schedule('Status_Cd', row(1, 'A'), row(2, 'I'), row(3, 'A'))
  const all = schedule('Status_Cd', row(1, 'A'), row(2, 'A'), row(3, 'A'))

  test('are one question, which also offers to mark properties of the register divested', async () => {
    expect(question(await begin(desk, CODES))?.message).toBe(
      '1 row is marked as sold, closed or not insured in column G, “Status_Cd”. Leave it out?',
    )
    await commit(desk, await begin(desk, all))
    expect(question(await begin(desk, CODES))?.options).toEqual({
      divest: 'Yes, and mark their properties divested',
      leave_out: 'Yes, leave out only',
      import: 'No, import as active',
    })
  })
  test.each([
    ['Active Y/N', 'Y', 'N'],
    ['Disposed', 'N', 'Y'],
    ['Active Flag', '1', '0'],
  ])('are recognized below “%s”', async (header, active, inactive) => {
    const data = await begin(desk, schedule(header, row(1, active), row(2, inactive), row(3, active)))
    expect(question(data)?.message).toMatch(/^1 row is marked as sold, closed or not insured in column G/)
    await commit(desk, await decide(data, 'leave_out'))
    expect(await imported()).toEqual(new Set(['Site 1', 'Site 3']))
  })
  test('leave their numbers to new locations if their properties are divested', async () => {
    await commit(desk, await begin(desk, all))
    const depot = row(2, 'A').replace('Site 2', 'Depot').replace('200 Main St', '22 River Rd')
    const data = await decide(await begin(desk, `${CODES}\n${depot}`), 'divest')
    expect([data.questions, data.counts]).toMatchObject([[], { unchanged: 2, remove: 1, add: 1, conflict: 0 }])
    expect((await commit(desk, data, { all_except: [] })).status).toBe(200)
    const names = (await register(desk)).map((one) => `${one.location_number} ${one.property_name} ${one.status}`)
    expect(names.toSorted()).toEqual(['1 Site 1 active', '2 Depot active', '2 Site 2 divested', '3 Site 3 active'])
  })
  test('mark their properties divested if the user wants it', async () => {
    await commit(desk, await begin(desk, all))
    const data = await decide(await begin(desk, `${CODES}\n${row(4, 'I')}`), 'divest')
    expect([data.questions, data.counts]).toMatchObject([[], { unchanged: 2, remove: 1, excluded: 1, add: 0 }])
    expect(await rowsOf(desk, data.id, '&tab=remove')).toMatchObject([{ sheet_row: 3, property: { name: '2 Site 2' }, ticked: true }])
    expect((await commit(desk, data, { all_except: [] })).status).toBe(200)
    const properties = await register(desk)
    expect(properties.map(({ property_name, status, divested_reason }) => [property_name, status, divested_reason])).toEqual([
      ['Site 1', 'active', null],
      ['Site 2', 'divested', 'other'],
      ['Site 3', 'active', null],
    ])
  })
})

describe('the date of sale of rows in the schedule', () => {
  const divested = async (...marks: [mark: string, note?: string][]) => {
    const active = marks.map((_, index) => row(index + 1, ''))
    await commit(desk, await begin(desk, schedule('Date Sold', ...active)))
    const data = await begin(desk, schedule('Date Sold', ...marks.map(([mark, note], index) => row(index + 1, mark, note))))
    return decide(data, 'divest')
  }
  const dates = async () => (await register(desk)).map(({ status, divested_on }) => [status, divested_on])

  test('is that of the divestment, also if another column marks the row', async () => {
    const data = await divested(['3/15/2026'], ['2026-02-01', 'Sold to a tenant'], [''])
    expect([data.questions, data.counts]).toMatchObject([[], { remove: 2, unchanged: 1 }])
    expect((await commit(desk, data, { all_except: [] })).status).toBe(200)
    expect(await dates()).toEqual([
      ['divested', '2026-03-15'],
      ['divested', '2026-02-01'],
      ['active', null],
    ])
  })
  test('is read with a time and with words before it; a planned sale divests nothing', async () => {
    const data = await divested(['3/14/2026 2:15 PM'], ['14-Mar-2026 10:00'], ['sold on 3/15/2026'], ['3/14/2099'])
    expect([data.questions, data.counts]).toMatchObject([[], { remove: 3 }])
    expect((await commit(desk, data, { all_except: [] })).status).toBe(200)
    expect(await dates()).toEqual([
      ['divested', '2026-03-14'],
      ['divested', '2026-03-14'],
      ['divested', '2026-03-15'],
      ['active', null],
    ])
  })
  test('is a question if the order of its parts is not clear', async () => {
    const data = await divested(['3/4/2026'], [''])
    expect(data.questions).toMatchObject([
      { constant: 'date_order', message: expect.stringContaining('Dates in column G such as 3/4/2026 can be read in two ways.') },
    ])
    await put(desk, data.id, { constants: { marked_rows: 'divest', date_order: 'dmy' } })
    await commit(desk, await settled(desk, data.id), { all_except: [] })
    expect(await dates()).toEqual([
      ['divested', '2026-04-03'],
      ['active', null],
    ])
  })
})

describe('rows of properties that are divested already', () => {
  const SOLD = [schedule('Status', row(1, 'Active'), row(2, 'Sold'), row(3, 'Active')), row(2, 'Active').replace('200 Main', '250 Elm')]
  const divestSecond = async () => {
    await commit(desk, await begin(desk, schedule('Status', row(1, 'Active'), row(2, 'Active'), row(3, 'Active'))))
    const request = { model: 'account_properties', action: 'divest', input: { divested_on: '2026-01-02', divested_reason: 'sold' } }
    const second = await propertyAt(desk, '2')
    await desk.app.as(desk.userId).post('/api/v1/account_properties/actions', { ...request, selectedIds: [second] })
  }

  test('change nothing and are in no question, and the number is free for another property', async () => {
    await divestSecond()
    const data = await begin(desk, SOLD.join('\n'))
    expect([question(data), data.counts]).toMatchObject([undefined, { unchanged: 3, add: 1, change: 0, conflict: 0, errors: 0 }])
    expect((await commit(desk, data)).status).toBe(200)
    expect((await register(desk)).map(({ address, status }) => [address, status])).toEqual(
      expect.arrayContaining([
        ['200 Main St', 'divested'],
        ['250 Elm St', 'active'],
      ]),
    )
  })
  test('say which values of the file differ and are not imported', async () => {
    await divestSecond()
    const data = await begin(desk, schedule('Status', row(1, 'Active'), row(2, 'Sold').replace('2000000', '2500000')))
    const [warning] = (await rowsOf(desk, data.id, '&tab=unchanged')).flatMap(({ issues }) => issues)
    expect([question(data), warning]).toMatchObject([
      undefined,
      {
        code: 'divested_already',
        message: 'The property is divested, so what differs from the register is not imported: Building value.',
      },
    ])
  })
  test('say so also after an answer about other rows', async () => {
    await divestSecond()
    const text = schedule('Status', row(1, 'Active'), row(2, 'Sold').replace('2000000', '2500000'), row(3, 'Sold'), row(4, 'Sold'))
    const data = await begin(desk, text)
    expect(question(data)?.message).toContain('2 rows are marked')
    const decided = await decide(data, 'divest')
    expect(decided.counts).toMatchObject({ unchanged: 2, remove: 1, excluded: 1 })
    const issues = (await rowsOf(desk, decided.id, '&tab=unchanged')).flatMap((one) => one.issues)
    expect(issues.map(({ code }) => code)).toEqual(['divested_already'])
    expect((await rowsOf(desk, decided.id, '&tab=excluded')).map(({ reason }) => reason)).toEqual([
      '“Sold” below “Status” says that the property is sold, closed or not insured. Left out, as decided for all such rows. No property of the register matches it, so none is marked divested.',
    ])
  })
  test('name the property that they may be if the match is not certain', async () => {
    await commit(desk, await begin(desk, schedule('Status', row(1, 'Active'), row(2, 'Active'))))
    const moved = row(2, 'Sold').replace('200 Main St', '981 Harbor Blvd').replace('Site 2', 'Depot')
    const decided = await decide(await begin(desk, schedule('Status', row(1, 'Active'), moved)), 'divest')
    const [{ reason } = { reason: '' }] = await rowsOf(desk, decided.id, '&tab=excluded')
    expect(reason).toMatch(/Which property it is is not certain \(2, Site 2, 200 Main St\), so none is marked divested\.$/)
  })
  test('are a question if the address does not prove which property they are', async () => {
    await divestSecond()
    const data = await begin(desk, schedule('Status', row(1, 'Active'), row(2, 'Sold').replace('200 Main St', '200 Mian Street')))
    expect(question(data)).toBeDefined()
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
    expect([decided.sums?.file, decided.sums?.left_out]).toMatchObject([
      { rows: 7, tiv: 22_911_000 },
      { rows: 4, tiv: 16_900_000 },
    ])
    await commit(desk, decided)
    await settled(desk, data.id)
    expect(await imported()).toEqual(new Set(['Hall', 'Barn', 'Blanket Mill']))
  })
})

test.each([
  'DELETED LOCATIONS',
  'Sold in 2025:',
  'Leased - landlord insures building',
  'Locations removed effective 3/1/2026',
  'Locations to be deleted effective 3/1/2026:',
  'To come off the schedule:',
  'Please take off policy as of renewal',
  'Locations to remove',
  'Remove:',
  'Drop the following',
])('rows below the title “%s” are a question', async (title) => {
  const line = (at: number) => `${at},Site ${at},${at}00 Main St,Fresno,CA,93721,${at}000000`
  const header = 'Loc #,Location Name,Street Address,City,ST,Zip,Bldg Value'
  const file = [header, 'California,,,,,,', line(1), line(2), `${title},,,,,,`, line(3), 'Nevada,,,,,,', line(4)]
  const data = await begin(desk, file.join('\n'))
  expect(question(data)?.message).toBe('1 row is marked as sold, closed or not insured in the title above it. Leave it out?')
  expect((await decide(data, 'leave_out')).counts).toMatchObject({ add: 3 })
})

test.each([
  ['Change', 'Delete eff 1/1/26', 'Value update'],
  ['Add/Delete', 'Delete', 'Add'],
  ['Add/Chg/Del', 'D', 'C'],
  ['Disposition', 'Sold 3/1/26', ''],
  ['Trans Type', 'Del', 'Add'],
  ['Endorsement Type', 'Delete', 'Amend'],
  ['Deletion Date', '3/1/2026', ''],
])('a column “%s” marks a row by “%s”', async (header, ended, other) => {
  const data = await begin(desk, schedule(header, row(1, other), row(2, ended), row(3, other)))
  expect(question(data)?.message).toMatch(/^1 row is marked as sold, closed or not insured in column G/)
})

test('remarks in names and notes in columns without a field mark rows', async () => {
  const header = 'Loc #,Location Name,Street Address,City,ST,Zip,Comments from Insured,Bldg Value'
  const line = (at: number, name: string, note = '') => `${at},${name},${at}00 Main St,Fresno,CA,93721,${note},${at}000000`
  const rows = [line(1, 'Sold Street Store'), line(2, '*SOLD* Mill'), line(3, 'Barn - SOLD 3/15/26'), line(4, 'Depot', 'Please remove')]
  const data = await begin(desk, [header, ...rows].join('\n'))
  expect(question(data)?.message).toBe(
    '3 rows are marked as sold, closed or not insured in column B, “Location Name”, and column G, “Comments from Insured”. Leave them out?',
  )
})
