import { Menu } from '@mantine/core'
import type { MenuPlace } from './dialogs.ts'
import type { RowCommand } from './row-commands.ts'
import classes from './controls.module.css'

interface RowMenuProps {
  place: MenuPlace
  links: readonly RowCommand[]
  commands: readonly RowCommand[]
  onCommand: (command: RowCommand) => void
  onClose: () => void
}

/** One menu for the whole table, positioned at the button of its row: a menu for each row would slow down long pages. */
export function RowMenu({ place, links, commands, onCommand, onClose }: RowMenuProps) {
  const item = (command: RowCommand) => (
    <Menu.Item key={command.label} {...(command.dangerous ? { color: 'var(--critical)' } : {})} onClick={() => onCommand(command)}>
      {command.label}
    </Menu.Item>
  )
  return (
    <Menu opened onClose={onClose} position={place.upward ? 'top-end' : 'bottom-end'} returnFocus>
      <Menu.Target>
        <span className={classes['anchor']} ref={(anchor) => anchor?.style.setProperty('inset', place.inset)} />
      </Menu.Target>
      <Menu.Dropdown>
        {links.map(item)}
        {links.length > 0 && commands.length > 0 && <Menu.Divider />}
        {commands.map(item)}
      </Menu.Dropdown>
    </Menu>
  )
}
