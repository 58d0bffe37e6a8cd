import type { Account } from '#contract/accounts.ts'
import { useCan } from '#web/data/session.ts'
import { AccountSidebar } from './account-sidebar.tsx'
import classes from './overview.module.css'
import { OverviewFigures } from './overview-figures.tsx'
import { OverviewMetrics } from './overview-metrics.tsx'
import { NoProperties } from './no-properties.tsx'

/** A column that would hold nothing leaves its room to the others. */
function useHasSidebar({ website, accessible_features: may }: Account): boolean {
  const can = useCan()
  return website !== null || can('view_account_activity') || may.update || may.delete
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
