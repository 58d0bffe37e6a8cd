import { expect, it } from 'vitest'
import { IMPORT_MAX_COLUMNS, IMPORT_MAX_SHEETS } from '#contract/limits.ts'
import { workbookParts, zip } from '../spreadsheet/spreadsheet.fixture.ts'
import { read } from './document-text.fixture.ts'

const cell = (value: string, reference = '') => `<c ${reference} t="inlineStr"><is><t>${value}</t></is></c>`
const sheet = (cells: string) => `<sheetData><row>${cells}</row></sheetData>`
const workbook = (...sheets: string[]) => zip(workbookParts({ sheets }))

it('the text of a workbook has the columns and sheets that an import does not read', async () => {
  const wide = Array.from({ length: IMPORT_MAX_COLUMNS + 100 }, (_, at) => cell(`ibex${at}`)).join('')
  const { state, is_cut, parts } = await read('wide.xlsx', await workbook(sheet(wide)))
  expect([state, is_cut, parts[0]?.text.endsWith(`| ibex${IMPORT_MAX_COLUMNS + 99}`)]).toEqual(['done', false, true])
  const far = await read('far.xlsx', await workbook(`<sheetData><row r="1048576">${cell('Far', 'r="XFD1048576"')}</row></sheetData>`))
  expect([far.state, far.texts]).toEqual(['done', [['Sheet Sheet1', 'Far']]])
  const many = await read(
    'many.xlsx',
    await workbook(...Array.from({ length: IMPORT_MAX_SHEETS + 1 }, (_, at) => sheet(cell(`Mill ${at}`)))),
  )
  expect([many.pages, many.texts.at(-1)]).toEqual([
    IMPORT_MAX_SHEETS + 1,
    [`Sheet Sheet${IMPORT_MAX_SHEETS + 1}`, `Mill ${IMPORT_MAX_SHEETS}`],
  ])
})

it('the text of delimited text has the columns that an import does not read', async () => {
  const { state, texts } = await read('wide.csv', `First${','.repeat(IMPORT_MAX_COLUMNS)}Last\n`)
  expect([state, texts]).toEqual(['done', [['', 'First | Last']]])
})

it('a cell in a column that no spreadsheet program has is left out, and the text is marked as cut', async () => {
  const { state, is_cut, texts } = await read(
    'forged.xlsx',
    await workbook(sheet(cell('First') + cell('Forged', 'r="XFE1"')), sheet(cell('Second'))),
  )
  expect([state, is_cut, texts]).toEqual([
    'done',
    true,
    [
      ['Sheet Sheet1', 'First'],
      ['Sheet Sheet2', 'Second'],
    ],
  ])
})
