import { evaluateFormula } from '#server/engines/spreadsheet/formula/evaluate-formula.ts'
import { hasOwnResult, plainValue, type RowText } from '#server/engines/spreadsheet/read/row-text.ts'
import type { Cell as EngineCell, Row as EngineRow } from '#server/engines/spreadsheet/sheet.ts'
import { parseNumber } from '#server/features/imports/cells/number-text.ts'
import { isFilled, type Cell, type SheetRow } from './sheet-row.ts'

/** A row of the spreadsheet engine as the import stages it: one plain value a cell, formulas without a result worked out or kept as such. */
export function adaptText(row: RowText | EngineRow): RowText {
  if ('json' in row) return row
  const cells = adaptCells(row)
  return { number: row.number, hidden: row.hidden, isBlank: !cells.some(isFilled), json: JSON.stringify(cells) }
}

export const cellsOfText = ({ number, hidden, json }: RowText): SheetRow => ({ number, hidden, cells: JSON.parse(json) })

function adaptCells(row: EngineRow): Cell[] {
  const width = row.cells.reduce((widest, { column }) => Math.max(widest, column), 0)
  const cells: Cell[] = Array.from({ length: width }, () => null)
  for (const cell of row.cells) cells[cell.column - 1] = adaptCell(cell, row)
  return cells
}

function adaptCell(cell: EngineCell, row: EngineRow): Cell {
  if (cell.formula === undefined || hasOwnResult(cell)) return plainValue(cell)
  return (
    evaluateFormula(cell.formula, (column, number) => amountAt(row, column, number)) ??
    cell.value ?? { formula: `=${cell.formula.replace(/^=/, '')}` }
  )
}

/** Amounts typed as text (`$1,234`) are meant as amounts, although the spreadsheet program would leave them out of a sum. */
function amountAt(row: EngineRow, column: number, number: number): string | number | boolean | null | undefined {
  if (number !== row.number) return undefined
  const value = row.cells.find((cell) => cell.column === column)?.value ?? null
  return typeof value === 'string' ? (parseNumber(value.replace(/\$/g, ''), false) ?? 0) : value
}
