import { describe, expect, test } from 'vitest'
import type { Import } from '#contract/imports.ts'
import { answering, begin, commit, put, register, rowsOf, settled } from '#server/testing/factories/import-flow.ts'
import { deskForEachTest } from '#server/testing/desk.fixture.ts'

const desk = deskForEachTest()

const PLACE = 'Loc #,Location Name,Street Address,City,ST,Zip'
const place = (number: number) => `${number},Site ${number},${number}00 Main St,Fresno,CA,93721`
const schedule = (headers: string, ...coverages: string[]) =>
  [`${PLACE},${headers}`, ...[1, 2].flatMap((number) => coverages.map((coverage) => `${place(number)},${coverage}`))].join('\n')
const SCHEDULE = schedule('Coverage,Limit', 'Building,1000000', 'BPP,200000', 'Business Income,30000')

const question = ({ questions }: Import) => questions.find(({ constant }) => constant === 'coverage_rows')
const answer = answering(desk)
const confirmed = async (text: string): Promise<Import> => {
  const data = await answer(await begin(desk, text), { coverage_rows: 'fields' })
  expect(data.questions).toEqual([])
  return data
}
const imported = async () =>
  (await register(desk)).map(({ location_number, building_number, building_value, contents_value, bi_value }) => [
    `${location_number}/${building_number}`,
    building_value,
    contents_value,
    bi_value,
  ])

