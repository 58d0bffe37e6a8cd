import { expect, test } from 'vitest'
import { begin, commit, put, register, settled } from '#server/testing/factories/import-flow.ts'
import { deskForEachTest } from '#server/testing/desk.fixture.ts'

const desk = deskForEachTest()

const sheetOf = (...values: [building: string, contents: string][]) =>
  [
    'Loc #,Name,Address,City,State,Zip,Building Value,Contents Value',
    ...values.map(([building, contents], at) => `${at + 1},Site ${at + 1},${at + 1} Oak St,Tulsa,OK,74103,${building},${contents}`),
  ].join('\n')

test('amounts that cannot be read are a question, so that no value is lost without a word', async () => {
  const file = sheetOf(['1250000 §§ 4', '100000'], ['2000000', '#REF!'], ['3000000 §§ 4', '300000'])
  const data = await begin(desk, file)
  expect(data.questions).toEqual([
    {
      constant: 'unread_amounts',
      suggestion: null,
      message:
        '3 amounts cannot be read: 2 in column G, “Building Value”; 1 in column H, “Contents Value”. Leave these cells empty? Otherwise, type the amounts in the table, or correct the file.',
      options: { empty: 'Leave empty' },
    },
  ])
  expect((await commit(desk, data)).status).toBe(409)
  expect((await put(desk, data.id, { constants: { unread_amounts: 'empty' } })).status).toBe(200)
  const answered = await settled(desk, data.id)
  expect(answered.questions).toEqual([])
  expect((await commit(desk, answered)).status).toBe(200)
  await settled(desk, data.id)
  expect((await register(desk)).map(({ building_value }) => building_value)).toEqual([null, 2_000_000, null])
})

test('the answer is about the columns that were mapped then', async () => {
  const data = await begin(desk, sheetOf(['1250000', '100 §§ 4'], ['2 §§ 4', '#REF!']))
  await put(desk, data.id, { mapping: { G: 'ignore' } })
  await put(desk, data.id, { answers: { unread_amounts: 'empty', unmapped_values: 'leave_out' } })
  expect((await settled(desk, data.id)).questions).toEqual([])
  await put(desk, data.id, { mapping: { G: 'building_value' } })
  const mapped = await settled(desk, data.id)
  expect(mapped.questions).toMatchObject([{ constant: 'unread_amounts', message: expect.stringContaining('column G') as string }])
  expect((await commit(desk, mapped)).status).toBe(409)
})

test('the answer is not about a cell that is changed to a text which cannot be read either', async () => {
  const data = await begin(desk, sheetOf(['1250000 §§ 4', '100000'], ['2000000', '200000']))
  await put(desk, data.id, { constants: { unread_amounts: 'empty' } })
  await put(desk, data.id, { edits: [{ row: 3, column: 'H', value: '250,000' }] })
  expect((await settled(desk, data.id)).questions).toEqual([])
  await put(desk, data.id, { edits: [{ row: 2, column: 'G', value: '(5,000)' }] })
  const changed = await settled(desk, data.id)
  expect(changed.questions).toMatchObject([{ constant: 'unread_amounts' }])
  expect((await commit(desk, changed)).status).toBe(409)
  await put(desk, data.id, { replace: { column: 'G', from: '(5,000)', to: '5,000' } })
  expect((await settled(desk, data.id)).questions).toEqual([])
})

test('a share next to full amounts is no amount', async () => {
  const data = await begin(desk, sheetOf(['0.5', '100000'], ['2000000', '200000'], ['0.0000001', '0']))
  expect(data.questions).toMatchObject([{ constant: 'unread_amounts', message: expect.stringMatching(/^1 amount /) as string }])
  await put(desk, data.id, { constants: { unread_amounts: 'empty' } })
  await commit(desk, await settled(desk, data.id))
  await settled(desk, data.id)
  expect((await register(desk)).map(({ building_value }) => building_value)).toEqual([null, 2_000_000, 0])
})

test.each([
  ['one amount with a comma before two digits', ['"20,00"', '250000', '40000'], ['unread_amounts']],
  ['several of them', ['"2500,50"', '"1800,25"', '40000'], []],
])('%s', async (_, contents, questions) => {
  const data = await begin(desk, sheetOf(...contents.map((text): [string, string] => ['1000000', text])))
  expect(data.questions.map(({ constant }) => constant)).toEqual(questions)
})

test('typing the amount answers the question', async () => {
  const data = await begin(desk, sheetOf(['1250000 §§ 4', '100000'], ['2000000', '200000']))
  expect(data.questions.map(({ message }) => message)).toEqual([
    '1 amount cannot be read in column G, “Building Value”. Leave this cell empty? Otherwise, type the amount in the table, or correct the file.',
  ])
  expect((await put(desk, data.id, { edits: [{ row: 2, column: 'G', value: '1,250,000' }] })).status).toBe(200)
  expect((await settled(desk, data.id)).questions).toEqual([])
})

test.each(['TBD', '', '-', 'included', 'N/A'])('“%s” is no amount that cannot be read', async (text) => {
  expect((await begin(desk, sheetOf([text, '100000'], ['2000000', '200000']))).questions).toEqual([])
})

test('amounts with notes below “Building” are not the names of the properties', async () => {
  const file = [
    'Loc,Address,City,State,Zip,Building,Contents',
    '1,100 Main St,Austin,TX,78701,"$1,250,000 per appraisal",50000',
    '2,200 Oak Ave,Dallas,TX,75201,"$2,500,000 est. 2024",60000',
    '3,300 Elm St,Houston,TX,77002,"$750,000 incl. TI",70000',
  ].join('\n')
  const data = await begin(desk, file)
  expect(data.columns.find(({ header }: { header: string }) => header === 'Building')).not.toMatchObject({ field: 'property_name' })
  expect(data.questions).not.toEqual([])
  expect((await commit(desk, data)).status).toBe(409)
})

test('a column of values with words in most cells is named as money that is not imported', async () => {
  const rows = ['no change', 'no change', '3,600,000 (was 3,500,000)'].map(
    (value, at) => `${at + 1},Hall ${at},${at + 1} Main St,Reno,NV,89501,"${value}",500000`,
  )
  const data = await begin(desk, ['Loc #,Property Name,Address,City,State,ZIP,Building,Contents', ...rows].join('\n'))
  expect(data.unmapped_money).toMatchObject([{ letter: 'G', header: 'Building', total: null }])
})
