/** What is chosen in the grid: a row (column null) or a cell. `row` counts from 0 in the sheet, `column` from 0. */
export interface Chosen {
  row: number
  column: number | null
}

export type GridKey = 'ArrowUp' | 'ArrowDown' | 'ArrowLeft' | 'ArrowRight' | 'Home' | 'End' | 'PageUp' | 'PageDown'
const KEYS: readonly string[] = ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'Home', 'End', 'PageUp', 'PageDown']
export const isGridKey = (key: string): key is GridKey => KEYS.includes(key)

const PAGE_ROWS = 20

/** Where a key leads from the chosen cell; left of the first cell stands the row itself. */
export function moveChosen({ row, column }: Chosen, key: GridKey, rows: number, columns: number): Chosen {
  const at = (wanted: number) => Math.max(0, Math.min(rows - 1, wanted))
  switch (key) {
    case 'ArrowUp':
      return { row: at(row - 1), column }
    case 'ArrowDown':
      return { row: at(row + 1), column }
    case 'PageUp':
      return { row: at(row - PAGE_ROWS), column }
    case 'PageDown':
      return { row: at(row + PAGE_ROWS), column }
    case 'ArrowLeft':
      return { row, column: column === null || column === 0 ? null : column - 1 }
    case 'ArrowRight':
      return { row, column: column === null ? 0 : Math.min(columns - 1, column + 1) }
    case 'Home':
      return { row, column: 0 }
    case 'End':
      return { row, column: columns - 1 }
    default:
      return key satisfies never
  }
}
