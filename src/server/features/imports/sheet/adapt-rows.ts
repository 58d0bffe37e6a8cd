import { evaluateFormula } from '#server/engines/spreadsheet/formula.ts'
import type { Cell as EngineCell, Row as EngineRow } from '#server/engines/spreadsheet/sheet.ts'
import { parseNumber } from '#server/features/imports/cells/number-text.ts'
import type { Cell, SheetRow } from './sheet-row.ts'

/** Rows of the spreadsheet engine as the import keeps them: one plain value a cell, dates as YYYY-MM-DD. */
export const adaptRow = (row: EngineRow): SheetRow => ({ number: row.number, hidden: row.hidden, cells: adaptCells(row) })

function adaptCells(row: EngineRow): Cell[] {
  const width = row.cells.reduce((widest, { column }) => Math.max(widest, column), 0)
  const cells: Cell[] = Array.from({ length: width }, () => null)
  for (const cell of row.cells) cells[cell.column - 1] = adaptCell(cell, row)
  return cells
}

function adaptCell(cell: EngineCell, row: EngineRow): Cell {
  if (cell.date !== undefined) return cell.date.slice(0, 10)
  if (cell.formula !== undefined && (cell.computed || cell.value === null)) {
    return (
      evaluateFormula(cell.formula, (column, number) => amountAt(row, column, number)) ??
      cell.value ?? { formula: `=${cell.formula.replace(/^=/, '')}` }
    )
  }
  const value = cell.kind === 'error' ? cell.text : cell.value
  return typeof value === 'string' ? storable(value) : value
}

/** The database keeps neither NUL characters nor halves of characters. */
const storable = (text: string): string => text.replaceAll('\u0000', '').toWellFormed()

/** Amounts typed as text (`$1,234`) are meant as amounts, although the spreadsheet program would leave them out of a sum. */
function amountAt(row: EngineRow, column: number, number: number): string | number | boolean | null | undefined {
  if (number !== row.number) return undefined
  const value = row.cells.find((cell) => cell.column === column)?.value ?? null
  return typeof value === 'string' ? (parseNumber(value.replace(/\$/g, ''), false) ?? 0) : value
}
