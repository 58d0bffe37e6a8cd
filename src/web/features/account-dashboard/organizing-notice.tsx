import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { Account } from '#contract/accounts.ts'
import { useCan, useSession } from '#web/data/session.ts'
import { paths } from '#web/paths.ts'
import { sentenceCase } from '#contract/format.ts'
import { Notice } from '#web/ui/notice.tsx'

/** The documents are in and others work with them: nothing has to be done here for now (S1 2.5). */
export function OrganizingNotice({ account }: { account: Account }) {
  const { config } = useSession()
  const can = useCan()
  if (account.status?.state !== 'processing') return null
  return (
    <Notice kind="info" title={`${sentenceCase(config.provider)} is organizing your account`}>
      {can('view_dashboard_component') && (
        <Button component={Link} to={paths.dashboard()} variant="default" mt={8}>
          Return to Dashboard
        </Button>
      )}
    </Notice>
  )
}
