import { Drawer } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './shell.module.css'

/** The sidebar over the content of a phone. */
export function SidebarOverlay({ opened, onClose, children }: { opened: boolean; onClose: () => void; children: ReactNode }) {
  return (
    <Drawer.Root opened={opened} onClose={onClose} position="left" size={232}>
      <Drawer.Overlay backgroundOpacity={0.4} />
      <Drawer.Content aria-label="Menu">
        <div className={classes['drawer']}>{children}</div>
      </Drawer.Content>
    </Drawer.Root>
  )
}
