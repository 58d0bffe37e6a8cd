import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ImportColumn } from '#contract/imports.ts'
import { type TestApp, testApp } from '#server/testing/app.ts'
import { type Desk, SOV, begin, commit, openDesk, put, register, rowsOf, settled } from '#server/testing/factories/import-flow.ts'
import { makeUser } from '#server/testing/factories/people.ts'
import { loadSheets } from './imports.fixture.ts'

let app: TestApp
let desk: Desk
beforeAll(async () => {
  app = await testApp({ worker: true })
})
afterAll(() => app.stop())

const fixed = { edits: [{ row: 6, column: 'D', value: '400 Pine St' }] }

describe('the preview of a file', () => {
  beforeAll(async () => {
    desk = await openDesk(app)
  })
  test('contains sheet, header row, columns and counts', async () => {
    const data = await begin(desk, SOV)
    expect(data).toMatchObject({
      state: 'validated',
      status: 'validated',
      header_row: 2,
      total: 6,
      sheet_rows: 7,
      mode: 'add_and_update',
      failure: null,
      repeats: null,
    })
    expect(data.columns.map(({ letter, field, state }) => `${letter} ${field} ${state}`)).toEqual([
      'A location_number mapped',
      'B building_number mapped',
      'C property_name mapped',
      'D address mapped',
      'E city mapped',
      'F state mapped',
      'G postal_code mapped',
      'H construction_class mapped',
      'I year_built mapped',
      'J floor_area mapped',
      'K building_value mapped',
      'L contents_value mapped',
      'M bi_value mapped',
      'N stated_tiv mapped',
    ])
    expect(data.counts).toEqual({ add: 3, change: 0, unchanged: 0, remove: 0, conflict: 0, excluded: 2, errors: 1 })
    expect(data.sums).toMatchObject({
      file: { rows: 4, tiv: 6_550_000, currency: 'USD' },
      before: { rows: 0, tiv: 0, currency: 'USD' },
      after: { rows: 3, tiv: 6_150_000, currency: 'USD' },
      stated: 6_550_000,
      stated_parts: [],
      stated_rows: 6_550_000,
      left_out: { rows: 1, tiv: 400_000, currency: 'USD' },
    })
    expect(data.errors).toEqual([
      { row: 6, sheet: 'Data', sheet_row: 6, field: 'address', message: expect.stringContaining('Street address is missing') as string },
    ])
    expect(data.issues.map(({ code, column, count, first_row }) => `${code} ${column} ${count} ${first_row}`).sort()).toEqual([
      'included_elsewhere L 1 5',
      'placeholder_value I 1 5',
      'required_missing D 1 6',
      'word_to_confirm H 1 5',
    ])
  })
  test('lists all rows of the sheet, or the rows of one tab', async () => {
    const data = await begin(desk, SOV.replace('TOTAL', '\r\n,,,,,,,,,,,,,\r\nTOTAL'))
    const rows = await rowsOf(desk, data.id)
    expect(rows.map(({ row, kind }) => `${row} ${kind}`)).toEqual([
      '1 title',
      '2 header',
      '3 data',
      '4 data',
      '5 data',
      '6 data',
      '7 blank',
      '8 blank',
      '9 total',
    ])
    const [error] = await rowsOf(desk, data.id, '&tab=errors')
    expect(error?.issues).toEqual([
      expect.objectContaining({ row: 6, column: 'D', header: 'Street Address', code: 'required_missing', severity: 'error' }),
    ])
    const left = await rowsOf(desk, data.id, '&tab=excluded')
    expect(left.map(({ row, reason }) => [row, reason])).toEqual([
      [1, 'Above the header'],
      [9, 'Total of rows above'],
    ])
  })
  test('sends the cells of a row as they will be in the register, and of a row that is no location as in the file', async () => {
    const data = await begin(desk, SOV)
    const rows = await rowsOf(desk, data.id, '&reading=register')
    expect(rows.map(({ cells }) => [cells[7], cells[8], cells[9], cells[10], cells[11]])).toEqual([
      [undefined, undefined, undefined, undefined, undefined],
      ['Construction', 'Year Built', 'Sq. Ft.', 'Bldg Value 2026', 'Contents'],
      ['1', 1990, 10_000, 1_000_000, 100_000],
      ['2', 1975, 20_000, 2_000_000, null],
      ['2', null, 30_000, 3_000_000, null],
      ['1', 1980, 1_000, 400_000, null],
      [null, null, null, '6400000', '100000'],
    ])
    expect((await rowsOf(desk, data.id, '&reading=register&tab=add')).map(({ cells }) => cells[9])).toEqual([10_000, 20_000, 30_000])
    expect((await rowsOf(desk, data.id, '&tab=add')).map(({ cells }) => cells[9])).toEqual(['10,000', '20000', '30000 sf'])
  })
  test('can be downloaded as a workbook of the rejected rows with their errors', async () => {
    const data = await begin(desk, SOV)
    const answer = await app.as(desk.userId).get(`/api/v1/properties/import/${data.id}/rejected`)
    const path = join(await mkdtemp(join(tmpdir(), 'rejected-')), 'rows.xlsx')
    await writeFile(path, answer.raw)
    const [sheet] = await loadSheets(path)
    expect(sheet?.all).toHaveLength(2)
    expect(sheet?.all[1]?.cells.slice(-2)).toEqual([6, expect.stringContaining('D: Street address is missing')])
  })
  test('shows how cells with several parts of the address are split', async () => {
    const data = await begin(
      desk,
      'Item,Address,City,Bldg Value\n1,1 Main St,"Fresno, CA 93721",100000\n2,2 Oak Ave,Selma CA 93662,200000\n',
    )
    expect(data.counts).toMatchObject({ add: 2, errors: 0 })
    expect(data.columns[2]).toMatchObject({
      field: 'city_state_zip',
      state: 'confirm',
      split: ['Fresno | CA | 93721', 'Selma | CA | 93662'],
    })
    const whole = await begin(
      desk,
      'Item,Address,Bldg Value\n1,"1 Main St, Fresno, CA 93721",100000\n2,"2 Oak Ave, Selma CA 93662",200000\n',
    )
    expect(whole.counts).toMatchObject({ add: 2, errors: 0 })
    expect(whole.columns.map(({ split }) => split?.[0])).toEqual([undefined, '1 Main St | Fresno | CA | 93721', undefined])
  })
  test('fails with advice if the file cannot be read', async () => {
    const data = await begin(desk, Buffer.from('D0CF11E0A1B11AE1', 'hex'), 'old.xls')
    expect(data.state).toBe('failed')
    expect(data.failure).toContain('.xlsx')
  })
})

