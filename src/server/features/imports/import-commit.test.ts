import { describe, expect, test } from 'vitest'
import {
  RENEWAL,
  SOV,
  begin,
  commit,
  importFirst,
  propertyAt,
  put,
  register,
  rowsOf,
  scheduleOf,
  settled,
} from '#server/testing/factories/import-flow.ts'
import { makeUser } from '#server/testing/factories/people.ts'
import { writeImport } from '#server/features/imports/commit/write-import.ts'
import { deskForEachTest } from '#server/testing/desk.fixture.ts'

const desk = deskForEachTest()

const accountRow = () =>
  desk.app.system.db.selectFrom('accounts').select(['register_version']).where('id', '=', desk.accountId).executeTakeFirstOrThrow()
const idOf = (location: string) => propertyAt(desk, location)

describe('a commit', () => {
  test('writes properties, their provenance, one activity, one notification and one change', async () => {
    const before = await accountRow()
    await importFirst(desk)
    const [first, second, third] = await register(desk)
    expect(first).toMatchObject({
      location_number: '1',
      address: '100 Main St',
      building_value: 1_000_000,
      bi_value: 0,
      construction_class: '1',
      version: 1,
      tiv: 1_100_000,
      country: 'US',
      sprinklered: 'unknown',
    })
    expect(second).toMatchObject({ year_built: 1975, contents_value: null })
    expect(third).toMatchObject({
      year_built: null,
      construction_class: '2',
      construction_original: 'Stone',
      floor_area: 30_000,
      address_key: '300|ELM RD||75050',
    })
    expect(first?.sources).toMatchObject({
      building_value: { source: 'import', by: expect.any(String) as string, at: expect.any(String) as string, ref: 'sov.csv, cell K3' },
    })
    const activity = await desk.app.system.db
      .selectFrom('activities')
      .select(['message', 'class'])
      .where('account_id', '=', desk.accountId)
      .where('class', '=', 'imported')
      .execute()
    expect(activity).toEqual([
      { class: 'imported', message: expect.stringMatching(/ imported sov\.csv: 3 added, 0 changed, 0 divested$/) as string },
    ])
    const notifications = await desk.app.system.db
      .selectFrom('notifications')
      .select(['type', 'link'])
      .where('user_id', '=', desk.userId)
      .execute()
    expect(notifications).toEqual([
      {
        type: 'properties_imported',
        link: { model: 'accounts', model_id: desk.accountId, child: { model: 'imports', model_id: expect.any(String) } },
      },
    ])
    expect((await accountRow()).register_version).toBe(before.register_version + 1)
    const totals = await desk.app.system.db
      .selectFrom('account_totals')
      .select(['active_properties', 'tiv'])
      .where('account_id', '=', desk.accountId)
      .executeTakeFirstOrThrow()
    expect(totals).toEqual({ active_properties: 3, tiv: 6_150_000 })
  })
  test('imports a row with optional cells that cannot be read, and stores their text as the source of the empty field', async () => {
    const data = await begin(
      desk,
      scheduleOf(
        '1,1,Mill,1 Main St,Fresno,CA,9372,Frame,2031,1.2E4,1.2E6,100,,',
        '2,1,Barn,2 Main St,Fresno,CA,93721,Frame,1990,tall,900000,,,',
      ),
    )
    expect(data.counts).toMatchObject({ add: 2, errors: 0 })
    await commit(desk, data)
    const [first, second] = await register(desk)
    expect(first).toMatchObject({ year_built: null, floor_area: 12_000, building_value: 1_200_000, postal_code: '09372' })
    expect(first?.sources).toMatchObject({ year_built: { source: 'import', ref: 'sov.csv, cell I2: “2031”' } })
    expect(second?.sources).toMatchObject({ floor_area: { ref: 'sov.csv, cell J3: “tall”' }, building_value: { ref: 'sov.csv, cell K3' } })
  })
  test('adds properties with their defaults, and clearing restores them', async () => {
    const header = 'Loc #,Street Address,City,ST,# of Buildings,Country,Currency'
    const data = await begin(desk, `${header}\n1,1 Main St,Fresno,CA,,XX,ZZZ\n2,2 Main St,Fresno,CA,3,US,USD`)
    expect(data.issues.map(({ severity, field }) => `${severity} ${field}`).toSorted()).toEqual(['warning country', 'warning currency'])
    await commit(desk, data)
    const defaults = { bi_months: 12, valuation_basis: 'unknown', country: 'US', currency: 'USD' }
    expect(await register(desk)).toMatchObject([
      { ...defaults, building_count: 1 },
      { ...defaults, building_count: 3 },
    ])
    const cleared = await begin(desk, `${header}\n1,1 Main St,Fresno,CA,,,\n2,2 Main St,Fresno,CA,,,`)
    const preview = (await put(desk, cleared.id, { empty_clears: true })).body.data
    expect(preview.counts).toMatchObject({ change: 1, unchanged: 1 })
    await commit(desk, preview)
    expect((await register(desk))[1]?.building_count).toBe(1)
  })
  test('is rejected for rows in another currency than the properties of the account', async () => {
    await importFirst(desk)
    const data = await begin(desk, 'Location Number,Street Address,City,Country,Building Value (EUR)\n77,10 rue de la Paix,Paris,FR,500000')
    const rejected = await commit(desk, data)
    expect([rejected.status, rejected.body.message]).toEqual([
      409,
      expect.stringContaining('are in USD, and rows of this file in another currency'),
    ])
    expect(await register(desk)).toHaveLength(3)
  })

  test('changes nothing when it is repeated', async () => {
    const data = await begin(desk, SOV)
    const answers = await Promise.all([commit(desk, data), commit(desk, data)])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect((await commit(desk, data)).body.data.state).toBe('committed')
    expect(await register(desk)).toHaveLength(3)
  })
  test('changes values, but not by empty cells', async () => {
    await importFirst(desk)
    const data = await begin(desk, RENEWAL, 'renewal.csv')
    expect(data.counts).toMatchObject({ add: 1, change: 1, unchanged: 1 })
    const [change] = await rowsOf(desk, data.id, '&tab=change')
    expect(change?.changes).toEqual([
      { field: 'address', before: '100 Main St', after: '100 MAIN STREET' },
      { field: 'building_value', before: 1_000_000, after: 1_600_000 },
    ])
    expect(change?.issues.map(({ message }) => message)).toEqual([expect.stringContaining('rises by 60 %')])
    await commit(desk, data)
    expect((await register(desk))[0]).toMatchObject({ building_value: 1_600_000, contents_value: 100_000, version: 2 })
    expect((await begin(desk, RENEWAL, 'again.csv')).repeats).toMatchObject({ file_name: 'renewal.csv', later: null })
  })
  test('by a file that was imported before a newer one say so, and count the properties that go back to its values', async () => {
    const first = await importFirst(desk)
    await commit(desk, await begin(desk, RENEWAL, 'renewal.csv'))
    const again = await begin(desk, SOV, 'again.csv')
    expect(again.repeats).toMatchObject({ file_name: first.file_name, later: 'renewal.csv' })
    expect(again.counts.change).toBe(1)
  })
  test('clears values by empty cells if the user chose so', async () => {
    await importFirst(desk)
    const data = await begin(desk, RENEWAL)
    await commit(desk, (await put(desk, data.id, { empty_clears: true })).body.data)
    expect((await register(desk))[0]).toMatchObject({ contents_value: null, city: 'Fresno' })
  })
  test('saves the mapping for the company', async () => {
    const odd = SOV.replace('Location Name', 'SW Label')
    const data = await begin(desk, odd)
    expect(data.columns[2]).toMatchObject({ field: null })
    await commit(desk, (await put(desk, data.id, { mapping: { C: 'property_name' } })).body.data)
    expect((await begin(desk, odd)).columns[2]).toMatchObject({ field: 'property_name', state: 'mapped', score: 1 })
  })
  test('saves the mappings of two columns with the same header separately', async () => {
    const odd = SOV.replace('Location Name', 'SW Label').replace('Sq. Ft.', 'SW Label')
    const data = await begin(desk, odd)
    const mapped = await put(desk, data.id, { mapping: { C: 'ignore', J: 'tenants' } })
    expect((await commit(desk, mapped.body.data)).status).toBe(200)
    const saved = desk.app.system.db.selectFrom('import_mappings').select('field').where('header', '=', 'sw label (column 2)')
    expect(await saved.execute()).toEqual([{ field: 'tenants' }])
    expect((await begin(desk, odd)).columns.map(({ field }) => field)).toEqual(expect.arrayContaining(['tenants']))
  })
  test('is rejected with 409 while a question about the file is unanswered', async () => {
    const data = await begin(desk, SOV.replace('Acme Statement of Values', 'Acme Values (in thousands)'))
    const rejected = await commit(desk, data)
    expect([rejected.status, rejected.body.message]).toEqual([
      409,
      expect.stringMatching(/^Please answer first: The file says that its values are in thousands, .* Import them as written\?$/),
    ])
    expect(rejected.body.data).toEqual({ questions: [expect.objectContaining({ constant: 'factor' })] })
    const viewer = await desk.app.viewer(desk.userId)
    await expect(writeImport({ ...desk.app.system, viewer }, data.id, [])).rejects.toThrow('Please answer first')
    expect(await register(desk)).toEqual([])
    const answered = (await put(desk, data.id, { constants: { factor: '1' } })).body.data
    expect((await commit(desk, answered)).status).toBe(200)
    expect(await register(desk)).toHaveLength(3)
  })
  test('is rejected for a preview that was changed meanwhile', async () => {
    const data = await begin(desk, SOV)
    await put(desk, data.id, { mode: 'add_only' })
    expect((await commit(desk, data)).status).toBe(409)
    expect(await register(desk)).toEqual([])
  })
})

