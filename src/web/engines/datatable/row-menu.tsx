import { Menu } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { labelOf, type RowCommand } from './row-command.ts'
import type { MenuPlace } from './use-row-menu.ts'
import classes from './toolbar.module.css'

interface RowMenuProps {
  place: MenuPlace
  links: readonly { label: string; to: string; keepSearch: boolean }[]
  commands: readonly RowCommand[]
  onCommand: (command: RowCommand) => void
  onClose: () => void
}

const isDangerous = (command: RowCommand) => command.kind === 'trash' || command.kind === 'force'

/** One menu for the whole table, hung at the row's button: a menu per row would cost each page a hundred of them. */
export function RowMenu({ place, links, commands, onCommand, onClose }: RowMenuProps) {
  const navigate = useNavigate()
  return (
    <Menu opened onClose={onClose} position={place.upward ? 'top-end' : 'bottom-end'} returnFocus>
      <Menu.Target>
        <span className={classes['anchor']} ref={(anchor) => anchor?.style.setProperty('inset', place.inset)} />
      </Menu.Target>
      <Menu.Dropdown>
        {links.map((link) => (
          <Menu.Item key={link.label} onClick={() => void navigate({ to: link.to, ...(link.keepSearch ? { search: true as const } : {}) })}>
            {link.label}
          </Menu.Item>
        ))}
        {links.length > 0 && commands.length > 0 && <Menu.Divider />}
        {commands.map((command) => (
          <Menu.Item
            key={labelOf(command)}
            {...(isDangerous(command) ? { color: 'var(--critical)' } : {})}
            onClick={() => onCommand(command)}
          >
            {labelOf(command)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