describe('changing an import', () => {
  beforeAll(async () => {
    desk = await openDesk(app)
  })
  test('a cell can be corrected, and all equal cells at once', async () => {
    const data = await begin(desk, SOV)
    const corrected = (await put(desk, data.id, fixed)).body.data
    expect(corrected.counts).toMatchObject({ add: 4, errors: 0 })
    expect(corrected.version).toBe(data.version + 1)
    const replaced = (await put(desk, data.id, { replace: { column: 'H', from: 'Frame', to: 'Fire resistive' } })).body.data
    expect(replaced.state).toBe('validated')
    expect((await rowsOf(desk, data.id)).map(({ cells }) => cells[7]).filter((cell) => cell === 'Fire resistive')).toHaveLength(2)
  })
  test('a cell edited by hand shows what the file says, and is read as in the file when it is changed back', async () => {
    const data = await begin(desk, SOV)
    const editedOf = async () => Object.fromEntries((await rowsOf(desk, data.id)).map(({ row, edited }) => [row, edited]))
    const unedited = await editedOf()
    expect(unedited[6]).toEqual({})
    await put(desk, data.id, { edits: [...fixed.edits, { row: 3, column: 'J', value: '11000' }, { row: 3, column: 'L', value: '' }] })
    const replaced = (await put(desk, data.id, { replace: { column: 'H', from: 'Stone', to: 'Frame' } })).body.data
    expect(await editedOf()).toEqual({ ...unedited, 3: { J: '10,000', L: '100000' }, 5: { H: 'Stone' }, 6: { D: null } })
    expect((await rowsOf(desk, data.id, '&tab=add')).map(({ edited }) => Object.keys(edited))).toEqual([['J', 'L'], [], ['H'], ['D']])
    expect(replaced.sums).not.toEqual(data.sums)
    await put(desk, data.id, {
      edits: [
        { row: 3, column: 'J', value: '10,000' },
        { row: 3, column: 'L', value: '100000' },
      ],
    })
    await put(desk, data.id, { replace: { column: 'H', from: 'Frame', to: 'Stone' } })
    const back = (
      await put(desk, data.id, {
        edits: [
          { row: 3, column: 'H', value: 'Frame' },
          { row: 6, column: 'H', value: 'Frame' },
          { row: 6, column: 'D', value: '' },
        ],
      })
    ).body.data
    expect(await editedOf()).toEqual(unedited)
    expect([back.sums, back.counts, back.issues]).toEqual([data.sums, data.counts, data.issues])
  })
  test('a row without a known value has no total, in the preview and as a property', async () => {
    const empty = await openDesk(app)
    const data = await begin(
      empty,
      'Loc #,Street Address,City,ST,Zip,Bldg Value,Contents\n1,1 Elm Rd,Fresno,CA,93721,,\n2,2 Elm Rd,Fresno,CA,93721,0,\n',
    )
    const totals = async () => (await rowsOf(empty, data.id, '&tab=add')).map(({ tiv }) => tiv)
    expect(await totals()).toEqual([null, 0])
    await commit(empty, data)
    const { body } = await app.as(empty.userId).get(`/api/v1/account_properties?filter__account_id=${empty.accountId}&sort=location_number`)
    expect(body.data.map((row: { tiv: unknown }) => row.tiv)).toEqual([
      { value: null, text: '' },
      { value: 0, text: '0' },
    ])
    const record = await app.as(empty.userId).get(`/api/v1/account_properties/${body.data[0].id}`)
    expect(record.body.data.tiv).toBeNull()
  })
  test('a row can be excluded and included', async () => {
    const data = await begin(desk, SOV)
    expect((await put(desk, data.id, { exclusions: [{ row: 6, excluded: true }] })).body.data.counts).toMatchObject({
      errors: 0,
      excluded: 3,
    })
    const total = (await put(desk, data.id, { exclusions: [{ row: 7, excluded: false }] })).body.data
    expect(total.counts).toMatchObject({ errors: 1, excluded: 2 })
    expect((await rowsOf(desk, data.id))[6]).toMatchObject({
      kind: 'data',
      choice: 'included',
      reason: expect.stringContaining('Total') as string,
    })
  })
  test('a decision about a row can be removed, and survives a change of the header row', async () => {
    const data = await begin(desk, SOV)
    await put(desk, data.id, {
      exclusions: [
        { row: 3, excluded: true },
        { row: 7, excluded: false },
      ],
    })
    const reread = (await put(desk, data.id, { header_row: 2 })).body.data
    expect(reread.counts).toMatchObject({ add: 2, errors: 2, excluded: 2 })
    const back = (await put(desk, data.id, { exclusions: [3, 7].map((row) => ({ row, automatic: true })) })).body.data
    expect([back.counts, back.sums.stated]).toEqual([data.counts, data.sums?.stated])
  })
  test('a field can be mapped to another column or replaced by a constant', async () => {
    const data = await begin(desk, SOV)
    const moved = (await put(desk, data.id, { mapping: { F: null }, constants: { state: 'Calif.' } })).body.data
    expect(moved.columns[5]).toMatchObject({ letter: 'F', field: null, state: 'unmapped' })
    expect(moved.issues.map(({ code }: { code: string }) => code)).toContain('state_zip_mismatch')
    const stolen = (await put(desk, data.id, { mapping: { C: 'city' } })).body.data
    expect([stolen.columns[2].field, stolen.columns[4].field]).toEqual(['city', null])
  })
  test('a header row and a mapping that are sent together are both applied', async () => {
    const data = await begin(desk, SOV)
    const { body } = await put(desk, data.id, { header_row: 1, mapping: { A: 'location_number', C: 'property_name', K: null } })
    expect(body.data.header_row).toBe(1)
    expect(body.data.columns.slice(0, 3).map(({ field, state }: ImportColumn) => [field, state])).toEqual([
      ['location_number', 'mapped'],
      [null, 'unmapped'],
      ['property_name', 'mapped'],
    ])
    const invalid = await put(desk, data.id, { header_row: 2, mapping: { A: 'zorp' } })
    expect([invalid.status, Object.keys(invalid.body.errors)]).toEqual([400, ['mapping']])
  })
  test('another header row can be chosen', async () => {
    const data = await begin(desk, SOV)
    const other = (await put(desk, data.id, { header_row: 1 })).body.data
    expect(other.columns[0]).toMatchObject({ header: 'Acme Statement of Values', field: null })
  })
  test.each([
    [{ mapping: { A: 'color' } }, 'mapping'],
    [{ mapping: { ZZ: 'city' } }, 'mapping'],
    [{ constants: { state: 'Bavaria' } }, 'state'],
    [{ constants: { color: 'red' } }, 'color'],
    [{ sheet: 7 }, 'sheet'],
    [{ matches: [{ row: 3, property_id: '019a0000-0000-7000-8000-000000000000' }] }, 'matches'],
  ])('%j is rejected with the field', async (patch, field) => {
    const data = await begin(desk, SOV)
    const answer = await put(desk, data.id, patch)
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([400, [field]])
  })
  test('values in thousands are multiplied only if the user confirms it', async () => {
    const data = await begin(desk, SOV.replace('Acme Statement of Values', 'Acme Values (in thousands)'))
    expect(data.questions).toEqual([expect.objectContaining({ constant: 'factor', suggestion: '1' })])
    expect(data.sums?.file.tiv).toBe(6_550_000)
    const answered = (await put(desk, data.id, { constants: { factor: '1000' } })).body.data
    expect([answered.sums.file.tiv, answered.questions]).toEqual([6_550_000_000, []])
  })
})

