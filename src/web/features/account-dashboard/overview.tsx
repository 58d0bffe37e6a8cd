import type { Account } from '#contract/accounts.ts'
import { useCan, useSession } from '#web/data/session.ts'
import { AccountSidebar } from './account-sidebar.tsx'
import classes from './overview.module.css'
import { OverviewFigures } from './overview-figures.tsx'
import { OverviewMetrics } from './overview-metrics.tsx'
import { NoProperties } from './no-properties.tsx'

function useHasSidebar(account: Account): boolean {
  const can = useCan()
  const { auth_user } = useSession()
  return account.website !== null || can('view_account_activity') || (account.type === 'standard' && !auth_user.via_invite)
}

/** One look: how many properties, what value, what is wrong, of which type, where. */
export function Overview({ account }: { account: Account }) {
  const sidebar = useHasSidebar(account)
  return (
    <div className={classes['overview']} data-sidebar={sidebar || undefined}>
      <div className={classes['main']}>
        <OverviewFigures account={account} />
        {account.properties === 0 ? <NoProperties account={account} /> : <OverviewMetrics account={account} />}
      </div>
      {sidebar && <AccountSidebar account={account} />}
    </div>
  )
}
