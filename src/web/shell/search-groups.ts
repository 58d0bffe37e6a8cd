import type { PermissionName } from '#contract/permissions.ts'
import { searchCalls, type Found } from '#contract/search.ts'
import { paths } from '#web/paths.ts'

/** The groups of global search: who sees them, which call finds them and where a result leads. */
export const SEARCH_GROUPS = [
  { label: 'Accounts', call: searchCalls.accounts, needs: 'view_accounts_component', to: ({ id }: Found) => paths.account(id) },
  {
    label: 'Account Properties',
    call: searchCalls.properties,
    needs: 'view_account_properties',
    to: ({ id, account_id }: Found) => (account_id === null ? paths.accounts() : paths.property(account_id, id)),
  },
  { label: 'Companies', call: searchCalls.companies, needs: 'view_companies_component', to: ({ id }: Found) => paths.company(id) },
  { label: 'Users', call: searchCalls.users, needs: 'view_users_component', to: ({ id }: Found) => paths.user(id) },
] as const satisfies readonly { label: string; call: unknown; needs: PermissionName; to: (found: Found) => string }[]

export type SearchGroup = (typeof SEARCH_GROUPS)[number]
