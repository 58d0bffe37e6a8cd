import { EmptyState as MantineEmptyState } from '@mantine/core'
import type { ReactNode } from 'react'

interface EmptyStateProps {
  title: string
  children?: ReactNode
  /** The first step, if the user has the permission. */
  action?: ReactNode
  icon?: ReactNode
}

export function EmptyState({ title, children, action, icon }: EmptyStateProps) {
  return (
    <MantineEmptyState title={title} description={children} icon={icon} px="md" py={40} style={{ overflowWrap: 'anywhere' }}>
      {action !== undefined && (
        <MantineEmptyState.Actions mt="xs" style={{ justifyContent: 'center' }}>
          {action}
        </MantineEmptyState.Actions>
      )}
    </MantineEmptyState>
  )
}
