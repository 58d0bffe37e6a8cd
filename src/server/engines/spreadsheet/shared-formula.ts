import { columnLetters, columnOf } from './sheet.ts'

export interface SharedFormula {
  formula: string
  row: number
  column: number
}

const PART = /"[^"]*"|'[^']*'!|(?<![\w.$])(\$?)([A-Z]{1,3})(\$?)(\d{1,7})(?![\w(!.])/gi

/** The formula of a cell that shares another one's: relative references move by the distance between the two. */
export function moveFormula(shared: SharedFormula, row: number, column: number): string {
  return shared.formula.replace(PART, (whole, fixedColumn?: string, letters?: string, fixedRow?: string, digits?: string) => {
    if (letters === undefined || digits === undefined) return whole
    const movedColumn = fixedColumn ? columnOf(letters) : columnOf(letters) + column - shared.column
    const movedRow = fixedRow ? Number(digits) : Number(digits) + row - shared.row
    return movedColumn < 1 || movedRow < 1 ? '#REF!' : `${fixedColumn ?? ''}${columnLetters(movedColumn)}${fixedRow ?? ''}${movedRow}`
  })
}
