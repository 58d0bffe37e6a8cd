import { lazyPart } from './engines/lazy-part.tsx'
import { AccountDashboardPage } from './features/account-dashboard/account-dashboard.page.tsx'

const tabs = {
  properties: lazyPart(async () => (await import('./features/account-properties/properties.tab.tsx')).PropertiesTab),
  files: lazyPart(async () => (await import('./features/account-files/documents.tab.tsx')).DocumentsTab),
}

/** Combines the account with the tabs of other features, each loaded when it is opened. */
export function AccountPage({ id }: { id: string }) {
  return <AccountDashboardPage id={id} tabs={tabs} />
}
