import { lazy } from 'react'
import { AccountDashboardPage } from './features/account-dashboard/account-dashboard.page.tsx'

const tabs = {
  properties: lazy(() =>
    import('./features/account-properties/properties.tab.tsx').then(({ PropertiesTab }) => ({ default: PropertiesTab })),
  ),
  files: lazy(() => import('./features/account-files/documents.tab.tsx').then(({ DocumentsTab }) => ({ default: DocumentsTab }))),
}

/** The account with what other features show in its tabs, each loaded when it is opened. */
export function AccountPage() {
  return <AccountDashboardPage tabs={tabs} />
}
