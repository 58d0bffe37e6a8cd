import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { HEADER, SOV, begin, commit, put, register, settled } from '#server/testing/factories/import-flow.ts'
import { writeImport } from '#server/features/imports/commit/write-import.ts'
import { prepareImport } from './prepare.job.ts'
import { describeNeeding, samplePath } from '#server/testing/needs.ts'
import { deskForEachTest } from '#server/testing/desk.fixture.ts'

const desk = deskForEachTest()

const setState = (id: string, state: string) =>
  desk.app.system.db.updateTable('imports').set({ state, activity: 'reading' }).where('id', '=', id).execute()
const manyRows = (count: number) =>
  [
    HEADER,
    ...Array.from(
      { length: count },
      (_, index) => `${index + 1},1,Site ${index + 1},${index + 1} Main St,Fresno,CA,93721,Frame,1990,1000,${index + 1}00000,,,`,
    ),
  ].join('\n')

test('rows that were never checked have no counts', async () => {
  expect(await begin(desk, '', 'empty.csv')).toMatchObject({ state: 'failed', counts: {}, failed: null, sums: null })
})

test.each([
  ['only white space', '  \r\n'.repeat(300), 'The sheet “Data” is empty. Choose another file.'],
  ['tabs and white space', '\t \t\r\n'.repeat(300), 'The sheet “Data” is empty. Choose another file.'],
  ['quoted white space', '" ";" "\r\n'.repeat(300), 'The sheet “Data” is empty. Choose another file.'],
  [
    'headers above empty rows',
    `${HEADER}\r\n${'  ,,,\r\n'.repeat(20)}`,
    'The sheet “Data” has headers and no rows below them. Add the properties to it, or choose another file.',
  ],
])('a file of %s is rejected', async (_what, text, message) => {
  const data = await begin(desk, text, 'blank.csv')
  expect([data.state, data.failure]).toEqual(['failed', message])
})

describe('a worker that was killed', () => {
  test.each(['uploaded', 'parsed', 'mapped'])('in state %s is replaced by one that ends at the same preview', async (state) => {
    const data = await begin(desk, SOV)
    await setState(data.id, state)
    await prepareImport(desk.app.system, data.id)
    const again = await settled(desk, data.id)
    expect({ ...again, version: 0 }).toEqual({ ...data, version: 0 })
  })
  test('simultaneous runs for one import end in the same preview', async () => {
    const data = await begin(desk, SOV)
    await setState(data.id, 'uploaded')
    await Promise.all(Array.from({ length: 12 }, () => prepareImport(desk.app.system, data.id)))
    expect((await settled(desk, data.id)).counts).toEqual(data.counts)
  })
  test('during a commit has written nothing; the next try writes everything once', async () => {
    const data = await begin(desk, manyRows(2_500))
    expect(data.counts.add).toBe(2_500)
    await desk.app.asOwner(
      `CREATE OR REPLACE FUNCTION stop_here() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN IF NEW.location_number = '2400' THEN RAISE 'killed'; END IF; RETURN NEW; END $$`,
    )
    await desk.app.asOwner(
      `CREATE OR REPLACE TRIGGER stop_here BEFORE INSERT ON account_properties FOR EACH ROW EXECUTE FUNCTION stop_here()`,
    )
    await expect(writeImport({ ...desk.app.system, viewer: await desk.app.viewer(desk.userId) }, data.id, [])).rejects.toThrow('killed')
    expect(await register(desk)).toEqual([])
    expect((await settled(desk, data.id)).state).toBe('validated')
    await desk.app.asOwner(`DROP TRIGGER stop_here ON account_properties`)
    expect((await commit(desk, data)).body.data).toMatchObject({ activity: 'committing', state: 'validated' })
    expect(await settled(desk, data.id)).toMatchObject({ state: 'committed', created: 2_500, progress: { done: 2_500 } })
    expect(await register(desk)).toHaveLength(2_500)
    const effects = await desk.app.system.db
      .selectFrom('import_effects')
      .select((select) => select.fn.countAll<number>().as('count'))
      .where('import_id', '=', data.id)
      .executeTakeFirstOrThrow()
    expect(effects.count).toBe(2_500)
  })
})

test('simultaneous edits and a commit are each written completely or rejected with 409', async () => {
  await commit(desk, await begin(desk, manyRows(40)))
  const properties = await register(desk)
  const renewal = manyRows(40).replaceAll('00000,,,', '50000,,,')
  const data = await begin(desk, renewal)
  const edits = properties
    .slice(0, 12)
    .map(({ id }) => desk.app.as(desk.userId).put(`/api/v1/account_properties/${id}`, { version: 1, year_built: 2001 }))
  const answers = await Promise.all([commit(desk, data), ...edits])
  expect(answers.map(({ status }) => status).filter((status) => status !== 200 && status !== 409)).toEqual([])
  const after = await settled(desk, data.id)
  const written = (await register(desk)).filter(({ building_value }) => String(building_value).endsWith('50000')).length
  expect(written).toBe(after.state === 'committed' ? 40 : 0)
})

