import { Button, EmptyState as MantineEmptyState } from '@mantine/core'
import type { ReactNode } from 'react'

interface EmptyStateProps {
  title: string
  children?: ReactNode
  /** The first step, if the user has the permission. */
  action?: ReactNode
  /** Shown as a button instead of `action` when loading has failed. */
  onRetry?: () => void
  icon?: ReactNode
}

export function EmptyState({ title, children, action, onRetry, icon }: EmptyStateProps) {
  return (
    <MantineEmptyState title={title} description={children} icon={icon} px="md" py={40}>
      {(action ?? onRetry) !== undefined && (
        <MantineEmptyState.Actions mt="xs">{action ?? <Button onClick={onRetry}>Retry</Button>}</MantineEmptyState.Actions>
      )}
    </MantineEmptyState>
  )
}
