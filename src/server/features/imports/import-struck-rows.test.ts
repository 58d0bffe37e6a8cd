import { describe, expect, test } from 'vitest'
import type { Import } from '#contract/imports.ts'
import { columnLetters } from '#server/engines/spreadsheet/sheet.ts'
import { workbookParts, zip } from '#server/engines/spreadsheet/spreadsheet.fixture.ts'
import { answering, begin, commit, register, rowsOf } from '#server/testing/factories/import-flow.ts'
import { deskForEachTest } from '#server/testing/desk.fixture.ts'

const desk = deskForEachTest()

const STYLES = '<fonts><font/><font><strike/></font></fonts><cellXfs><xf fontId="0"/><xf fontId="1"/></cellXfs>'
const HEADER = ['Loc #', 'Name', 'Address', 'City', 'State', 'Zip', 'Building Value']

/** A workbook with a sheet for each list of locations; those in `struck` are struck through. */
const workbook = (struck: readonly number[], ...sheets: number[][]) => {
  const xmlRow = (cells: readonly string[], row: number, style: number) =>
    `<row r="${row}">${cells.map((text, at) => `<c r="${columnLetters(at + 1)}${row}" s="${style}" t="inlineStr"><is><t>${text}</t></is></c>`).join('')}</row>`
  const xmlSheet = (locations: readonly number[]) => {
    const rows = locations.map((number) => [String(number), `Site ${number}`, `${number} Oak St`, 'Tulsa', 'OK', '74103', '500000'])
    const xml = rows.map((cells, at) => xmlRow(cells, at + 2, Number(struck.includes(Number(cells[0])))))
    return `<sheetData>${xmlRow(HEADER, 1, 0)}${xml.join('')}</sheetData>`
  }
  return zip(workbookParts({ sheets: sheets.map(xmlSheet), styles: STYLES }))
}
const start = async (...parts: Parameters<typeof workbook>) => begin(desk, await workbook(...parts), 'sov.xlsx')
const question = ({ questions }: Import) => questions.find(({ constant }) => constant === 'struck_rows')
const answer = answering(desk)
const imported = async () => (await register(desk)).map(({ location_number }) => location_number)

describe('rows that are struck through', () => {
  test('are a question, which blocks the commit; they are left out as suggested', async () => {
    const data = await start([2, 4], [1, 2, 3, 4, 5])
    expect(data.questions).toEqual([
      {
        constant: 'struck_rows',
        suggestion: 'exclude',
        message: '2 rows are struck through in the file. Leave them out?',
        options: { include: 'No, import them' },
      },
    ])
    expect((await commit(desk, data)).status).toBe(409)
    const answered = await answer(data, { struck_rows: 'exclude' })
    expect([answered.questions, answered.counts]).toMatchObject([[], { add: 3, excluded: 2 }])
    expect((await rowsOf(desk, data.id, '')).flatMap(({ sheet_row, struck }) => (struck ? [sheet_row] : []))).toEqual([3, 5])
    expect((await rowsOf(desk, data.id, '&tab=excluded')).map(({ sheet_row }) => sheet_row)).toEqual([3, 5])
    expect((await commit(desk, answered)).status).toBe(200)
    expect(await imported()).toEqual(['1', '3', '5'])
    // The rows of the first file are not excluded again without the question.
    expect(question(await start([2, 4], [1, 2, 3, 4, 5]))).toBeDefined()
  })
  test('are imported if the user wants it, and left out again after another answer', async () => {
    const data = await start([3], [1, 2, 3])
    expect(question(data)?.message).toBe('A row is struck through in the file. Leave it out?')
    expect((await answer(data, { struck_rows: 'include' })).counts).toMatchObject({ add: 3, excluded: 0 })
    expect((await answer(data, { struck_rows: 'exclude' })).counts).toMatchObject({ add: 2, excluded: 1 })
    expect(question(await answer(data, {}))).toBeDefined()
  })
  test('are counted in all selected sheets, without those that the user excluded', async () => {
    const data = await start([2, 4], [1, 2], [3, 4, 5])
    expect(question(data)?.message).toContain('2 rows are')
    const left = await answer(data, { struck_rows: 'exclude' })
    expect((await rowsOf(desk, data.id, '&tab=excluded')).map(({ sheet_row }) => sheet_row)).toEqual([3, 3])
    expect(left.counts).toMatchObject({ add: 3 })
  })
  test('are no question in an ordinary file', async () => expect((await start([], [1, 2, 3])).questions).toEqual([]))
})
