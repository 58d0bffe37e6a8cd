import { Anchor, Button, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { telephoneLink } from '#contract/format.ts'
import { signOut, useCan, useSession } from '#web/data/session.ts'
import { paths } from '#web/paths.ts'
import { Logo } from '#web/ui/logo.tsx'
import { usePageTitle } from '#web/ui/page-title.ts'
import classes from './not-found.module.css'

/** For a signed-in user, inside the shell. */
export function NotFound() {
  const contact = useContact()
  const hasDashboard = useCan()('view_dashboard_component')
  usePageTitle('Page not found')
  return (
    <div className={classes['inside']}>
      <Logo size={44} />
      <Text size="lg" maw={560}>
        The page you are looking for does not exist or you may not have permission to view this. If you believe this is an error please{' '}
        {contact === null ? (
          'contact us'
        ) : (
          <Anchor href={contact} underline="always">
            contact us
          </Anchor>
        )}
        .
      </Text>
      {hasDashboard && (
        <Button component={Link} to={paths.dashboard()}>
          Back to the dashboard
        </Button>
      )}
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

/** Where support can be reached: by mail, else in the chat, else by phone; null if nothing is configured. */
function useContact(): string | null {
  const { support_email: email, chat_url: chat, support_phone: phone } = useSession().config
  if (email !== '') return `mailto:${email}`
  if (chat !== '') return chat
  return phone === '' ? null : telephoneLink(phone)
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
