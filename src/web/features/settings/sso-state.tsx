import { Button } from '@mantine/core'
import { formatDateTime } from '#contract/format.ts'
import type { SsoProvider } from '#contract/sso.ts'
import { useSession } from '#web/data/session.ts'
import { Facts } from '#web/engines/panel/facts.tsx'
import type { Sso } from './use-sso.ts'
import classes from './sso.module.css'

interface SsoStateProps {
  provider: SsoProvider
  sso: Sso
}

/** What is known of the service: its last test, and the last sign-ins at it. */
export function SsoState({ provider, sso }: SsoStateProps) {
  const { timezone } = useSession().auth_user.company
  const { last_sign_in_at: signedIn, last_failure: failure } = provider
  const at = (time: string) => formatDateTime(time, timezone)
  return (
    <div className={classes['state']}>
      <Facts
        facts={[
          { label: 'Test', value: <span role="status">{testText(provider.test, sso, at)}</span> },
          { label: 'Last sign-in', value: signedIn === null ? 'None yet' : at(signedIn) },
          ...(failure === null ? [] : [{ label: 'Last rejected sign-in', value: `${at(failure.at)}: ${failure.reason}` }]),
        ]}
      />
      <Button variant="default" disabled={sso.dirty} loading={sso.testing} onClick={sso.test}>
        Test the service
      </Button>
    </div>
  )
}

/** The server tests what is saved, so nothing is known of a changed form. */
function testText(test: SsoProvider['test'], { dirty, testing }: Sso, at: (time: string) => string): string {
  if (testing) return 'Testing…'
  if (dirty) return 'Not tested with your changes. Save them first.'
  if (test.state === 'unknown') return 'Not tested yet'
  if (test.state === 'failed') return `Failed, ${at(test.at)}: ${test.reason}`
  return `Done, ${at(test.at)}: the service answered and did not reject the client ID and secret.`
}
