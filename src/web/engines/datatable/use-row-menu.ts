import { useCallback, useState } from 'react'
import { DROPDOWN_UP_LAST_ROWS } from '#contract/limits.ts'
import type { TableRow } from './table-row.ts'

export interface MenuPlace {
  /** Where the menu hangs, as the CSS `inset` of a fixed box over the button. */
  inset: string
  upward: boolean
}

export interface OpenMenu<R extends TableRow> {
  row: R
  button: HTMLElement
  place: MenuPlace
}

/** The last rows open their menu upward, so that it does not fall off the page. */
export const opensUpward = (index: number, count: number): boolean =>
  count > DROPDOWN_UP_LAST_ROWS && index >= count - DROPDOWN_UP_LAST_ROWS

/** Which row's menu is open and where. */
export function useRowMenu<R extends TableRow>(rows: readonly R[]) {
  const [menu, setMenu] = useState<OpenMenu<R> | null>(null)
  const open = useCallback(
    (row: R, button: HTMLElement) => {
      const { top, left, bottom, right } = button.getBoundingClientRect()
      const inset = `${top}px calc(100vw - ${right}px) calc(100vh - ${bottom}px) ${left}px`
      setMenu({ row, button, place: { inset, upward: opensUpward(rows.indexOf(row), rows.length) } })
    },
    [rows],
  )
  const close = useCallback(() => {
    setMenu(null)
  }, [])
  return { menu, open, close }
}