test('a factor that only one header announces multiplies its column, and the others are imported as they are', async () => {
  const file = [
    'Loc #,Street Address,City,ST,Zip,Building Value ($000),Contents,BI / Rents',
    '1,1 Main St,Fresno,CA,93721,4500,350000,120000',
    '2,2 Main St,Fresno,CA,93721,"1,250.5",90000,',
  ]
  const data = await begin(desk, file.join('\n'))
  expect(data.questions.map(({ constant, suggestion, message }) => [constant, suggestion, message])).toEqual([
    ['factor', '1000', 'The values in “Building Value ($000)” are in thousands. Multiply these by 1,000?'],
  ])
  expect((await commit(desk, data)).status).toBe(409)
  const answered = (await put(desk, data.id, { constants: { factor: '1000' } })).body.data
  expect([answered.questions, answered.sums.file.tiv]).toEqual([[], 4_500_000 + 1_250_500 + 350_000 + 90_000 + 120_000])
  expect((await commit(desk, answered)).body.data.state).toBe('committed')
  expect((await register(desk)).map((row) => [row.building_value, row.contents_value, row.bi_value, row.tiv])).toEqual([
    [4_500_000, 350_000, 120_000, 4_970_000],
    [1_250_500, 90_000, null, 1_340_500],
  ])
})

