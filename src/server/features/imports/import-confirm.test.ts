import { expect, test } from 'vitest'
import { columnsToConfirm } from '#contract/imports.ts'
import { begin, commit, put, register } from '#server/testing/factories/import-flow.ts'
import { deskForEachTest } from '#server/testing/desk.fixture.ts'

const desk = deskForEachTest()

/** The last column is proposed as business income, to be confirmed. */
const FILE = [
  'Loc #,Address,City,State,ZIP,Building Value,BI (50% of sales)',
  ...[1, 2, 3].map((number) => `${number},${number} Main St,Fresno,CA,93721,1000000,50000`),
].join('\n')

const learned = () => desk.app.system.db.selectFrom('import_mappings').select(['header', 'field']).execute()
const incomeColumn = async () => (await begin(desk, FILE)).columns[6]

test('a commit that does not confirm a proposed column is rejected, and nothing is remembered', async () => {
  const data = await begin(desk, FILE)
  expect(columnsToConfirm(data)).toEqual(['G'])
  const { id, version } = data
  const answer = await commit(desk, { id, version })
  expect([answer.status, answer.body.message]).toEqual([
    409,
    'Please confirm what these columns contain: G, “BI (50% of sales)”, as Business income / rents.',
  ])
  expect(answer.body.data).toEqual({ columns: [{ letter: 'G', header: 'BI (50% of sales)', field: 'bi_value' }] })
  expect([await register(desk), await learned()]).toEqual([[], []])
  expect(await incomeColumn()).toMatchObject({ state: 'confirm', field: 'bi_value' })
})

test('a commit that names another column confirms nothing', async () => {
  const { id, version } = await begin(desk, FILE)
  const body = { version, confirmed: ['F'] }
  expect((await desk.app.as(desk.userId).post(`/api/v1/properties/import/${id}/commit`, body)).status).toBe(409)
})

test('a commit that names the column writes it, and the next file has it without a question', async () => {
  expect((await commit(desk, await begin(desk, FILE))).status).toBe(200)
  expect((await register(desk)).map(({ bi_value }) => bi_value)).toEqual([50_000, 50_000, 50_000])
  expect(await incomeColumn()).toMatchObject({ state: 'mapped', field: 'bi_value' })
})

test('a column that was confirmed before needs no confirmation by the commit', async () => {
  const { id } = await begin(desk, FILE)
  const { version } = (await put(desk, id, { mapping: { G: 'bi_value' } })).body.data
  expect((await commit(desk, { id, version })).status).toBe(200)
  expect(await incomeColumn()).toMatchObject({ state: 'mapped', field: 'bi_value' })
})
