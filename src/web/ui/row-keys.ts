import type { KeyboardEvent } from 'react'

/** Rows that PageUp and PageDown move by, if the table has no other number. */
const PAGE_ROWS = 10

const offsets = (pageRows: number): Readonly<Record<string, number>> => ({
  ArrowUp: -1,
  ArrowDown: 1,
  PageUp: -pageRows,
  PageDown: pageRows,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
})

const isControl = (control: unknown): control is HTMLElement => control instanceof HTMLElement
const controlsOf = (row: Element) => [...row.querySelectorAll('[data-row-control]')].filter(isControl)

/** Focuses the control of a row with this name. Returns whether the row has it. */
export function focusControl(row: Element, name: string): boolean {
  const control = controlsOf(row).find((one) => one.getAttribute('data-row-control') === name)
  control?.focus()
  return control !== undefined
}

interface RowPlace {
  index: number
  count: number
  pageRows: number
  /** Focuses the control with this name in another row. */
  focusRow: (index: number, name: string) => void
}

const placeIn = (row: Element): RowPlace => {
  const rows = [...(row.parentElement?.querySelectorAll(':scope > tr') ?? [])]
  const focusRow = (index: number, name: string) => void (rows[index] && focusControl(rows[index], name))
  return { index: rows.indexOf(row), count: rows.length, pageRows: PAGE_ROWS, focusRow }
}

/**
 * Arrow keys move between the controls (`data-row-control`) of a row, and to the same one in the next or previous row; PageUp, PageDown,
 * Home and End move further. `placeOf` is for a table that has more rows than it renders.
 */
export function moveBetweenRows(event: KeyboardEvent<HTMLElement>, placeOf: (row: Element) => RowPlace = placeIn): void {
  const from = event.target instanceof Element ? event.target.closest('[data-row-control]') : null
  const row = from?.closest('tr')
  if (!from || !row || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
  if (event.key === 'ArrowLeft' || event.key === 'ArrowRight') {
    const controls = controlsOf(row)
    const next = controls[controls.findIndex((control) => control === from) + (event.key === 'ArrowLeft' ? -1 : 1)]
    if (next === undefined) return
    event.preventDefault()
    return next.focus()
  }
  const { index, count, pageRows, focusRow } = placeOf(row)
  const offset = offsets(pageRows)[event.key]
  if (offset === undefined) return
  event.preventDefault()
  const target = Math.min(count - 1, Math.max(0, index + offset))
  if (target !== index) focusRow(target, from.getAttribute('data-row-control') ?? '')
}