test('of two columns with the building values, the one in the currency of the account is proposed', async () => {
  const header = 'Loc #,Street Address,City,ST,Zip,Building'
  const proposed = async () => {
    const data = await begin(desk, `${header} (CAD),Building Value\n2,2 Main St,Fresno,CA,93721,4760000,3500000`)
    return data.columns.filter(({ field }) => field === 'building_value').map((column) => `${column.header} ${column.state}`)
  }
  expect(await proposed()).toEqual(['Building Value confirm'])
  await commit(desk, await begin(desk, `${header} (CAD),Contents (CAD)\n1,1 Main St,Fresno,CA,93721,5000000,100000`))
  await desk.app.system.db.deleteFrom('import_mappings').execute()
  expect(await proposed()).toEqual(['Building (CAD) confirm'])
})

test('the rows of a preview have their currency, without one that of their property', async () => {
  const header = 'Loc #,Street Address,City,ST,Zip,Building'
  const lines = ['1,1 Main St,Fresno,CA,93721,', '2,2 Main St,Fresno,CA,93721,', '3,3 Main St,Fresno,CA,93721,']
  const file = (title: string, ...values: number[]) => [title, ...values.map((value, at) => `${lines[at]}${value}`)].join('\n')
  await commit(desk, await begin(desk, file(`${header} (CAD)`, 500_000, 600_000)))
  const data = await begin(desk, file(`${header} (CAD)`, 550_000).concat(`\n${lines[2]}700000`))
  const currencies = async (id: string, tab: string) => (await rowsOf(desk, id, `&tab=${tab}`)).map(({ currency }) => currency)
  expect([await currencies(data.id, 'change'), await currencies(data.id, 'add')]).toEqual([['CAD'], ['CAD']])
  await put(desk, data.id, { mode: 'full_replacement' })
  expect(await currencies(data.id, 'remove')).toEqual(['CAD'])
  const unnamed = await begin(desk, file(header, 550_000))
  expect(await currencies(unnamed.id, 'change')).toEqual(['CAD'])
})

