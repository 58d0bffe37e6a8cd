import { expect, it } from 'vitest'
import { readOne, save, saveWorkbook } from '../spreadsheet.fixture.ts'
import { readWorkbook } from './read-workbook.ts'
import { plainValue } from './row-text.ts'

async function textRows(path: string) {
  const rows = []
  for await (const part of readWorkbook(path)) if (part.part === 'rows') rows.push(...part.rows)
  return rows
}

it('readWorkbook yields the values of a row by column, null for empty cells, equal to the values of its cells', async () => {
  const path = await save('text.csv', 'Loc,,Value\n1," two ",3\n,,\n ,,\n')
  const texts = await textRows(path)
  expect(texts).toEqual([
    { number: 1, hidden: false, isBlank: false, json: '["Loc",null,"Value"]' },
    { number: 2, hidden: false, isBlank: false, json: '["1"," two ","3"]' },
    { number: 4, hidden: false, isBlank: true, json: '[" "]' },
  ])
  const { rows } = await readOne(path)
  expect(rows.map(({ cells }) => cells.map(plainValue))).toEqual([['Loc', 'Value'], ['1', ' two ', '3'], [' ']])
})

it('readWorkbook yields the cells of a row with a formula without a stored result', async () => {
  const path = await saveWorkbook('formulas.xlsx', {
    sheets: ['<sheetData><row r="1"><c r="A1"><v>2</v></c></row><row r="2"><c r="A2"><f>A1*2</f></c></row></sheetData>'],
  })
  const [plain, whole] = await textRows(path)
  expect(plain).toMatchObject({ json: '[2]' })
  expect(whole).toMatchObject({ number: 2, cells: [{ column: 1, formula: 'A1*2', value: 4, computed: true }] })
})
