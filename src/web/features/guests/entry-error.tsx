import { Anchor, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useEffect } from 'react'
import { messageOf } from '#web/data/errors.ts'
import { dropSession } from '#web/data/session.ts'
import { tokens } from '#web/data/tokens.ts'
import { PublicPage } from '#web/engines/public-page.tsx'
import { hideShellMessage } from '#web/engines/show-error.ts'
import { paths } from '#web/paths.ts'

const ToLogin = () => (
  <Anchor component={Link} to={paths.login()} size="sm">
    Login
  </Anchor>
)

/** A link that does not open anything, with the server's reason. */
export function EntryError({ error }: { error: unknown }) {
  useEffect(() => hideShellMessage(error), [error])
  return (
    <PublicPage title="Invitation Error">
      <Text role="alert" mb="md">
        {messageOf(error)}
      </Text>
      <ToLogin />
    </PublicPage>
  )
}

/** Shown to people from outside when their session is over. */
export function VisitEndedPage() {
  useEffect(() => {
    if (tokens()?.guest !== undefined) void dropSession({ reason: 'expired', message: undefined })
  }, [])
  return (
    <PublicPage title="This visit has ended.">
      <Text mb="md">Open the link again to go on. If it no longer works, ask the person who sent it for a new one.</Text>
      <ToLogin />
    </PublicPage>
  )
}
