import { checkById, isCheckId } from '#contract/checks.ts'
import type { Model } from '#contract/models.ts'
import { paths, type AccountTab } from '../paths.ts'

type Filters = Readonly<Record<string, string>>

/** Where users see the list of a model: on a page of its own, or on a tab of its account. */
type ListPage = { path: () => string } | { tab: AccountTab; filters?: (filters: Filters) => Filters }

/** Discrepancies are shown with their properties. */
const propertiesWith = ({ filter__check: check }: Filters): Filters => ({
  filter__status: 'active',
  ...(check !== undefined && isCheckId(check) ? { filter__discrepancy: checkById(check).filter } : { filter__has_discrepancy: '1' }),
})

const LIST_PAGES: Partial<Record<Model, ListPage>> = {
  accounts: { path: paths.accounts },
  users: { path: paths.users },
  account_properties: { tab: 'properties' },
  account_files: { tab: 'files' },
  discrepancies: { tab: 'properties', filters: propertiesWith },
}

/** Undefined for names without a list. */
export const listPageOf = (model: string): ListPage | undefined => new Map(Object.entries(LIST_PAGES)).get(model)