describe('changes during the preparation', () => {
  test('the last change decides the preview', async () => {
    const data = await begin(desk, SOV)
    const modes = ['add_only', 'update_only', 'full_replacement', 'add_and_update', 'update_only']
    await Promise.all(modes.map((mode) => put(desk, data.id, { mode })))
    await put(desk, data.id, { mode: 'update_only' })
    const after = await settled(desk, data.id)
    expect([after.version, after.mode, after.counts.add]).toEqual([data.version + 6, 'update_only', 0])
  })
  test('an import canceled while it is read stays canceled', async () => {
    const data = await begin(desk, SOV)
    await setState(data.id, 'uploaded')
    const running = prepareImport(desk.app.system, data.id)
    await desk.app.as(desk.userId).delete(`/api/v1/properties/import/${data.id}`)
    await running
    expect((await settled(desk, data.id)).state).toBe('cancelled')
  })
  test('a location number taken without a new register version rejects the commit, with nothing written', async () => {
    const data = await begin(desk, SOV)
    await desk.app.system.db
      .insertInto('account_properties')
      .values({ account_id: desk.accountId, location_number: '1', address: '5 Side St', city: 'Fresno' })
      .execute()
    const rejected = await commit(desk, data)
    expect(rejected.status).toBe(409)
    expect(await register(desk)).toHaveLength(1)
    expect((await settled(desk, data.id)).counts).toMatchObject({ conflict: 1, add: 2 })
  })
  test('locations that a user assigns to swap their numbers are changed', async () => {
    await commit(desk, await begin(desk, manyRows(2)))
    const [first, second] = await register(desk)
    const data = await begin(
      desk,
      manyRows(2).replace('\n1,1,Site 1,1 Main', '\nX,1,Site 1,1 Main').replace('\n2,1,Site 2', '\n1,1,Site 2').replace('\nX,', '\n2,'),
    )
    const swapped = (
      await put(desk, data.id, {
        matches: [
          { row: 2, property_id: first?.id },
          { row: 3, property_id: second?.id },
        ],
      })
    ).body.data
    expect(swapped.counts).toMatchObject({ errors: 0, change: 2 })
  })
})

describe('unusual files', () => {
  test('control characters, lone surrogates and tabs in cells are imported safely', async () => {
    const data = await begin(desk, `${HEADER}\n1,1,"Tab\there \\N back\\slash",1 Main St,Fresno,CA,93721,Frame,1990,1000,100000,,,`)
    await commit(desk, data)
    expect((await register(desk))[0]?.property_name).toBe('Tab here \\N back\\slash')
  })
  test('columns without a header can be mapped by the user', async () => {
    const data = await begin(desk, '1,100 Main St,Fresno,CA\n2,200 Main St,Fresno,CA\n')
    expect([data.state, data.header_row, data.columns.map(({ letter, state }) => `${letter} ${state}`)]).toEqual([
      'validated',
      null,
      ['A unmapped', 'B unmapped', 'C unmapped', 'D unmapped'],
    ])
    const named = (await put(desk, data.id, { mapping: { A: 'location_number', B: 'address', C: 'city', D: 'state' } })).body.data
    expect(named.counts).toMatchObject({ add: 2, errors: 0 })
  })
  test('a header far down is used if the user chooses it', async () => {
    const notes = Array.from({ length: 599 }, (_, index) => `Note ${index + 1}`)
    const data = await begin(desk, [...notes, HEADER, '1,1,Mill,1 Main St,Fresno,CA,93721,Frame,1990,1000,100,,,'].join('\n'))
    const named = (await put(desk, data.id, { header_row: 600 })).body.data
    expect([named.columns[3].header, named.columns[3].field, named.counts.add]).toEqual(['Street Address', 'address', 1])
  })
  test.each(['', ' \n \n', 'just a text'])('a file with %j ends with a message or an empty preview', async (content) => {
    const data = await begin(desk, content === '' ? Buffer.alloc(0) : content)
    expect(data.state === 'failed' ? data.failure : `${data.counts.add} added`).toMatch(/^0 added$|^\w.*\.$/s)
  })
})

describeNeeding('sample files')('derived_messy_sov_office.xlsx', () => {
  test('is imported completely, and unchanged when imported again', async () => {
    const bytes = readFileSync(samplePath('derived_messy_sov_office.xlsx'))
    const data = await begin(desk, bytes, 'derived_messy_sov_office.xlsx')
    expect(data).toMatchObject({
      state: 'validated',
      header_row: 6,
      counts: { add: 60, errors: 0, excluded: 15 },
      sums: { file: { rows: 60, tiv: 1_190_008_100 }, stated: 1_190_008_100 },
    })
    expect(data.sheets[data.sheet ?? -1]?.name).toBe('SOV 25-26')
    await commit(desk, data)
    expect(await register(desk)).toHaveLength(60)
    const again = await begin(desk, bytes, 'again.xlsx')
    expect(again.counts).toMatchObject({ add: 0, change: 0, unchanged: 60, errors: 0, conflict: 0 })
  })
})
