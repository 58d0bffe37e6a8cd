import { Text } from '@mantine/core'
import type { ComponentPropsWithoutRef } from 'react'
import { Logo } from './logo.tsx'
import classes from './pending-screen.module.css'

interface PendingScreenProps extends ComponentPropsWithoutRef<'div'> {
  /** Replaces the page, covers the page, or fills the page's content area. */
  kind?: 'page' | 'overlay' | 'content'
  children: string
}

/** Fills the screen with a message while something is pending. */
export function PendingScreen({ kind = 'page', children, ...rest }: PendingScreenProps) {
  return (
    <div className={classes['screen']} data-kind={kind} role="status" {...rest}>
      <Logo size={56} animated />
      <Text size="lg" maw={420} style={{ textWrap: 'balance' }}>
        {children}
      </Text>
    </div>
  )
}
