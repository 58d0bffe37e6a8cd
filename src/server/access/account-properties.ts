import type { Expression, SqlBool } from 'kysely'
import { visibleAccounts } from './accounts.ts'
import { can, type Viewer } from './viewer.ts'

/** Properties of the accounts a viewer sees, while those accounts are not in the trash. */
export function visibleProperties(viewer: Viewer, account = 'account_properties.account_id'): Expression<SqlBool> {
  return visibleAccounts(viewer, account, 'live')
}

export function propertyRules(viewer: Viewer, property: { status: string; deleted_at: Date | null }) {
  const live = property.deleted_at === null
  return {
    update: live && can(viewer, 'update_account_properties'),
    delete: can(viewer, 'delete_account_properties'),
    divest: live && property.status === 'active' && can(viewer, 'update_account_properties'),
  }
}
