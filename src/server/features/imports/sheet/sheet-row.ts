/** A cell as staged: numbers keep their type, dates are YYYY-MM-DD; a formula is one whose result nobody knows. */
export type Cell = string | number | boolean | null | { formula: string }

/** A row of the chosen sheet; `cells[0]` is column A, missing ones are null. */
export interface SheetRow {
  /** 1-based, as the spreadsheet program shows it. */
  number: number
  hidden: boolean
  cells: readonly Cell[]
}

/** A merged range, 1-based and inclusive. */
export interface Merge {
  top: number
  left: number
  bottom: number
  right: number
}

/** Leading, trailing or doubled white space, or any but the plain blank. */
const UNTIDY = /^\s|\s$|\s\s|[^\S ]/

export function cellText(cell: Cell | undefined): string {
  if (typeof cell === 'string') return UNTIDY.test(cell) ? cell.replace(/\s+/g, ' ').trim() : cell
  return cell === null || cell === undefined || typeof cell === 'object' ? '' : String(cell)
}

export const isFilled = (cell: Cell | undefined): boolean =>
  typeof cell === 'string' ? /\S/.test(cell) : cell !== null && cell !== undefined

export const isNumeric = (cell: Cell | undefined): boolean => typeof cell === 'number' || (typeof cell === 'object' && cell !== null)

/** 1 is A, 27 is AA. */
export function columnLetter(column: number): string {
  let letters = ''
  for (let rest = column; rest > 0; rest = Math.floor((rest - 1) / 26)) letters = String.fromCharCode(65 + ((rest - 1) % 26)) + letters
  return letters
}

export const columnNumber = (letters: string): number => [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0)