describe('questions', () => {
  const openConstants = (data: { questions: { constant: string; suggestion: string | null }[] }) =>
    data.questions.map(({ constant, suggestion }) => `${constant} ${suggestion}`)
  test('are open for a schedule whose only amount is a total', async () => {
    const mine = await openDesk(app)
    const rows = ['1,1 Main St,Fresno,CA,500000,2000', '2,2 Main St,Fresno,CA,900000,3000']
    const text = ['Loc #,Street Address,City,State,TIV,Insured Fine Art', ...rows].join('\n')
    const data = await begin(mine, text)
    expect([openConstants(data), data.unmapped_money]).toEqual([
      ['tiv_column building_value', 'unmapped_values null'],
      [{ letter: 'F', header: 'Insured Fine Art', total: 5_000, currency: null }],
    ])
    const answered = (await put(mine, data.id, { constants: { tiv_column: 'building_value', unmapped_values: 'leave_out' } })).body.data
    expect([answered.questions, answered.columns[4].field, answered.sums.file.tiv]).toEqual([[], 'building_value', 1_400_000])
    await commit(mine, answered)
    const again = await begin(mine, text)
    expect([again.columns[4]?.field, openConstants(again)]).toEqual(['stated_tiv', openConstants(data)])
  })
  test('are open for several currencies, and only rows in the chosen one are imported', async () => {
    const mine = await openDesk(app)
    const rows = ['1,1 Main St,Fresno,CA,USD,500000', '2,2 Main St,Fresno,CA,EUR,900000', '3,3 Main St,Fresno,CA,USD,700000']
    const data = await begin(mine, ['Loc #,Street Address,City,State,Currency,Building Value', ...rows].join('\n'))
    expect([openConstants(data), data.open.answers, data.sums?.file.currency]).toEqual([['currency USD'], 1, null])
    expect((await commit(mine, data)).status).toBe(409)
    const answered = (await put(mine, data.id, { constants: { currency: 'USD' } })).body.data
    expect([answered.open.answers, answered.counts.add, answered.sums.left_out]).toEqual([0, 2, { rows: 1, tiv: 900_000, currency: 'EUR' }])
    await commit(mine, answered)
    expect((await register(mine)).map(({ currency, building_value }) => `${currency} ${building_value}`)).toEqual([
      'USD 500000',
      'USD 700000',
    ])
  })
  test('are open for codes and ambiguous dates until the user answers', async () => {
    const mine = await openDesk(app)
    const data = await begin(
      mine,
      'Loc #,Street Address,City,State,Construction,Occupancy,Values as of\n1,1 Main St,Fresno,CA,5050,1104,3/4/2025\n2,2 Main St,Fresno,CA,5150,1101,5/6/2025\n',
    )
    expect(openConstants(data)).toEqual(['date_order mdy', 'construction_scheme oed', 'occupancy_scheme oed'])
    const answered = (await put(mine, data.id, { constants: { date_order: 'dmy', construction_scheme: 'oed', occupancy_scheme: 'oed' } }))
      .body.data
    expect(answered.questions).toEqual([])
    await commit(mine, answered)
    expect(
      (await register(mine)).map(({ construction_class, property_type, valuation_date }) => [
        construction_class,
        property_type,
        valuation_date,
      ]),
    ).toEqual([
      ['1', 'office', '2025-04-03'],
      ['6', 'retail', '2025-06-05'],
    ])
  })
})

