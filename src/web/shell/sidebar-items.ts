import IconBuilding from '@tabler/icons-react/dist/esm/icons/IconBuilding.mjs'
import IconFolders from '@tabler/icons-react/dist/esm/icons/IconFolders.mjs'
import IconLayoutDashboard from '@tabler/icons-react/dist/esm/icons/IconLayoutDashboard.mjs'
import IconUsers from '@tabler/icons-react/dist/esm/icons/IconUsers.mjs'
import type { PermissionName } from '#contract/permissions.ts'
import { paths } from '#web/paths.ts'

/** An item stands in the sidebar only for those who may open its page (S0 §2). */
export const SIDEBAR_ITEMS = [
  { label: 'Dashboard', to: paths.dashboard(), Icon: IconLayoutDashboard, needs: 'view_dashboard_component' },
  { label: 'Accounts', to: paths.accounts(), Icon: IconFolders, needs: 'view_accounts_component' },
  { label: 'Companies', to: paths.companies(), Icon: IconBuilding, needs: 'view_companies_component' },
  { label: 'Users', to: paths.users(), Icon: IconUsers, needs: 'view_users_component' },
] as const satisfies readonly { label: string; to: string; Icon: unknown; needs: PermissionName }[]
