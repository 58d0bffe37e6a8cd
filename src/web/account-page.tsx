import { PAGE_SIZE } from '#contract/limits.ts'
import { lazyPart } from './engines/lazy-part.tsx'
import { AccountDashboardPage } from './features/account-dashboard/account-dashboard.page.tsx'
import { SkeletonRows } from './ui/skeleton-rows.tsx'

const loading = (what: string) => ({ fallback: <SkeletonRows rows={PAGE_SIZE} label={`Loading ${what}`} /> })

const tabs = {
  properties: lazyPart(async () => (await import('./features/account-properties/properties.tab.tsx')).PropertiesTab, loading('properties')),
  files: lazyPart(async () => (await import('./features/account-files/documents.tab.tsx')).DocumentsTab, loading('documents')),
}

/** Combines the account with the tabs of other features, each loaded when it is opened. */
export function AccountPage({ id }: { id: string }) {
  return <AccountDashboardPage id={id} tabs={tabs} />
}
