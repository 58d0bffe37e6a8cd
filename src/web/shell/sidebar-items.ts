import IconBuilding from '@tabler/icons-react/dist/esm/icons/IconBuilding.mjs'
import IconFolders from '@tabler/icons-react/dist/esm/icons/IconFolders.mjs'
import IconLayoutDashboard from '@tabler/icons-react/dist/esm/icons/IconLayoutDashboard.mjs'
import IconUsers from '@tabler/icons-react/dist/esm/icons/IconUsers.mjs'
import type { InitData } from '#contract/init.ts'
import type { PermissionName } from '#contract/permissions.ts'
import { can } from '#web/data/session.ts'
import { paths } from '#web/paths.ts'

const ITEMS = [
  { label: 'Dashboard', to: paths.dashboard(), Icon: IconLayoutDashboard, needs: 'view_dashboard_component' },
  { label: 'Accounts', to: paths.accounts(), Icon: IconFolders, needs: 'view_accounts_component' },
  { label: 'Companies', to: paths.companies(), Icon: IconBuilding, needs: 'view_companies_component' },
  { label: 'Users', to: paths.users(), Icon: IconUsers, needs: 'view_users_component' },
] as const satisfies readonly { label: string; to: string; Icon: unknown; needs: PermissionName }[]
/** Stands in place of the list for those who have none. */
const GIVEN = { label: 'Your accounts', to: paths.givenAccounts(), Icon: IconFolders, needs: 'view_account_details' } as const

/** An item stands in the sidebar only for those who may open its page (S0 §2). */
export function sidebarItems(session: InitData) {
  const items = can(session, 'view_accounts_component') ? ITEMS : [...ITEMS, GIVEN]
  return items.filter(({ needs }) => can(session, needs))
}
