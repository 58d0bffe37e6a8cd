import { Drawer } from '@mantine/core'
import type { ReactNode } from 'react'
import { useReturnedFocus } from '#web/ui/use-returned-focus.ts'
import classes from './side-panel.module.css'

/** Small for settings, medium for a record or form, wide for a preview next to its data. */
const WIDTH_PX = { small: 480, medium: 640, wide: 880 } as const

export interface SidePanelProps {
  title: ReactNode
  size?: keyof typeof WIDTH_PX
  /** Called by Escape, the overlay and the close button. */
  onClose: () => void
  /** Next to the title, for example Edit. */
  actions?: ReactNode
  children: ReactNode
}

/** The frame of a panel from the right: heading, close button, focus trap. Full width on narrow screens. */
export function SidePanel({ title, size = 'medium', onClose, actions, children }: SidePanelProps) {
  useReturnedFocus()
  return (
    <Drawer.Root
      opened
      onClose={onClose}
      position="right"
      size={WIDTH_PX[size]}
      transitionProps={{ duration: 0 }}
      returnFocus={false}
      classNames={{ content: classes['content'] ?? '', inner: classes['inner'] ?? '' }}
    >
      <Drawer.Overlay backgroundOpacity={0.35} />
      <Drawer.Content>
        <div className={classes['heading']}>
          <Drawer.Title className={classes['title']}>{title}</Drawer.Title>
          {actions}
          <Drawer.CloseButton aria-label="Close" />
        </div>
        <div className={classes['body']}>{children}</div>
      </Drawer.Content>
    </Drawer.Root>
  )
}

/** Stays visible below the scrolling content of a panel. */
export function PanelFooter({ children }: { children: ReactNode }) {
  return <div className={classes['footer']}>{children}</div>
}
