import { Anchor, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { signOut, useSession } from '#web/data/session.ts'
import { paths } from '#web/paths.ts'
import { Logo } from '#web/ui/logo.tsx'
import { usePageTitle } from '#web/ui/page-title.ts'
import classes from './not-found.module.css'

/** For a signed-in user, inside the shell. */
export function NotFound() {
  const { config } = useSession()
  usePageTitle('Page not found')
  return (
    <div className={classes['inside']}>
      <Logo size={44} />
      <Text size="lg" maw={560}>
        The page you are looking for does not exist or you may not have permission to view this. If you believe this is an error please{' '}
        {config.support_email === '' ? (
          'contact us'
        ) : (
          <Anchor href={`mailto:${config.support_email}`} underline="always">
            contact us
          </Anchor>
        )}
        .
      </Text>
      <Text c="dimmed">
        Premium users: please{' '}
        <Anchor component="button" type="button" underline="always" onClick={() => void signOut()}>
          log in with your own account
        </Anchor>{' '}
        to view this page.
      </Text>
    </div>
  )
}

/** For visitors who are not signed in. */
export function NotFoundOutside() {
  usePageTitle('Page not found')
  return (
    <main className={classes['outside']}>
      <Logo size={44} />
      <Title>404 Not Found</Title>
      <Anchor component={Link} to={paths.dashboard()}>
        Go to the home page
      </Anchor>
    </main>
  )
}