describe('the next import of the same layout', () => {
  /** Every amount of the file; areas are divided with them. */
  const inThousands = (value: string) =>
    SOV.replace('Acme Statement of Values', value)
      .replaceAll(',000"', '"')
      .replace(/(?<=,[1-9]\d*)000(?=[,\r]|$)/g, '')
  test('has the factor that was confirmed, if the file says the same about its values', async () => {
    const data = await begin(desk, inThousands('Values (in thousands)'))
    await commit(desk, (await put(desk, data.id, { constants: { factor: '1000', city: 'Fresno' } })).body.data)
    const renewal = await begin(desk, inThousands('Values (in thousands)').replace('Value 2026', 'Value 2027'))
    expect([renewal.constants, renewal.questions]).toEqual([{ factor: '1000' }, []])
    expect((await begin(desk, inThousands('Values in dollars'))).constants).toEqual({})
  })
  test('has the exclusions of the same account', async () => {
    const data = await begin(desk, SOV)
    await commit(desk, (await put(desk, data.id, { exclusions: [4, 6].map((row) => ({ row, excluded: true })) })).body.data)
    const [title = '', header = '', first = '', ...rest] = SOV.split('\r\n')
    const renewal = await begin(desk, [title, header, '7,1,New Place,9 New St,Fresno,CA,93721', first, ...rest].join('\r\n'))
    const excluded = (await rowsOf(desk, renewal.id)).filter(({ choice }) => choice === 'excluded')
    expect(excluded.map(({ row, cells }) => [row, cells[2]])).toEqual([
      [5, 'Mill'],
      [7, 'No Street'],
    ])
  })
})

