import { describe, expect, test } from 'vitest'
import type { Import } from '#contract/imports.ts'
import { begin, put, rowsOf, settled } from '#server/testing/factories/import-flow.ts'
import { deskForEachTest } from '#server/testing/desk.fixture.ts'

const desk = deskForEachTest()

const HEADER = 'Loc #,Address,City,State,Zip,Building Value,Contents,Year Built'
const ROWS = ['1,1 Main St,Tulsa,OK,74103,500000,50000,1990', '2,2 Main St,Tulsa,OK,74103,500000,50000,1995']
const file = (...lines: string[]) => begin(desk, lines.join('\n'))
const stated = ({ sums }: Import) => [sums?.stated, sums?.stated_parts, sums?.stated_rows]

describe('a totals row above the header', () => {
  test.each(['Totals,,,,,1500000,150000,', 'TOTAL:,,,,,"$1,500,000","$150,000",', ',,,,Grand Total,1500000,150000,'])(
    'is the stated total: %s',
    async (totals) => {
      const data = await file(totals, HEADER, ...ROWS)
      expect(stated(data)).toEqual([1_650_000, ['building_value', 'contents_value'], 1_100_000])
      expect((await rowsOf(desk, data.id)).map(({ kind }) => kind)).toEqual(['total', 'header', 'data', 'data'])
      expect(data.counts.add).toBe(2)
    },
  )
  test('is multiplied like the rows', async () => {
    const data = await file('Values in $000', 'Totals,,,,,1000000,100000,', HEADER, ...ROWS)
    await put(desk, data.id, { constants: { factor: '1000' } })
    expect(stated(await settled(desk, data.id))).toEqual([1_100_000_000, ['building_value', 'contents_value'], 1_100_000_000])
  })
  test('gives way to one below the locations', async () =>
    expect(stated(await file('Totals,,,,,9000000,,', HEADER, ...ROWS, 'Total,,,,,1000000,100000,'))[0]).toBe(1_100_000))
})

test('a totals row names the columns of money that it adds up, but that are not imported', async () => {
  const header = HEADER.replace('Year Built', 'Insured Fine Art')
  const rows = ROWS.map((row) => row.replace(/\d+$/, '30000014'))
  const data = await file(header, ...rows, 'Total,,,,,1000000,100000,60000028')
  expect([data.unmapped_money.map(({ letter }) => letter), data.sums?.stated, data.sums?.stated_unmapped]).toEqual([
    ['H'],
    1_100_000,
    ['H'],
  ])
  await put(desk, data.id, { mapping: { H: 'ignore' } })
  const without = await settled(desk, data.id)
  expect([without.unmapped_money[0]?.left_out, without.sums?.stated_unmapped]).toEqual([true, ['H']])
})

test.each([
  'Total buildings,,,,,12,,',
  'Totals as of,,,,,2026,,',
  'Total Properties LLC,Statement of Values,,,,1500000,,',
  'Total area,,,,,,,450000',
  'Totals in $000,,,,,1500000,150000,',
])('a title states no total: %s', async (title) => {
  const data = await file(title, HEADER, ...ROWS)
  expect([stated(data), (await rowsOf(desk, data.id))[0]?.kind]).toEqual([[null, [], null], 'title'])
})
