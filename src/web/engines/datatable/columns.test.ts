import { expect, it } from 'vitest'
import type { Column } from '#contract/datatable.ts'
import { columnWidths } from './columns.ts'

const date: Column = {
  src: 'updated_at',
  label: 'Updated',
  sort: 'updated_at',
  sortable: true,
  primary: false,
  disabled: false,
  default: true,
  width: 104,
  classes: 'date',
  icon_only: false,
}

it('makes a column of dates wide enough for the widest one, "Nov 30, 2026" in Inter, and the space around it', () => {
  const widthOf = (dense: boolean) => columnWidths([date], dense, { select: true, menu: true })[0]
  expect(widthOf(false)).toBeGreaterThanOrEqual(94 + 2 * 10)
  expect(widthOf(true)).toBeGreaterThanOrEqual(88 + 2 * 6)
})
