import type { Area } from '#server/engines/spreadsheet/sheet.ts'
import type { ScheduleRow } from './classify-rows.ts'

/**
 * Numbers the buildings of a location whose number, or if no column has one, whose address is merged over several rows: 1, 2, 3.
 * Rows must come in order. Undefined for a row outside of such a range.
 */
export function mergedBuildings(
  merges: ReadonlyMap<number, readonly Area[]>,
  columns: readonly { index: number; target: string }[],
): (row: ScheduleRow) => number | undefined {
  const column = ['location_number', 'full_address', 'address'].flatMap((name) => columns.filter(({ target }) => target === name))[0]
  const rangesOf = ([sheet, areas]: [number, readonly Area[]]) => {
    const vertical = areas.filter(({ left, right, top, bottom }) => left === right && bottom > top && left - 1 === column?.index)
    return [sheet, vertical.map((area) => ({ ...area, rows: 0 })).sort((a, b) => a.top - b.top)] as const
  }
  const pending = new Map([...merges].map(rangesOf))
  return ({ sheet, sheetRow }) => {
    const ranges = pending.get(sheet) ?? []
    while (ranges[0] && ranges[0].bottom < sheetRow) ranges.shift()
    const [range] = ranges
    if (!range || sheetRow < range.top) return undefined
    range.rows += 1
    return range.rows
  }
}
