import type { ComponentType } from 'react'
import type { Account } from '#contract/accounts.ts'
import { PAGE_SIZE } from '#contract/limits.ts'
import { useCan } from './data/session.ts'
import { lazyPart } from './engines/lazy-part.tsx'
import { useHasUnsavedChanges } from './engines/panel/unsaved-forms.ts'
import { AccountDashboardPage } from './features/account-dashboard/account-dashboard.page.tsx'
import { NotFound } from './shell/not-found.tsx'
import { SkeletonRows } from './ui/skeleton-rows.tsx'

const loading = (what: string) => ({ fallback: <SkeletonRows rows={PAGE_SIZE} label={`Loading ${what}`} /> })

const Documents = lazyPart(async () => (await import('./features/account-files/documents.tab.tsx')).DocumentsTab, loading('documents'))
const UploadDocuments = lazyPart(
  async () => (await import('./features/managed/upload-documents.tab.tsx')).UploadDocumentsTab,
  loading('documents'),
)

const tabs = {
  properties: lazyPart(async () => (await import('./features/account-properties/properties.tab.tsx')).PropertiesTab, loading('properties')),
  files: Documents,
  invites: lazyPart(async () => (await import('./features/invites/invites.tab.tsx')).InvitesTab, loading('invitations')),
  start: lazyPart(async () => (await import('./features/managed/get-started.tsx')).GetStarted),
  upload: ({ account }: { account: Account }) => <UploadDocuments account={account} list={<Documents account={account} listOnly />} />,
}

const ShareForm = lazyPart(async () => (await import('./features/sharing/share-form.tsx')).ShareForm)

/** For users who can share the account. */
function Share({ account }: { account: Account }) {
  const isOffered = useCan()('update_account_sharing')
  return isOffered && <ShareForm account={account} />
}

/**
 * Combines the account with the tabs of other features, each loaded when it is opened. Without permission for the
 * details of accounts there is no such page, but what has been entered in a panel over it stays when the permission is taken.
 */
export function AccountPage({ id, Above }: { id: string; Above?: ComponentType<{ account: Account }> }) {
  const isAllowed = useCan()('view_account_details')
  const unsaved = useHasUnsavedChanges()
  if (!isAllowed && !unsaved) return <NotFound />
  return <AccountDashboardPage id={id} tabs={tabs} Share={Share} Above={Above} />
}
