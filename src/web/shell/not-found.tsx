import { Anchor, Text } from '@mantine/core'
import { signOut, useSession } from '#web/data/session.ts'
import { Logo } from '#web/ui/logo.tsx'
import { usePageTitle } from '#web/ui/page-title.ts'
import classes from './not-found.module.css'

/** For a signed-in person, inside the shell. */
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
