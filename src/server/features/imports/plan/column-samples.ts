import { isFilled, type Cell } from '#server/features/imports/sheet/sheet-row.ts'

const KEPT = 400

/** Filled cells of one column, spread over its whole length, in little memory. */
export interface ColumnSample {
  see(cell: Cell | undefined): void
  cells(): Cell[]
  filled(): number
}

export function sampleColumn(): ColumnSample {
  let kept: Cell[] = []
  let stride = 1
  let filled = 0
  const see = (cell: Cell | undefined) => {
    if (cell === undefined || !isFilled(cell)) return
    if (filled % stride === 0) kept.push(cell)
    filled += 1
    if (kept.length < KEPT * 2) return
    kept = kept.filter((_, index) => index % 2 === 0)
    stride *= 2
  }
  return { see, cells: () => kept, filled: () => filled }
}