describe('a schedule with a row for each coverage', () => {
  test('is one question that names the field of each word, and blocks the commit', async () => {
    const data = await begin(desk, SCHEDULE)
    expect(data.questions).toEqual([
      {
        constant: 'coverage_rows',
        suggestion: 'fields',
        message:
          'Column G, “Coverage”, names what the amounts in column H, “Limit”, insure: “BPP” → Contents (BPP) (2 rows), ' +
          '“Building” → Building value (2 rows), “Business Income” → Business income / rents (2 rows). ' +
          'Import the rows of each location as one property, with each amount in its field?',
        options: { ignore: 'No, each row is a location' },
      },
    ])
    expect((await commit(desk, data)).status).toBe(409)
  })
  test('becomes one property per location, whose values name their own cells', async () => {
    const data = await confirmed(SCHEDULE)
    expect([data.counts, data.sums?.file]).toMatchObject([
      { add: 2, excluded: 4, errors: 0 },
      { rows: 2, tiv: 2_460_000 },
    ])
    const reasons = (await rowsOf(desk, data.id, '&tab=excluded')).map(({ sheet_row, reason }) => `${sheet_row} ${reason}`)
    expect(reasons[0]).toBe('3 Its amount is imported with row 2, as “Contents (BPP)”.')
    const read = await rowsOf(desk, data.id, '&tab=add&reading=register')
    expect(read.map(({ cells }) => cells.at(-1))).toEqual(['1000000', '1000000'])
    expect((await commit(desk, data)).status).toBe(200)
    expect(await imported()).toEqual([
      ['1/1', 1_000_000, 200_000, 30_000],
      ['2/1', 1_000_000, 200_000, 30_000],
    ])
    const [first] = await register(desk)
    expect(first?.sources).toMatchObject({
      building_value: { ref: expect.stringMatching(/cell H2$/) },
      contents_value: { ref: expect.stringMatching(/cell H3$/) },
    })
    const again = await confirmed(SCHEDULE)
    expect(again.counts).toMatchObject({ unchanged: 2, add: 0, errors: 0 })
  })
  test('does not add an amount of an unknown coverage, says so, and imports it after a correction', async () => {
    const data = await begin(desk, `${SCHEDULE}\n${place(1)},Fine Arts,55000\n${place(2)},,7000`)
    expect(question(data)?.message).toContain(
      'Not understood, so not imported until you correct the cells: an empty cell (1 row), “Fine Arts” (1 row). ',
    )
    const decided = await answer(data, { coverage_rows: 'fields' })
    expect([decided.questions, decided.counts, decided.sums?.file]).toMatchObject([[], { add: 2, errors: 2 }, { tiv: 2_522_000 }])
    const errors = await rowsOf(desk, data.id, '&tab=errors')
    expect(errors.map(({ tiv, issues }) => [tiv, issues.map(({ message }) => message)])).toEqual([
      [
        55_000,
        [
          '“Fine Arts” below “Coverage” is not understood, so the row is not imported. Type what it insures, such as Building, Contents, Stock, Equipment or BI.',
        ],
      ],
      [
        7_000,
        [
          'Nothing below “Coverage” says what the amount insures, so the row is not imported. Type what it insures, such as Building, Contents, Stock, Equipment or BI.',
        ],
      ],
    ])
    await put(desk, data.id, { edits: [{ row: 8, column: 'G', value: 'Contents' }] })
    const corrected = await settled(desk, data.id)
    expect(corrected.counts).toMatchObject({ add: 2, errors: 1 })
    expect((await commit(desk, corrected)).status).toBe(200)
    expect(await imported()).toEqual([
      ['1/1', 1_000_000, 255_000, 30_000],
      ['2/1', 1_000_000, 200_000, 30_000],
    ])
  })
  test('is read in French and Spanish', async () => {
    await commit(
      desk,
      await confirmed(schedule('Garantie,Somme assurée', 'Bâtiment,100000', 'Contenu,20000', "Pertes d'exploitation,3000")),
    )
    expect(await imported()).toEqual([1, 2].map((number) => [`${number}/1`, 100_000, 20_000, 3_000]))
    const spanish = schedule('Bien asegurado,Suma asegurada', 'Edificio,500000', 'Contenidos,40000', 'Lucro cesante,6000')
    await commit(desk, await confirmed(spanish))
    expect(await imported()).toEqual([1, 2].map((number) => [`${number}/1`, 500_000, 40_000, 6_000]))
  })
  test.each(['Montant', 'Montant assuré', 'Capital assuré', 'Monto asegurado', 'Importe', 'Amount', 'Sum Insured', 'Limit of Insurance'])(
    'has its amounts below “%s”',
    async (header) => {
      const data = await begin(desk, schedule(`Coverage,${header}`, 'Building,500000', 'Contents,40000'))
      expect([data.questions.map(({ constant }) => constant), data.sums?.file]).toEqual([
        ['coverage_rows'],
        { rows: 2, tiv: 1_080_000, currency: 'USD' },
      ])
    },
  )
  test('is read if the address is only in the first row of a location, and if its coverages are below “Description”', async () => {
    const lines = [1, 2].flatMap((number) => [
      `${place(number)},Building,500000`,
      ',,,,,,Personal Property,60000',
      ',,,,,,Stock,4000',
      ',,,,,,Rents,3000',
      ',,,,,,Extra Expense,2000',
    ])
    const data = await confirmed([`${PLACE},Description,Amount`, ...lines].join('\n'))
    expect((await commit(desk, data)).status).toBe(200)
    expect(await imported()).toEqual([1, 2].map((number) => [`${number}/1`, 500_000, 60_000, 5_000]))
    expect((await register(desk)).map(({ stock_value }) => stock_value)).toEqual([4_000, 4_000])
  })
  test('has further buildings where a coverage repeats, which are a question', async () => {
    const data = await answer(
      await begin(desk, schedule('Subject of Insurance,TIV', 'Building,900000', 'BPP,80000', 'Building,700000', 'BPP,60000')),
      {
        coverage_rows: 'fields',
      },
    )
    expect(data.questions).toMatchObject([{ constant: 'repeated_locations', suggestion: 'buildings' }])
    await commit(desk, await answer(data, { coverage_rows: 'fields', repeated_locations: 'buildings' }))
    expect((await imported()).toSorted((a, b) => String(a).localeCompare(String(b)))).toEqual([
      ['1/1', 900_000, 80_000, null],
      ['1/2', 700_000, 60_000, null],
      ['2/1', 900_000, 80_000, null],
      ['2/2', 700_000, 60_000, null],
    ])
  })
  test('compares the file with its own total, and does not add a total of each location', async () => {
    const data = await confirmed(`${schedule('Coverage,Value', 'Building,900000', 'Contents,80000')}\nTotal,,,,,,,1960000`)
    expect([data.sums?.file.tiv, data.sums?.stated]).toEqual([1_960_000, 1_960_000])
    const totals = await confirmed(schedule('Coverage,Value', 'Building,900000', 'Contents,80000', 'Total,980000'))
    expect([totals.sums?.file.tiv, totals.counts.errors, totals.issues]).toEqual([1_960_000, 0, []])
  })
  test('is imported row by row if the user says so', async () => {
    const data = await answer(await begin(desk, SCHEDULE), { coverage_rows: 'ignore' })
    expect(data.questions.map(({ constant }) => constant)).toEqual(['tiv_column', 'repeated_locations'])
  })
  test.each([
    ['forms of coverage', schedule('Coverage,Building Value', 'Replacement Cost,900000')],
    ['a column for each value', schedule('Coverage,Building Value,Contents Value', 'Building,900000,80000')],
    ['uses of buildings', schedule('Description,Building Value', 'Office,900000')],
  ])('is not seen in a schedule with %s', async (_, text) => {
    expect(question(await begin(desk, text))).toBeUndefined()
  })
})
