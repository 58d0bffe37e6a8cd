import { useQuery } from '@tanstack/react-query'
import { Outlet, useLocation } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import type { Account } from '#contract/accounts.ts'
import { CHANNELS } from '#contract/events.ts'
import { queries } from '#web/data/queries.ts'
import { useChannel } from '#web/data/realtime.ts'
import { AccountFailure, isGone } from '#web/engines/account/account-failure.tsx'
import { paths } from '#web/paths.ts'
import { CountUpVisit } from '#web/ui/count-up.tsx'
import { PageTitle } from '#web/ui/page-title.ts'
import { PendingScreen } from '#web/ui/pending-screen.tsx'
import classes from './account-dashboard.module.css'
import { AccountTabs, type TabComponents } from './account-tabs.tsx'

interface AccountDashboardPageProps {
  id: string
  /** What other features show in the tabs. */
  tabs: TabComponents
  /** Shares the account, next to its downloads. */
  Share: ComponentType<{ account: Account }>
  /** Above the header, for people from outside. */
  Above: ComponentType<{ account: Account }> | undefined
}

/** One account: its header, its tabs and, over them, the panels of its parts. */
export function AccountDashboardPage({ id, tabs, Share, Above }: AccountDashboardPageProps) {
  const query = useQuery(queries.account(id))
  const { isError, error } = query
  const account = isGone(error) ? undefined : query.data
  // Only after the account has loaded: the server rejects a subscription to an account that the user has no access to.
  useChannel(account && CHANNELS.account(id))
  const { pathname } = useLocation()
  return (
    <CountUpVisit key={id}>
      {account === undefined && <PageTitle>Account</PageTitle>}
      {isError && <AccountFailure query={query} />}
      {account === undefined && !isError && <PendingScreen kind="content">Please wait while we gather the account data...</PendingScreen>}
      {account && (
        <div className={classes['page']}>
          <PageTitle>{account.name.text}</PageTitle>
          {Above && <Above account={account} />}
          <AccountTabs key={id} account={account} tabs={tabs} Share={Share} downloadsOpen={pathname === paths.accountExport(id)} />
        </div>
      )}
      <Outlet />
    </CountUpVisit>
  )
}
