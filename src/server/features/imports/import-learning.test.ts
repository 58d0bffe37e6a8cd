import { expect, test } from 'vitest'
import { answering, begin, commit, put, settled } from '#server/testing/factories/import-flow.ts'
import { deskForEachTest } from '#server/testing/desk.fixture.ts'

const desk = deskForEachTest()
const answer = answering(desk)

/** A schedule of four locations with these columns of amounts. */
function schedule(title: string, amounts: Readonly<Record<string, number>>): string {
  const row = (number: number) =>
    [number, `${number} Main St`, 'Fresno', 'CA', '93721', ...Object.values(amounts).map((amount) => amount + number)].join(',')
  const header = ['Loc #', 'Address', 'City', 'State', 'ZIP', ...Object.keys(amounts)].join(',')
  return [...(title === '' ? [] : [title]), header, ...[1, 2, 3, 4].map(row)].join('\n')
}
interface Columns {
  columns: { header: string; field: string | null }[]
}
const fieldsOf = ({ columns }: Columns) =>
  Object.fromEntries(columns.slice(5).map(({ header, field }) => [header, field === 'ignore' ? null : field]))

test('a limit that was left out next to a value is the value of a schedule that has nothing else', async () => {
  const both = { 'Building Limit': 500_000, 'Building Value': 1_000_000, 'Contents Limit': 100_000, 'Contents Value': 200_000 }
  const first = await begin(desk, schedule('', both))
  expect(fieldsOf(first)).toMatchObject({ 'Building Limit': null, 'Building Value': 'building_value' })
  expect((await commit(desk, first)).status).toBe(200)
  const second = await begin(desk, schedule('', { 'Building Limit': 700_000, 'Contents Limit': 150_000 }))
  expect(fieldsOf(second)).toEqual({ 'Building Limit': 'building_value', 'Contents Limit': 'contents_value' })
})

test('an expiring value that was left out next to a renewal is offered where it is the only one', async () => {
  const both = { 'Expiring Building': 900_000, 'Renewal Building': 1_000_000 }
  const first = await begin(desk, schedule('', both))
  expect(fieldsOf(first)).toEqual({ 'Expiring Building': null, 'Renewal Building': 'building_value' })
  expect((await commit(desk, first)).status).toBe(200)
  const second = await begin(desk, schedule('', { 'Expiring Building': 900_000, 'Expiring Contents': 90_000 }))
  expect(fieldsOf(second)).toEqual({ 'Expiring Building': 'building_value', 'Expiring Contents': 'contents_value' })
})

test.each([
  ['ignored', { mapping: { G: 'ignore' } }, 'Contents (USD)'],
  ['left out by the answer about its currency', { constants: { currency: 'USD' } }, 'Contents (EUR)'],
])('amounts that were %s are not left out of the next schedule', async (_how, decision, header) => {
  const first = await begin(desk, schedule('', { 'Building (USD)': 1_000_000, [header]: 100_000 }))
  await put(desk, first.id, decision)
  const decided = await settled(desk, first.id)
  expect(decided.unmapped_money).toMatchObject([{ letter: 'G', total: 400_010, currency: header.slice(10, 13), left_out: true }])
  expect((await commit(desk, decided)).status).toBe(200)
  const { db } = desk.app.system
  const account = await db.selectFrom('accounts').select('company_id').where('id', '=', desk.accountId).executeTakeFirstOrThrow()
  const ofCompany = db.selectFrom('import_mappings').select(['header', 'field']).where('company_id', '=', account.company_id)
  const learned = await ofCompany.where('header', 'in', ['building', 'contents']).execute()
  expect(learned).toEqual([{ header: 'building', field: 'building_value' }])
  const next = { Building: 1_000_000, Contents: 100_000 }
  expect(fieldsOf(await begin(desk, schedule('', next)))).toEqual({ Building: 'building_value', Contents: 'contents_value' })
})

test('the newest year wins over a learned header without a year', async () => {
  expect((await commit(desk, await begin(desk, schedule('', { 'Building Value': 900_000, Contents: 90_000 })))).status).toBe(200)
  const years = { 'Building Value': 900_000, 'Building Value 2027': 1_000_000, 'Contents Value 2027': 100_000 }
  expect(fieldsOf(await begin(desk, schedule('', years)))).toEqual({
    'Building Value': null,
    'Building Value 2027': 'building_value',
    'Contents Value 2027': 'contents_value',
  })
})

test('the number of a building in an earlier file does not hide values below “Building”', async () => {
  const numbered = schedule('', { 'Bldg RC': 1_000_000, Contents: 200_000 })
    .replace('Address', 'Bldg')
    .replaceAll(/(\d) Main St/g, '$1')
  const first = await begin(desk, `Street,${numbered.split('\n').join('\nMain St,')}`)
  expect(fieldsOf(first)).toMatchObject({ 'Bldg RC': 'building_value' })
  expect((await commit(desk, first)).status).toBe(200)
  const values = await begin(desk, schedule('Values in thousands', { Building: 1_000, Contents: 200 }))
  expect(values.columns[5]).toMatchObject({ field: 'building_value', state: 'confirm' })
  const numbers = await begin(desk, schedule('', { Building: 100, 'Building value': 1_000_000 }))
  expect(numbers.columns[5]).toMatchObject({ field: 'building_number', state: 'mapped' })
})