describe('a change of the register', () => {
  test('a commit after an edit is rejected with the changed properties, and a new preview is made', async () => {
    await importFirst(desk)
    const data = await begin(desk, RENEWAL)
    await desk.app.as(desk.userId).put(`/api/v1/account_properties/${await idOf('1')}`, { version: 1, building_value: 1_500_000 })
    const rejected = await commit(desk, data)
    expect(rejected.status).toBe(409)
    expect(rejected.body.data).toEqual({ moved: [{ full_address: '100 Main St, Fresno, CA 93721', fields: ['building_value'] }] })
    const renewed = await settled(desk, data.id)
    expect(renewed.version).toBe(data.version + 1)
    const [change] = await rowsOf(desk, data.id, '&tab=change')
    expect(change?.changes).toContainEqual({ field: 'building_value', before: 1_500_000, after: 1_600_000 })
    expect((await commit(desk, renewed)).body.data.state).toBe('committed')
  })
  test('is said by an open preview, and a setting that is sent again has its rows checked again', async () => {
    const data = await begin(desk, RENEWAL)
    const shown = async () => (await desk.app.as(desk.userId).get(`/api/v1/properties/import/${data.id}`)).body.data
    expect(await shown()).toMatchObject({ register_changed: false, sums: { before: { rows: 0 } } })
    await importFirst(desk)
    expect(await shown()).toMatchObject({ register_changed: true, sums: { before: { rows: 0 } } })
    expect((await put(desk, data.id, { mode: data.mode })).status).toBe(200)
    expect(await settled(desk, data.id)).toMatchObject({ register_changed: false, sums: { before: { rows: 3 } } })
  })
  test('of two simultaneous commits for one account one is rejected', async () => {
    const colleague = await makeUser(desk.app.system, { role: 'broker', companyId: (await desk.app.viewer(desk.userId)).companyId })
    const [mine, theirs] = [await begin(desk, SOV), await begin({ ...desk, userId: colleague.id }, RENEWAL)]
    const answers = await Promise.all([commit(desk, mine), commit({ ...desk, userId: colleague.id }, theirs)])
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
    const numbers = (await register(desk)).map(({ location_number }) => location_number)
    expect(new Set(numbers).size).toBe(numbers.length)
  })
})

