import { useSession } from '#web/data/session.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Logo } from '#web/ui/logo.tsx'
import { StartAccountButton } from './start-account-button.tsx'
import classes from './welcome.module.css'

/** For someone who has no account yet. */
export function Welcome() {
  const { auth_user, config } = useSession()
  return (
    <section className={classes['welcome']} aria-label="Welcome">
      <EmptyState
        icon={<Logo size={48} />}
        title={`Welcome to ${config.product}, ${auth_user.first_name}.`}
        action={<StartAccountButton />}
      >
        An account holds one submission: its properties, its documents and the people who may see them. Start with its name; everything else
        can follow.
      </EmptyState>
    </section>
  )
}
