import { useQuery } from '@tanstack/react-query'
import { Outlet, useLocation } from '@tanstack/react-router'
import { CHANNELS } from '#contract/events.ts'
import { queries } from '#web/data/queries.ts'
import { useChannel } from '#web/data/realtime.ts'
import { paths } from '#web/paths.ts'
import { PageTitle } from '#web/ui/page-title.ts'
import { PendingScreen } from '#web/ui/pending-screen.tsx'
import classes from './account-dashboard.module.css'
import { AccountFailure } from './account-failure.tsx'
import { AccountTabs, type TabComponents } from './account-tabs.tsx'
import { Headmast } from './headmast.tsx'

interface AccountDashboardPageProps {
  id: string
  /** What other features show in the tabs. */
  tabs: TabComponents
}

/** One account: its head, its tabs and, over them, the panels of its parts. */
export function AccountDashboardPage({ id, tabs }: AccountDashboardPageProps) {
  return (
    <>
      <LoadedAccount key={id} id={id} tabs={tabs} />
      <Outlet />
    </>
  )
}

function LoadedAccount({ id, tabs }: AccountDashboardPageProps) {
  const account = useQuery(queries.account(id))
  // Whose account it is says the answer; asking to hear of another's would only be refused.
  useChannel(account.data === undefined ? undefined : CHANNELS.account(id))
  const { pathname } = useLocation()
  if (account.data === undefined)
    return account.isError ? (
      <AccountFailure error={account.error} onRetry={() => void account.refetch()} />
    ) : (
      <PendingScreen kind="content">Please wait while we gather the account data...</PendingScreen>
    )
  return (
    <div className={classes['page']}>
      <PageTitle>{account.data.name.text}</PageTitle>
      {account.isError && <AccountFailure error={account.error} onRetry={() => void account.refetch()} />}
      <Headmast account={account.data} downloadsOpen={pathname === paths.accountExport(id)} />
      <AccountTabs account={account.data} tabs={tabs} />
    </div>
  )
}
