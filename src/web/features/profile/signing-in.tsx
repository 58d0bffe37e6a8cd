import { useQuery } from '@tanstack/react-query'
import { queries } from '#web/data/queries.ts'
import { Loaded } from '#web/engines/loaded.tsx'
import { PageCard } from '#web/ui/page-card.tsx'
import { SkeletonRows } from '#web/ui/skeleton-rows.tsx'
import { AuthenticatorApp } from './authenticator-app.tsx'
import { Passkeys } from './passkeys.tsx'
import classes from './profile.module.css'

/** How the user signs in, in addition to the password and the code by email. */
export function SigningIn() {
  const query = useQuery(queries.factors())
  return (
    <PageCard title="Signing in" wide>
      <Loaded query={query} skeleton={<SkeletonRows rows={3} label="Loading how you sign in" />}>
        {(factors) => (
          <div className={classes['factors']}>
            <AuthenticatorApp factors={factors} />
            <Passkeys passkeys={factors.passkeys} />
          </div>
        )}
      </Loaded>
    </PageCard>
  )
}
