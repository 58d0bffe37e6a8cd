import { expect, it } from 'vitest'
import { formatBytes } from '#contract/format.ts'
import { fileDatatable } from './files.datatable.ts'

/** In pixels: the padding of a cell on both sides, and the widest mean of a text of digits in letters of 14 pixels. */
const PADDING = 20
const CHARACTER = 8.2

it('the column of sizes has room for the longest size', () => {
  const sizes = [0, 999, 1_002, 1_023, 10_000, 1_000_000, 1_023 * 1_024, 999 * 1_024 ** 2, 1_023 * 1_024 ** 2, 1_023 * 1_024 ** 3].map(
    formatBytes,
  )
  const longest = Math.max(...sizes.map(({ length }) => length))
  expect(fileDatatable.entries.get('size')?.width, sizes.join(', ')).toBeGreaterThanOrEqual(PADDING + longest * CHARACTER)
})

it('the column of report dates has room for a date with the mark of an old document', () => {
  const [boldDate, mark] = [95, 18]
  expect(fileDatatable.entries.get('report_author_date')?.width).toBeGreaterThanOrEqual(PADDING + mark + boldDate)
})
