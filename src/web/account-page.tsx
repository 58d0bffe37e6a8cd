import { lazy } from 'react'
import { AccountDashboardPage } from './features/account-dashboard/account-dashboard.page.tsx'

const tabs = {
  properties: lazy(() =>
    import('./features/account-properties/properties.tab.tsx').then(({ PropertiesTab }) => ({ default: PropertiesTab })),
  ),
  files: lazy(() => import('./features/account-files/documents.tab.tsx').then(({ DocumentsTab }) => ({ default: DocumentsTab }))),
}

/** Combines the account with the tabs of other features, each loaded when it is opened. */
export function AccountPage({ id }: { id: string }) {
  return <AccountDashboardPage id={id} tabs={tabs} />
}
