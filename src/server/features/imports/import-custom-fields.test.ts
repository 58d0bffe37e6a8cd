import { describe, expect, test } from 'vitest'
import type { ImportPatch } from '#contract/import-inputs.ts'
import type { Import } from '#contract/imports.ts'
import { begin, commit, put, register, settled } from '#server/testing/factories/import-flow.ts'
import { deskForEachTest } from '#server/testing/desk.fixture.ts'

const desk = deskForEachTest()

/** A schedule of three locations with these columns from F. */
const schedule = (headers: string, row: (at: number) => string, totals = '') =>
  [
    `Loc #,Address,City,State,Zip,${headers}`,
    ...[1, 2, 3].map((at) => `${at},${at} Oak St,Tulsa,OK,74103,${row(at)}`),
    ...(totals === '' ? [] : [`Total,,,,,${totals}`]),
  ].join('\n')
const change = async (data: Import, patch: ImportPatch): Promise<Import> => {
  expect((await put(desk, data.id, patch)).status).toBe(200)
  return settled(desk, data.id)
}
const keep = (data: Import, letter: string) => change(data, { mapping: { [letter]: 'custom' } })

test('custom fields may have the names of properties of objects', async () => {
  const header = 'Loc #,Address,City,State,Zip,Building,constructor,__proto__'
  const data = await begin(desk, `${header}\n1,1 Elm St,Fresno,CA,93721,100000,Acme,Ann\n`)
  await commit(desk, await change(data, { mapping: { G: 'custom', H: 'custom' } }))
  expect((await register(desk)).map(({ custom }) => custom)).toEqual([{ constructor: 'Acme', 'Column H': 'Ann' }])
})

test('an empty cell clears a custom field only if the user chose that, and an undo restores it', async () => {
  const first = await begin(
    desk,
    schedule('Building Value,Region', () => '100000,East'),
  )
  await commit(desk, await change(first, { mapping: { G: 'custom' } }))
  const data = await begin(
    desk,
    schedule('Building Value,Region', (at) => `100000,${at === 2 ? '' : 'East'}`),
  )
  expect(data.counts).toMatchObject({ unchanged: 3, change: 0 })
  const cleared = await change(data, { empty_clears: true })
  expect(cleared.counts).toMatchObject({ unchanged: 2, change: 1 })
  await commit(desk, cleared)
  const regions = async () => (await register(desk)).map(({ custom }) => custom)
  expect(await regions()).toEqual([{ Region: 'East' }, {}, { Region: 'East' }])
  expect((await desk.app.as(desk.userId).delete(`/api/v1/properties/import/${data.id}`)).status).toBe(200)
  expect(await regions()).toEqual([{ Region: 'East' }, { Region: 'East' }, { Region: 'East' }])
})

test('a column that was stored as a custom field is one in the next file of the company, a column of money is not', async () => {
  const file = schedule('Building Value,Cost Center,Region,Trophy Value', (at) => `100000,00${at},East,${at * 20_000}`)
  const data = await begin(desk, file)
  await commit(desk, await change(data, { mapping: { G: 'custom', H: 'custom', I: 'custom' } }))
  await settled(desk, data.id)
  const again = await begin(desk, file)
  expect(again.columns.slice(6).map(({ state }) => state)).toEqual(['custom', 'custom', 'unmapped'])
  expect(again.counts).toMatchObject({ unchanged: 3, change: 0 })
})

describe('a column of money that is stored as a custom field', () => {
  const EUROS = schedule('Building Value (€),Contents ($),BI ($)', () => '300000,100000,40000', '900000,300000,120000')
  const TROPHY = schedule('Building Value,Contents,Trophy Value', (at) => `${at}00000,${at}0000,${at * 20_000}`, '600000,60000,120000')

  test('stays out in its own currency after an answer about the currency', async () => {
    const data = await keep(await change(await begin(desk, EUROS), { constants: { currency: 'USD' } }), 'F')
    expect(data.unmapped_money).toEqual([
      { letter: 'F', header: 'Building Value (€)', total: 900_000, currency: 'EUR', left_out: true, custom_field: true },
    ])
    expect([data.sums?.file, data.sums?.stated_unmapped, data.questions]).toEqual([{ rows: 3, tiv: 420_000, currency: 'USD' }, ['F'], []])
    const { status, body } = await commit(desk, data)
    expect([status, body.data.unmapped_money]).toEqual([200, data.unmapped_money])
    expect((await register(desk)).map(({ custom }) => custom)).toEqual([1, 2, 3].map(() => ({ 'Building Value (€)': '300000' })))
  })
  test('stays out without a question, also after an edit, and its total in the totals row is not compared', async () => {
    const data = await keep(await begin(desk, TROPHY), 'H')
    expect(data.unmapped_money).toEqual([
      { letter: 'H', header: 'Trophy Value', total: 120_000, currency: null, left_out: true, custom_field: true },
    ])
    expect([data.questions, data.sums?.stated_unmapped]).toEqual([[], ['H']])
    const edited = await change(data, { edits: [{ row: 2, column: 'H', value: '$50,000' }] })
    expect(edited.unmapped_money).toMatchObject([{ letter: 'H', total: 150_000, custom_field: true }])
    const ignored = await change(edited, { mapping: { H: 'ignore' } })
    expect(ignored.unmapped_money).toEqual([{ letter: 'H', header: 'Trophy Value', total: 150_000, currency: null, left_out: true }])
  })
  test('is stated again in the next schedule of the company', async () => {
    expect((await commit(desk, await keep(await begin(desk, TROPHY), 'H'))).status).toBe(200)
    const next = await begin(desk, TROPHY.replace('20000', '25000'))
    expect(next.unmapped_money).toMatchObject([{ letter: 'H', total: 125_000 }])
  })
  test('has no total if its cells are in several currencies', async () => {
    const data = await begin(
      desk,
      schedule('Building Value,Trophy Value', (at) => `${at}00000,${['€', '$', '£'][at - 1]}20000`),
    )
    expect((await keep(data, 'G')).unmapped_money).toMatchObject([{ letter: 'G', total: null, currency: null, custom_field: true }])
  })
  test('does not stay out if an imported column adds it up', async () => {
    const parts = schedule(
      'Stock,Tooling,Contents Total,Building Value',
      (at) => `${at * 7_001},${at * at * 5_003},${at * 7_001 + at * at * 5_003},${at}00000`,
    )
    const mapped = await change(await begin(desk, parts), { mapping: { F: 'custom', G: 'custom', H: 'contents_value' } })
    expect(mapped.unmapped_money).toEqual([])
  })
})

test('custom fields without money do not stay out of the values', async () => {
  const headers = 'Building Value,GL Code,Year Renovated,Yard Area,Headcount,RCV $/SF,Deductible,Remark'
  const file = schedule(headers, (at) => `${at}00000,${at}1200,201${at},${at}2500,${at}4,${at}45,25000,see ${at}`)
  const letters = ['G', 'H', 'I', 'J', 'K', 'L', 'M']
  const data = await change(await begin(desk, file), { mapping: Object.fromEntries(letters.map((letter) => [letter, 'custom'])) })
  expect(data.columns.filter(({ state }) => state === 'custom').map(({ letter }) => letter)).toEqual(letters)
  expect(data.unmapped_money).toEqual([])
})