test('a value in an earlier file does not take the numbers of buildings for values', async () => {
  const first = await begin(desk, schedule('', { Bldg: 1_000_000, Cont: 200_000 }))
  expect((await commit(desk, first)).status).toBe(200)
  const next = await begin(desk, schedule('', { Bldg: 1_000, Cont: 250_000 }))
  expect(fieldsOf(next)).toEqual({ Bldg: 'building_number', Cont: 'contents_value' })
  expect(next.questions).toEqual([])
})

test('a learned factor of one column is used again next to full amounts in others', async () => {
  const text = [
    'Loc #,Name,Address,City,State,Zip,Building Value ($000),Contents Value',
    ...[1, 2, 3].map((at) => `${at},Site ${at},${at} Oak St,Tulsa,OK,74103,${at * 5_000},${at * 800_000}`),
  ].join('\n')
  const first = await begin(desk, text)
  expect((await put(desk, first.id, { constants: { factor: '1000' } })).status).toBe(200)
  expect((await commit(desk, await settled(desk, first.id))).status).toBe(200)
  const again = await begin(desk, text)
  expect([again.constants['factor'], again.questions, again.sums?.file.tiv]).toEqual(['1000', [], 34_800_000])
})

test('which of several bare years has the values is not learned: next year it is an older one', async () => {
  const first = await begin(desk, schedule('', { 2025: 900_000, 2026: 1_000_000 }))
  await put(desk, first.id, { mapping: { F: 'ignore', G: 'building_value' } })
  const chosen = await settled(desk, first.id)
  expect((await commit(desk, chosen)).status).toBe(200)
  const next = await begin(desk, schedule('', { 2025: 900_000, 2026: 1_000_000, 2027: 1_100_000 }))
  expect(fieldsOf(next)).toEqual({ 2025: null, 2026: null, 2027: null })
  expect(next.questions.map(({ constant }) => constant)).toEqual(['unmapped_values'])
})

test('a learned factor is confirmed by the user again when the amounts would become too large', async () => {
  const title = 'Values in thousands'
  const first = await begin(desk, schedule(title, { 'Building Value': 1_000, Contents: 100 }))
  const answered = await put(desk, first.id, { constants: { factor: '1000' } })
  expect((await commit(desk, answered.body.data)).status).toBe(200)
  const again = await begin(desk, schedule(title, { 'Building Value': 1_200, Contents: 120 }))
  expect([again.constants['factor'], again.questions]).toEqual(['1000', []])
  const whole = await begin(desk, schedule(title, { 'Building Value': 1_200_000, Contents: 120_000 }))
  expect(whole.constants['factor']).toBeUndefined()
  expect(whole.questions.map(({ constant }: { constant: string }) => constant)).toEqual(['factor'])
})

test('a learned factor of one column is a question again when its amounts would be many times those of the building', async () => {
  const first = await begin(desk, schedule('', { 'Building Value': 1_100_000, 'BPP (in 000)': 110 }))
  const answered = await answer(first, { factor: '1000' })
  expect((await commit(desk, answered)).status).toBe(200)
  const again = await begin(desk, schedule('', { 'Building Value': 1_100_000, 'BPP (in 000)': 120 }))
  expect([again.constants['factor'], again.questions]).toEqual(['1000', []])
  const full = await begin(desk, schedule('', { 'Building Value': 1_100_000, 'BPP (in 000)': 110_000 }))
  expect([full.constants['factor'], full.questions.map(({ constant }) => constant)]).toEqual([undefined, ['factor']])
})

test('that amounts are not in thousands, although the title says so, is a question again', async () => {
  const title = 'Values in thousands'
  const first = await begin(desk, schedule(title, { 'Building Value': 1_000_000, Contents: 100_000 }))
  const answered = await put(desk, first.id, { constants: { factor: '1' } })
  expect((await commit(desk, answered.body.data)).status).toBe(200)
  const again = await begin(desk, schedule(title, { 'Building Value': 1_000, Contents: 100 }))
  expect([again.constants['factor'], again.questions.map(({ constant }) => constant)]).toEqual([undefined, ['factor']])
})

test('the mapping of a column without values is not learned', async () => {
  const schedule = (...buildings: readonly string[]) =>
    [
      'Loc #,Bldg #,Site Name,Address,City,State,ZIP,Building Value',
      ...buildings.map((at) => `1,${at},,1 Main St,Fresno,CA,93721,500000`),
    ].join('\n')
  const first = await begin(desk, schedule('1', '2', '3'))
  const mapped = (await put(desk, first.id, { mapping: { C: 'tenants' } })).body.data
  expect((await commit(desk, mapped)).status).toBe(200)
  const learned = await desk.app.system.db.selectFrom('import_mappings').select(['header', 'field']).execute()
  expect(learned).toContainEqual({ header: 'building number', field: 'building_number' })
  expect(learned.map(({ header }) => header)).not.toContain('site name')
})
