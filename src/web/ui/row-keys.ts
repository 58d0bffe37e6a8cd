import type { KeyboardEvent } from 'react'

/** Arrow keys move to the same kind of control (`data-row-control`) in the next or previous row of a table. */
export function moveBetweenRows(event: KeyboardEvent<HTMLTableRowElement>): void {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
  const from = event.target instanceof HTMLElement ? event.target.closest('[data-row-control]') : null
  const row = event.key === 'ArrowDown' ? event.currentTarget.nextElementSibling : event.currentTarget.previousElementSibling
  const target = from && row?.querySelector(`[data-row-control="${from.getAttribute('data-row-control') ?? ''}"]`)
  if (!(target instanceof HTMLElement)) return
  event.preventDefault()
  target.focus()
}
