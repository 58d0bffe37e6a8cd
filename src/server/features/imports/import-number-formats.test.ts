import { expect, test } from 'vitest'
import { columnLetters } from '#server/engines/spreadsheet/sheet.ts'
import { workbookParts, zip } from '#server/engines/spreadsheet/spreadsheet.fixture.ts'
import { begin, commit, put, register, settled } from '#server/testing/factories/import-flow.ts'
import { deskForEachTest } from '#server/testing/desk.fixture.ts'

const desk = deskForEachTest()

const HEADER: readonly string[] = ['Loc #', 'Name', 'Address', 'City', 'State', 'Zip', 'Building Value', 'Contents']

/** A workbook whose amounts have these number formats; the first one is that of the buildings. The third text is added to the headers of the amounts. A negative amount is a positive one without a format. */
function workbook(
  [building = '0', contents = '0', unit = '']: readonly string[],
  ...rows: (readonly [building: number, contents: number])[]
) {
  const escaped = (code: string) => code.replaceAll('"', '&quot;')
  const formats = [building, contents].map((code, at) => `<numFmt numFmtId="${170 + at}" formatCode="${escaped(code)}"/>`)
  const styles = `<numFmts>${formats.join('')}</numFmts><cellXfs><xf/><xf numFmtId="170"/><xf numFmtId="171"/></cellXfs>`
  const xmlCell = (cell: string | number, at: number, row: number) =>
    typeof cell === 'number'
      ? `<c r="${columnLetters(at + 1)}${row}" s="${cell < 0 ? 0 : at - 5}"><v>${Math.abs(cell)}</v></c>`
      : `<c r="${columnLetters(at + 1)}${row}" t="inlineStr"><is><t>${cell}</t></is></c>`
  const lines = [
    HEADER.map((name, at) => (at > 5 ? `${name}${unit}` : name)),
    ...rows.map((amounts, at) => [`${at + 1}`, `Hall ${at}`, `${at + 1} Oak St`, 'Tulsa', 'OK', '74103', ...amounts]),
  ]
  const xml = lines.map((cells, at) => `<row r="${at + 1}">${cells.map((cell, column) => xmlCell(cell, column, at + 1)).join('')}</row>`)
  return zip(workbookParts({ sheets: [`<sheetData>${xml.join('')}</sheetData>`], styles }))
}
const start = async (...parts: Parameters<typeof workbook>) => begin(desk, await workbook(...parts), 'sov.xlsx')

test('the currency of a number format is that of its amounts', async () => {
  const euro = '[$€-407] #,##0'
  const data = await start([euro, euro], [2_001_001, 300_000.125], [1_500_000, 200_000])
  expect([data.questions, data.sums?.file]).toEqual([[], { rows: 2, tiv: 4_001_001, currency: 'EUR' }])
  expect((await commit(desk, data)).status).toBe(200)
  expect((await register(desk)).map((one) => [one.building_value, one.contents_value, one.currency])).toEqual([
    [2_001_001, 300_000, 'EUR'],
    [1_500_000, 200_000, 'EUR'],
  ])
})

test('amounts with formats in two currencies are a question', async () => {
  const data = await start(['[$€-407] #,##0', '$#,##0'], [2_001_001, 300_000], [1_500_000, 200_000])
  expect(data.questions[0]?.message).toBe(
    'The amounts are in EUR (column G) and USD (column H), which cannot be added up. Import only the amounts in USD?',
  )
})

test.each([
  ['$#,##0"K"', 1_250],
  ['0.0,"M"', 1_250],
  ['0.0"M"', 1.25],
])('numbers in the format %s are read as shown', async (format, value) => {
  const data = await start([format, format], [value, value], [value, value])
  expect([data.questions, data.sums?.file.tiv]).toEqual([[], 5_000_000])
})

