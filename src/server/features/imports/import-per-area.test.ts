import { expect, test } from 'vitest'
import { begin, put, settled } from '#server/testing/factories/import-flow.ts'
import { deskForEachTest } from '#server/testing/desk.fixture.ts'

const desk = deskForEachTest()

const csv = (header: string, ...amounts: string[]) =>
  [
    `Loc,Address,City,State,Zip,Square Feet,${header}`,
    ...amounts.map((text, at) => `${at + 1},${at + 1} A St,Austin,TX,78701,20000,${text}`),
  ].join('\n')

test('values per area are listed as money that is missing until they are left out, if no column has the building values', async () => {
  const data = await begin(desk, csv('RCV $/SF', '150', '165'))
  expect(data.unmapped_money).toEqual([{ letter: 'G', header: 'RCV $/SF', total: null, currency: null, per_area: true }])
  await put(desk, data.id, { mapping: { G: 'ignore' } })
  expect((await settled(desk, data.id)).unmapped_money).toEqual([])
})

test('values per area next to building values are not listed', async () =>
  expect((await begin(desk, csv('Building Value,RCV $/SF', '3000000,150', '3300000,165'))).unmapped_money).toEqual([]))

test('French contents with a dot for thousands are mapped, and what the dot separates is a question', async () => {
  const data = await begin(desk, csv('Valeur du bâtiment,Contenu', '250000,12.500', '300000,8.000', '310000,9.500'))
  expect(data.columns.find(({ header }) => header === 'Contenu')).toMatchObject({ field: 'contents_value' })
  expect(data.questions).toMatchObject([{ constant: 'dots', suggestion: 'thousands' }])
})
