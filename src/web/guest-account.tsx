import { Outlet } from '@tanstack/react-router'
import { useQuery } from '@tanstack/react-query'
import { PAGE_SIZE } from '#contract/limits.ts'
import { onlyUploads } from '#contract/default-roles.ts'
import type { PermissionName } from '#contract/permissions.ts'
import { accountQueries } from './data/account-queries.ts'
import { useCan, useSession } from './data/session.ts'
import { AccountFailure, isGone } from './engines/account/account-failure.tsx'
import { lazyPart } from './engines/lazy-part.tsx'
import { GuestPage } from './features/guests/guest-page.tsx'
import { Letterhead } from './features/guests/letterhead.tsx'
import { AccountTour } from './features/tour/account-tour.tsx'
import { NotFound } from './shell/not-found.tsx'
import { PageTitle } from './ui/page-title.ts'
import { PendingScreen } from './ui/pending-screen.tsx'
import { SkeletonRows } from './ui/skeleton-rows.tsx'

const loading = (what: string) => ({ fallback: <SkeletonRows rows={PAGE_SIZE} label={`Loading ${what}`} /> })

const tabs = {
  properties: lazyPart(async () => (await import('./features/account-properties/properties.tab.tsx')).PropertiesTab, loading('properties')),
  files: lazyPart(async () => (await import('./features/account-files/documents.tab.tsx')).DocumentsTab, loading('documents')),
}

/** The page of members, below the letterhead. */
const AccountPage = lazyPart(async () => (await import('./account-page.tsx')).AccountPage)

/** Who has one of these works on the account, and gets the page of members. */
const WORK: readonly PermissionName[] = [
  'create_account_properties',
  'update_account_properties',
  'upload_account_files',
  'update_account_files',
  'bulk_upload_account_properties',
  'resolve_discrepancies',
]

/** The account as people from outside see it. */
export function GuestAccount({ id }: { id: string }) {
  const can = useCan()
  const isUploader = onlyUploads(useSession().auth_user.roles)
  const query = useQuery(accountQueries.account(id))
  if (!can('view_account_details')) return <NotFound />
  const account = isGone(query.error) ? undefined : query.data
  const works = WORK.some((name) => can(name)) || isUploader
  return (
    <>
      {account === undefined ? (
        <>
          <PageTitle>Account</PageTitle>
          {query.isError && <AccountFailure query={query} />}
          {!query.isError && <PendingScreen kind="content">Please wait while we gather the account data...</PendingScreen>}
          <Outlet />
        </>
      ) : (
        <Loaded account={account} works={works} />
      )}
      <AccountTour id={id} works={works} />
    </>
  )
}

type Props = Parameters<typeof GuestPage>[0]

function Loaded({ account, works }: { account: Props['account']; works: boolean }) {
  if (works) return <AccountPage id={account.id} Above={Letterhead} />
  return (
    <>
      <GuestPage key={account.id} account={account} tabs={tabs} />
      <Outlet />
    </>
  )
}