describe('rows that need a decision', () => {
  test('a known number with another address and name is a conflict that the user resolves', async () => {
    await importFirst(desk)
    const data = await begin(desk, scheduleOf('1,1,Barn,77 Farm Rd,Visalia,CA,93277,Frame,1990,100,100000,,,'))
    const [conflict] = await rowsOf(desk, data.id, '&tab=conflict')
    expect(data.open).toEqual({ answers: 0, columns: 0, decisions: 1 })
    expect([data.counts.conflict, conflict?.candidates.map(({ name }) => name)]).toEqual([1, ['1 Head Office']])
    const asNew = (await put(desk, data.id, { matches: [{ row: 2, property_id: null }] })).body.data
    expect(asNew.errors[0].message).toContain('is already used by 1, Head Office')
    const same = (await put(desk, data.id, { matches: [{ row: 2, property_id: await idOf('1') }] })).body.data
    expect(same.counts).toMatchObject({ conflict: 0, change: 1 })
    expect((await rowsOf(desk, data.id, '&tab=change'))[0]?.matched_by_hand).toBe(true)
    expect((await put(desk, data.id, { matches: [{ row: 2, automatic: true }] })).body.data.counts).toMatchObject({
      conflict: 1,
      change: 0,
    })
    const again = (await put(desk, data.id, { matches: [{ row: 2, property_id: await idOf('1') }] })).body.data
    await commit(desk, again)
    expect((await register(desk))[0]).toMatchObject({ address: '77 Farm Rd', address_key: '77|FARM RD||93277' })
  })
  test('two rows cannot be matched to one property', async () => {
    await importFirst(desk)
    const data = await begin(desk, RENEWAL)
    const id = await idOf('1')
    const twice = (await put(desk, data.id, { matches: [2, 4].map((row) => ({ row, property_id: id })) })).body.data
    expect(twice.errors.map(({ row }: { row: number }) => row)).toEqual([4])
  })
  test('a divested property becomes active again only if the user matches it', async () => {
    await importFirst(desk)
    await desk.app.system.db
      .updateTable('account_properties')
      .set({ status: 'divested', divested_on: '2026-01-01' })
      .where('id', '=', await idOf('1'))
      .execute()
    const data = await begin(desk, RENEWAL)
    expect(data.counts.conflict).toBe(1)
    await commit(desk, (await put(desk, data.id, { matches: [{ row: 2, property_id: await idOf('1') }] })).body.data)
    expect((await register(desk))[0]).toMatchObject({ status: 'active', divested_on: null })
  })
  test('a full replacement proposes missing properties, and marks the selected ones divested', async () => {
    await importFirst(desk)
    const data = await begin(desk, RENEWAL)
    const full = (await put(desk, data.id, { mode: 'full_replacement' })).body.data
    const [missing] = await rowsOf(desk, data.id, '&tab=remove')
    expect([full.counts.remove, missing?.property?.name, full.sums.after.rows]).toEqual([1, '3 Depot', 3])
    await commit(desk, full, [await idOf('3'), await idOf('2')])
    expect(
      (await register(desk)).map(({ location_number, status, divested_reason }) => [location_number, status, divested_reason]),
    ).toEqual([
      ['1', 'active', null],
      ['2', 'active', null],
      ['3', 'divested', 'other'],
      ['9', 'active', null],
    ])
  })
  test('a full replacement marks all preselected removals except some divested', async () => {
    await importFirst(desk)
    const data = await begin(desk, scheduleOf(RENEWAL.split('\n')[1] ?? ''))
    const full = (await put(desk, data.id, { mode: 'full_replacement', constants: { many_divested: 'mark' } })).body.data
    expect(full.counts.remove).toBe(2)
    const { body } = await commit(desk, full, { all_except: [await idOf('2')] })
    const active = (await register(desk)).filter(({ status }) => status === 'active')
    expect([full.sums.after.rows, body.data.sums.after]).toEqual([
      1,
      { rows: 2, tiv: active.reduce((sum, { tiv }) => sum + Number(tiv), 0), currency: 'USD' },
    ])
    expect((await register(desk)).map(({ location_number, status }) => [location_number, status])).toEqual([
      ['1', 'active'],
      ['2', 'active'],
      ['3', 'divested'],
    ])
  })
  test('a full replacement that names no removals marks all preselected ones divested, as the preview shows it', async () => {
    await importFirst(desk)
    const data = await begin(desk, scheduleOf(RENEWAL.split('\n')[1] ?? ''))
    const full = (await put(desk, data.id, { mode: 'full_replacement', constants: { many_divested: 'mark' } })).body.data
    const answer = await desk.app.as(desk.userId).post(`/api/v1/properties/import/${data.id}/commit`, { version: full.version })
    expect([answer.status, (await register(desk)).map(({ status }) => status)]).toEqual([200, ['active', 'divested', 'divested']])
  })
  test('the removals of a full replacement of 1,500 properties are listed in linear time', async () => {
    const rows = Array.from({ length: 1_500 }, (_, at) => `${at + 1},1,Site,${at + 1} Main St,Fresno,CA,93721,Frame,1990,1000,100000,,,`)
    const first = await begin(desk, scheduleOf(...rows))
    await commit(desk, first)
    await settled(desk, first.id)
    const data = await begin(desk, scheduleOf(...rows.slice(300)))
    await put(desk, data.id, { mode: 'full_replacement' })
    const full = await settled(desk, data.id)
    expect(full.counts.remove).toBe(300)
    const start = performance.now()
    expect(await rowsOf(desk, data.id, '&tab=remove')).toHaveLength(300)
    expect(performance.now() - start).toBeLessThan(1_000)
  })
  test.each([
    ['add_only', { add: 1, change: 0, unchanged: 2, excluded: 0 }],
    ['update_only', { add: 0, change: 1, unchanged: 1, excluded: 1 }],
  ])('mode %s changes the tabs of the preview', async (mode, counts) => {
    await importFirst(desk)
    const data = await begin(desk, RENEWAL)
    expect((await put(desk, data.id, { mode })).body.data.counts).toMatchObject(counts)
  })
})
