import { expect, test } from 'vitest'
import { begin, commit, put, settled } from '#server/testing/factories/import-flow.ts'
import { deskForEachTest } from '#server/testing/desk.fixture.ts'

const desk = deskForEachTest()

const ROWS = ['1,Hall,1 Main St,Fresno,CA,93721,1.14,0.2', '2,Barn,2 Main St,Fresno,CA,93721,1.27,0.2']
const columns = (...names: string[]) => ['Loc #,Location Name,Street Address,City,ST,Zip', ...names].join(',')

test.each([
  ['the headers announce', [columns('Bldg ($M)', 'Cnts ($M)'), ...ROWS]],
  ['a title announces', ['All values in $ millions,,,,,,,', columns('Building', 'Contents'), ...ROWS]],
])('amounts in millions that %s are values, and the question about them blocks the commit', async (_, lines) => {
  const data = await begin(desk, lines.join('\n'))
  expect(data.columns.slice(6).map(({ field }) => field)).toEqual(['building_value', 'contents_value'])
  expect(data.questions).toMatchObject([{ constant: 'factor', suggestion: '1000000' }])
  expect((await commit(desk, data)).status).toBe(409)
  await put(desk, data.id, { constants: { factor: '1000000' } })
  expect((await settled(desk, data.id)).sums?.file).toMatchObject({ rows: 2, tiv: 2_810_000 })
})

test('amounts without a multiple next to some in thousands are a question that blocks the commit', async () => {
  const rows = ['1,Hall,1 Main St,Fresno,CA,93721,1500000,101', '2,Barn,2 Main St,Fresno,CA,93721,1700000,123 K']
  const data = await begin(desk, [columns('Building', 'BI'), ...rows].join('\n'))
  expect(data.questions).toMatchObject([{ constant: 'bare_amounts', suggestion: 'multiply' }])
  expect((await commit(desk, data)).status).toBe(409)
  await put(desk, data.id, { constants: { bare_amounts: 'multiply' } })
  expect((await settled(desk, data.id)).sums?.file.tiv).toBe(3_200_000 + 224_000)
})

test('three digits after a comma are decimals of amounts in millions', async () => {
  const lines = ['Werte in Mio. EUR;;;;;;;', columns('Building', 'Contents').replaceAll(',', ';')]
  const rows = ['1;Halle;Hauptstr. 1;Fresno;CA;93721;12,500;3,250', '2;Lager;Hauptstr. 2;Fresno;CA;93721;8,500;1,200']
  const data = await begin(desk, [...lines, ...rows].join('\n'))
  expect(data.questions).toMatchObject([{ constant: 'factor', suggestion: '1000000' }])
  await put(desk, data.id, { constants: { factor: '1000000' } })
  expect((await settled(desk, data.id)).sums?.file).toMatchObject({ rows: 2, tiv: 25_450_000 })
})

test('the dot of a small amount is one of decimals if the amount is multiplied', async () => {
  const rows = ['1,Hall,1 Main St,Fresno,CA,93721,3.000,101', '2,Barn,2 Main St,Fresno,CA,93721,12.5M,123']
  const data = await begin(desk, [columns('Building', 'Storys'), ...rows].join('\n'))
  expect(data.questions.map(({ constant }) => constant)).toEqual(['bare_amounts'])
  await put(desk, data.id, { constants: { bare_amounts: 'multiply' } })
  const answered = await settled(desk, data.id)
  expect([answered.questions, answered.sums?.file.tiv]).toEqual([[], 15_500_000])
})

test('a small amount next to others in millions is not read without a question', async () => {
  const rows = ['1.2M', '500', '2.5M'].map((amount, at) => `${at + 1},Site,${at + 1} Main St,Fresno,CA,93721,${amount}`)
  expect((await begin(desk, [columns('Building'), ...rows].join('\n'))).questions).toMatchObject([{ constant: 'unread_amounts' }])
})

test('an amount with M in a file with MM for millions may be in thousands, so it stays empty after a question', async () => {
  const file = [
    'Loc #,Street Address,City,ST,Zip,Building Value,Contents',
    '1,1 Main St,Tulsa,OK,74103,$12.5MM,$850M',
    '2,2 Main St,Tulsa,OK,74103,$4.2MM,$0.3MM',
  ]
  const data = await begin(desk, file.join('\n'))
  expect(data.questions.map(({ constant }) => constant)).toEqual(['unread_amounts'])
  expect(data.sums?.file.tiv).toBe(17_000_000)
})
