import { Button, Text, Title } from '@mantine/core'
import type { ErrorComponentProps } from '@tanstack/react-router'
import { messageOf } from '#web/data/errors.ts'
import { Logo } from '#web/ui/logo.tsx'
import classes from './not-found.module.css'

/** Shown when a page could not render. */
export function PageFailure({ error }: ErrorComponentProps) {
  return (
    <div className={classes['inside']} role="alert">
      <Logo size={44} />
      <Title order={2}>This page could not be shown</Title>
      <Text c="dimmed">{messageOf(error)}</Text>
      <Button variant="default" onClick={() => window.location.reload()}>
        Retry
      </Button>
    </div>
  )
}