describe('access and sources', () => {
  test('users of another company cannot access an import', async () => {
    const mine = await openDesk(app)
    const data = await begin(mine, SOV)
    const stranger = await makeUser(app.system, { role: 'broker' })
    const calls = await Promise.all([
      app.as(stranger.id).get(`/api/v1/properties/import/${data.id}`),
      app.as(stranger.id).get(`/api/v1/properties/import/${data.id}/rows`),
      app.as(stranger.id).put(`/api/v1/properties/import/${data.id}`, { mode: 'add_only' }),
      app.as(stranger.id).post(`/api/v1/properties/import/${data.id}/commit`, { version: 1 }),
      app.as(stranger.id).delete(`/api/v1/properties/import/${data.id}`),
      app.as(stranger.id).get(`/api/v1/properties/import/${data.id}/rejected`),
      app.as(stranger.id).get(`/api/v1/properties/import/${mine.accountId}/history`),
      app.as(stranger.id).get(`/api/v1/properties/import/${mine.accountId}/columns`),
      app.as(stranger.id).post(`/api/v1/properties/import/${mine.accountId}`, { properties: [{ address: '1 Main St' }] }),
    ])
    expect(calls.map(({ status }) => status)).toEqual(calls.map(() => 404))
    expect(await register(mine)).toEqual([])
  })
  test('an upload becomes a submission document and an import, with the header row and mapping that were sent', async () => {
    const mine = await openDesk(app)
    const key = `accounts/${mine.accountId}/upload-1`
    await app.system.storage.put(key, SOV, { contentType: 'text/csv' })
    const upload = {
      key,
      account_id: mine.accountId,
      user_id: mine.userId,
      purpose: 'import',
      file_name: 'Upload.csv',
      content_type: 'text/csv',
      size: SOV.length,
    }
    await app.system.db
      .insertInto('uploads')
      .values({ ...upload, expires_at: new Date(Date.now() + 60_000) })
      .execute()
    const begun = () =>
      app.as(mine.userId).post(`/api/v1/properties/import/${mine.accountId}`, { source: { key, header_row: 2, mapping: { C: 'custom' } } })
    const data = await settled(mine, (await begun()).body.data.id)
    expect(data).toMatchObject({ state: 'validated', file_name: 'Upload.csv', header_row: 2 })
    expect([data.columns[2]?.state, data.columns[3]?.field]).toEqual(['custom', 'address'])
    expect((await begun()).status).toBe(201)
    const files = await app.system.db
      .selectFrom('account_files')
      .select(['id', 'sov', 'category'])
      .where('account_id', '=', mine.accountId)
      .execute()
    expect(files).toEqual([{ id: data.file_id, sov: true, category: 'sov' }])
    const stranger = await openDesk(app)
    expect((await app.as(stranger.userId).post(`/api/v1/properties/import/${stranger.accountId}`, { source: { key } })).status).toBe(404)
  })
  test('rows with the field names of the register need no file', async () => {
    const mine = await openDesk(app)
    const properties = [
      { location_number: 'A1', address: '1 Main St', city: 'Fresno', state: 'CA', building_value: 100_000 },
      { location_number: 'A2', address: '2 Main St', city: 'Fresno', state: 'XX' },
    ]
    const answer = await app.as(mine.userId).post(`/api/v1/properties/import/${mine.accountId}`, { properties })
    expect(answer.body.data).toMatchObject({ state: 'mapped', status: 'mapped' })
    const data = await settled(mine, answer.body.data.id)
    expect(data).toMatchObject({ state: 'validated', counts: { add: 1, errors: 1 }, errors: [{ row: 3, field: 'state' }] })
    expect((await commit(mine, data)).body.data.state).toBe('committed')
    const unknown = await app.as(mine.userId).post(`/api/v1/properties/import/${mine.accountId}`, { properties: [{ color: 'red' }] })
    expect(unknown.body.errors.properties[0]).toContain('color')
  })
})
