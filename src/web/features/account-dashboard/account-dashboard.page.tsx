import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { Outlet, useLocation, useNavigate } from '@tanstack/react-router'
import { useEffect, type ComponentType } from 'react'
import type { Account } from '#contract/accounts.ts'
import { CHANNELS } from '#contract/events.ts'
import { isApiError, messageOf } from '#web/data/errors.ts'
import { queries } from '#web/data/queries.ts'
import { useChannel } from '#web/data/realtime.ts'
import { useCan } from '#web/data/session.ts'
import { LoadFailure } from '#web/engines/loaded.tsx'
import { useHasUnsavedChanges } from '#web/engines/panel/route-panel.tsx'
import { SHOWN_ELSEWHERE } from '#web/engines/show-error.ts'
import { paths } from '#web/paths.ts'
import { CountUpVisit } from '#web/ui/count-up.tsx'
import { PageTitle } from '#web/ui/page-title.ts'
import { PendingScreen } from '#web/ui/pending-screen.tsx'
import { toast } from '#web/ui/toast.tsx'
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

const GONE = [403, 404]
const isGone = (error: unknown): boolean => isApiError(error) && GONE.includes(error.status)
/** A retry that fails again replaces the toast. */
const TOAST = { id: 'account-failure' }

/** Returns to the list when the account is missing or closed to the user; any other error can be retried. */
function AccountFailure({ query }: { query: UseQueryResult }) {
  const navigate = useNavigate()
  const toList = useCan()('view_accounts_component')
  const gone = isGone(query.error)
  // A panel over the account shows why they can't be saved.
  const unsaved = useHasUnsavedChanges()
  const message = messageOf(query.error)
  const answered = isApiError(query.error) && query.error.status !== 0
  const shown = isApiError(query.error) && SHOWN_ELSEWHERE.includes(query.error.kind)
  useEffect(() => {
    if (shown || (gone && unsaved)) return
    if (!gone) return answered ? toast.warning(message, TOAST) : toast.alert(message, TOAST)
    if (toList) toast.warning(message, TOAST)
    // Guests have no list of accounts, so they get the page for a missing page.
    void navigate({ to: toList ? paths.accounts() : '/404', replace: true, ignoreBlocker: true })
  }, [gone, unsaved, answered, shown, toList, message, navigate])
  if (gone) return null
  return <LoadFailure query={query} title="The account could not be loaded." />
}
