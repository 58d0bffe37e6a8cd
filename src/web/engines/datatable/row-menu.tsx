import { Menu } from '@mantine/core'
import { useCallback, useState } from 'react'
import { DROPDOWN_UP_LAST_ROWS } from '#contract/limits.ts'
import { useReturnedFocus } from '#web/ui/use-returned-focus.ts'
import type { RowCommand } from './row-commands.ts'
import classes from './controls.module.css'

/** The last rows open their menu upward so that it stays on the page. */
export const opensUpward = (index: number, count: number): boolean => index >= count - DROPDOWN_UP_LAST_ROWS

interface OpenedMenu<R> {
  row: R
  button: HTMLElement
  /** Position of the menu button, as the CSS `inset` of a fixed box. */
  inset: string
  upward: boolean
}

/** The menu of the row whose button was pressed. */
export function useRowMenu<R>(rows: readonly R[]) {
  const [opened, setOpened] = useState<OpenedMenu<R> | null>(null)
  // Rows are memoized and get this function.
  const open = useCallback(
    (row: R, button: HTMLElement) => {
      const { top, left, bottom, right } = button.getBoundingClientRect()
      const inset = `${top}px calc(100vw - ${right}px) calc(100vh - ${bottom}px) ${left}px`
      setOpened({ row, button, inset, upward: opensUpward(rows.indexOf(row), rows.length) })
    },
    [rows],
  )
  return { opened, open, close: () => setOpened(null) }
}

interface RowMenuProps {
  opened: Omit<OpenedMenu<unknown>, 'row'>
  links: readonly RowCommand[]
  commands: readonly RowCommand[]
  onCommand: (command: RowCommand) => void
  onClose: () => void
}

/** One menu for the whole table, positioned at the button of its row: a menu for each row would slow down long pages. */
export function RowMenu({ opened: { button, inset, upward }, links, commands, onCommand, onClose }: RowMenuProps) {
  useReturnedFocus(button)
  const run = (command: RowCommand) => {
    // A panel or dialog that the command opens returns the focus to where it is now; the item is gone by then.
    button.focus({ preventScroll: true })
    onCommand(command)
  }
  const item = (command: RowCommand) => (
    <Menu.Item key={command.label} {...(command.dangerous ? { color: 'var(--critical)' } : {})} onClick={() => run(command)}>
      {command.label}
    </Menu.Item>
  )
  return (
    <Menu opened onClose={onClose} position={upward ? 'top-end' : 'bottom-end'}>
      <Menu.Target>
        <span className={classes['anchor']} ref={(anchor) => anchor?.style.setProperty('inset', inset)} />
      </Menu.Target>
      <Menu.Dropdown>
        {links.map(item)}
        {links.length > 0 && commands.length > 0 && <Menu.Divider />}
        {commands.map(item)}
      </Menu.Dropdown>
    </Menu>
  )
}