test('each number of a column is read as its own format shows it', async () => {
  const data = await start(['#,##0"K"', '#,##0'], [1_250, 300_000], [-980_000, 200_000], [-2_100_000, 100_000])
  expect((await commit(desk, data)).status).toBe(200)
  expect((await register(desk)).map((one) => one.building_value)).toEqual([1_250_000, 980_000, 2_100_000])
})

test('a title in thousands does not multiply what a number format shows in thousands', async () => {
  const data = await start(['#,##0"K"', '#,##0'], [1_250, 300], [1_250, 300])
  await put(desk, data.id, { constants: { factor: '1000' } })
  expect((await settled(desk, data.id)).sums?.file.tiv).toBe(3_100_000)
})

test('commas that divide only what is shown are no question', async () => {
  const data = await start(['#,##0,', '$#,##0,"K"'], [1_250_000, 300_000], [1_250_000, 300_000])
  expect([data.questions, data.sums?.file.tiv]).toEqual([[], 3_100_000])
})

test('full amounts below a header that says thousands, which their format only shows, are proposed as written', async () => {
  const data = await start(['#,##0,', '#,##0,', ' ($000)'], [1_250_000, 300_000], [2_400_000, 250_000])
  expect(data.questions).toMatchObject([{ constant: 'factor', suggestion: '1' }])
  expect(data.questions[0]?.message).toBe(
    'The file says that its values are in thousands, but then most buildings would be worth more than a building can be, so the cells probably have full amounts. Import them as written?',
  )
  await put(desk, data.id, { constants: { factor: '1' } })
  expect((await settled(desk, data.id)).sums?.file.tiv).toBe(4_200_000)
})

test('amounts in thousands below such a header are proposed times 1,000', async () => {
  const data = await start(['#,##0', '#,##0', ' ($000)'], [1_250, 300], [2_400, 250])
  expect(data.questions).toMatchObject([{ constant: 'factor', suggestion: '1000' }])
})

test('a totals row with three decimals is read in the notation of its column', async () => {
  const amounts = ['1234567,5', '987654,75', '500,125']
  const rows = amounts.map((amount, at) => `${at + 1},${at + 1} Calle Mayor,Madrid,28013,ES,"${amount}"`)
  const data = await begin(desk, ['N.º,Dirección,Ciudad,Código postal,País,Continente (€)', ...rows, 'Total,,,,,"2222722,375"'].join('\n'))
  expect(data).toMatchObject({ questions: [], counts: { add: 3, excluded: 1 } })
  expect([data.sums?.file.tiv, data.sums?.stated]).toEqual([2_222_723, 2_222_722])
})

test.each(['1.750.000,00', '1 750 000,00', "1'750'000,00", "1'750'000.00"])(
  'amounts with apostrophes and a decimal dot are read like “%s” in their column',
  async (other) => {
    const rows = ["12'500'000.00", "4'200'000.00", other].map((amount, at) => `${at + 1};Bahnhofstrasse ${at + 1};Chur;7000;CH;${amount}`)
    const data = await begin(desk, ['Nr;Adresse;Ort;PLZ;Land;Gebäudewert CHF', ...rows].join('\n'))
    expect([data.questions, data.sums?.file]).toEqual([[], { rows: 3, tiv: 18_450_000, currency: 'CHF' }])
  },
)

test('few amounts with three decimals may have a dot in place of a comma: their values are a question', async () => {
  const file = (...amounts: string[]) =>
    ['Loc,Address,City,State,Zip,Building', ...amounts.map((amount, at) => `${at + 1},${at + 1} Main St,Reno,NV,89501,"${amount}"`)].join(
      '\n',
    )
  const data = await begin(desk, file('8,000,000', '$1,250.000', '3,100.000', '4,250,000', '2,500,000'))
  expect([data.questions.map(({ constant }) => constant), data.sums?.file.tiv]).toEqual([['unread_amounts'], 14_750_000])
  const exact = await begin(desk, file('8,000,000.000', '1,250,000.000', '3,100,000.000'))
  expect([exact.questions, exact.sums?.file.tiv]).toEqual([[], 12_350_000])
})
