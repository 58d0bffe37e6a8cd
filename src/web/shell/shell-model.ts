import type IconSearch from '@tabler/icons-react/dist/esm/icons/IconSearch.mjs'
import type { PermissionName } from '#contract/permissions.ts'
import type { Found } from '#contract/search.ts'
import type { SearchedModel } from '#web/data/queries.ts'

/** What the shell shows of a model: an item in the sidebar if it has an icon, and a group in global search. */
export interface ShellModel {
  model: SearchedModel
  label: string
  needs: PermissionName
  Icon?: typeof IconSearch
  /** The page of a record that global search found. */
  to: (found: Found) => string
}
