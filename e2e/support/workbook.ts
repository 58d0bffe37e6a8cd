import { strToU8, zipSync } from 'fflate'

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const RELATIONS = 'http://schemas.openxmlformats.org/package/2006/relationships'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

/** A text, a number, an empty cell, or a formula with its stored result. */
type CellContent = string | number | null | { formula: string; result: number | string }

interface Sheet {
  name: string
  rows: readonly (readonly CellContent[])[]
  /** Counted from 1. */
  hiddenColumns?: readonly number[]
  /** Areas such as `A2:A4`. */
  merged?: readonly string[]
}

/** An .xlsx file. */
export function workbook(sheets: readonly Sheet[]): Buffer {
  const tabs = sheets.map(({ name }, at) => `<sheet name="${escape(name)}" sheetId="${at + 1}" r:id="r${at + 1}"/>`)
  const relations = sheets.map(
    (_, at) => `<Relationship Id="r${at + 1}" Type="${OFFICE}/worksheet" Target="worksheets/sheet${at + 1}.xml"/>`,
  )
  const parts = {
    'xl/workbook.xml': `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>${tabs.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${RELATIONS}">${relations.join('')}</Relationships>`,
    ...Object.fromEntries(sheets.map((sheet, at) => [`xl/worksheets/sheet${at + 1}.xml`, sheetXml(sheet)])),
  }
  return Buffer.from(zipSync(Object.fromEntries(Object.entries(parts).map(([path, xml]) => [path, strToU8(xml)]))))
}

function sheetXml({ rows, hiddenColumns = [], merged = [] }: Sheet): string {
  const columns = hiddenColumns.map((column) => `<col min="${column}" max="${column}" hidden="1"/>`).join('')
  const data = rows.map((cells, at) => `<row r="${at + 1}">${cells.map((cell, column) => cellXml(cell, at, column)).join('')}</row>`)
  const areas = merged.map((area) => `<mergeCell ref="${area}"/>`).join('')
  return `<worksheet xmlns="${MAIN}">${columns && `<cols>${columns}</cols>`}<sheetData>${data.join('')}</sheetData>${areas && `<mergeCells>${areas}</mergeCells>`}</worksheet>`
}

function cellXml(cell: CellContent, row: number, column: number): string {
  if (cell === null) return ''
  const reference = `${String.fromCharCode(65 + column)}${row + 1}`
  if (typeof cell === 'number') return `<c r="${reference}"><v>${cell}</v></c>`
  if (typeof cell === 'string') return `<c r="${reference}" t="inlineStr"><is><t xml:space="preserve">${escape(cell)}</t></is></c>`
  const type = typeof cell.result === 'string' ? ' t="str"' : ''
  return `<c r="${reference}"${type}><f>${escape(cell.formula)}</f><v>${escape(String(cell.result))}</v></c>`
}

const escape = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
