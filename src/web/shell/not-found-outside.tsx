import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { paths } from '#web/paths.ts'
import { Logo } from '#web/ui/logo.tsx'
import { usePageTitle } from '#web/ui/page-title.ts'
import classes from './not-found.module.css'

/** For a stranger. */
export function NotFoundOutside() {
  usePageTitle('Page not found')
  return (
    <main className={classes['outside']}>
      <Logo size={44} />
      <h1 className={classes['title']}>404 Not Found</h1>
      <Anchor component={Link} to={paths.dashboard()}>
        Go to the home page
      </Anchor>
    </main>
  )
}
