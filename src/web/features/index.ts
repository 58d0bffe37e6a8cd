import IconBuilding from '@tabler/icons-react/dist/esm/icons/IconBuilding.mjs'
import IconCreditCard from '@tabler/icons-react/dist/esm/icons/IconCreditCard.mjs'
import IconFlag from '@tabler/icons-react/dist/esm/icons/IconFlag.mjs'
import IconFolders from '@tabler/icons-react/dist/esm/icons/IconFolders.mjs'
import IconShieldLock from '@tabler/icons-react/dist/esm/icons/IconShieldLock.mjs'
import IconUsers from '@tabler/icons-react/dist/esm/icons/IconUsers.mjs'
import type { PermissionName } from '#contract/permissions.ts'
import type { Found } from '#contract/search.ts'
import type { ListedModel } from '#web/data/models.ts'
import type { FoundModel } from '#web/data/queries.ts'
import type { ModelView } from '#web/engines/model/model-view.ts'
import { paths } from '#web/paths.ts'

/** Models with a page of their own, which a permission of that name opens. */
export type PageModel = { [M in ListedModel]: `view_${M}_component` extends PermissionName ? M : never }[ListedModel]

interface ModelPage<M extends PageModel> {
  model: M
  Icon: typeof IconUsers
  /** Gives the model its standard pages; without it, its routes are in `routes.tsx`. */
  view?: () => Promise<ModelView<M>>
  /** Records of other models that open over this list. */
  panels?: readonly NestedPanel[]
}

interface NestedPanel {
  path: string
  /** The param of the path that is the record's id. */
  param: string
  view: () => Promise<ModelView>
  /** Whether the form of the record is one step below the path. */
  editable: boolean
  /** Where a record of the inner model is added, with the outer one as the value of this field. */
  add?: { path: string; preset: string }
}

/** A model with a page of its own that global search does not find; its routes are in `routes.tsx`. */
interface OtherPage {
  model: ListedModel
  Icon: typeof IconUsers
  needs: PermissionName
}

/** A model without a page of its own that global search finds. */
interface SearchGroup {
  model: FoundModel
  search: { label: string; needs: PermissionName; to: (found: Found) => string }
}

const companies = async () => (await import('./companies/companies.model.tsx')).companies
const subscriptions = async () => (await import('./subscriptions/subscriptions.model.tsx')).subscriptions
const roles = async () => (await import('./roles/roles.model.tsx')).roles
const users = async () => (await import('./users/users.model.tsx')).users

/**
 * Every model that people open from the sidebar or find in global search, in this order. Part of the first script: what a
 * page needs beyond its icon is imported when it is opened.
 */
export const registry = [
  { model: 'accounts', Icon: IconFolders },
  { model: 'flags', Icon: IconFlag, needs: 'manage_flags' },
  {
    model: 'account_properties',
    search: {
      label: 'Account Properties',
      needs: 'view_account_properties',
      to: ({ id, account_id }) => (account_id === null ? paths.accounts() : paths.property(account_id, id)),
    },
  },
  {
    model: 'companies',
    Icon: IconBuilding,
    view: companies,
    panels: [
      {
        path: 'companies/$id/users/$user_id',
        param: 'user_id',
        view: users,
        editable: true,
        add: { path: 'companies/$id/users/create', preset: 'company_id' },
      },
      { path: 'companies/$id/subscriptions/$subscription_id', param: 'subscription_id', view: subscriptions, editable: true },
    ],
  },
  {
    model: 'users',
    Icon: IconUsers,
    view: users,
    panels: [{ path: 'users/users-company/$id', param: 'id', view: companies, editable: false }],
  },
  { model: 'subscriptions', Icon: IconCreditCard, view: subscriptions },
  { model: 'roles', Icon: IconShieldLock, view: roles },
  {
    model: 'account_files',
    search: {
      label: 'Documents',
      needs: 'view_account_files',
      to: ({ id, account_id }) => (account_id === null ? paths.accounts() : paths.file(account_id, id)),
    },
  },
] as const satisfies readonly ({ [M in PageModel]: ModelPage<M> }[PageModel] | OtherPage | SearchGroup)[]
