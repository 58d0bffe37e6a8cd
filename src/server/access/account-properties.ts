import { sql, type Expression, type SqlBool } from 'kysely'
import { visibleAccounts } from './accounts.ts'
import { propertyInScope } from './link-scope.ts'
import { FALSE } from './scope.ts'
import { can, viaOf, type Viewer } from './viewer.ts'

interface PropertyColumns {
  account: string
  id: string
}

/**
 * Properties of the accounts a viewer sees, while those accounts are not in the trash; of visitors of a link those that it shows. `columns`
 * name the property where the query does not read `account_properties`.
 */
export function visibleProperties(viewer: Viewer, columns: PropertyColumns = PROPERTY): Expression<SqlBool> {
  return sql<SqlBool>`(${visibleRegister(viewer, columns.account)} AND ${propertyInScope(viewer, columns.id)})`
}

const PROPERTY: PropertyColumns = { account: 'account_properties.account_id', id: 'account_properties.id' }

/** The account half of `visibleProperties`, for queries that look the account up once. */
export const visibleRegister = (viewer: Viewer, account: string): Expression<SqlBool> => visibleAccounts(viewer, account, 'live')

/** The permission half of what is linked to a property, such as its documents. */
export const seesProperties = (viewer: Viewer): boolean => can(viewer, 'view_account_properties')

/** Whether the viewer sees the property with the id in this column, which is linked to a record that they see. */
export const visibleLinked = (viewer: Viewer, property: string): Expression<SqlBool> =>
  seesProperties(viewer) ? propertyInScope(viewer, property) : FALSE

/** The note to a divestment is for those who work on the register. People from outside who only read it see the date and the reason. */
export const seesDivestedNote = (viewer: Viewer): boolean => viaOf(viewer) === undefined || can(viewer, 'update_account_properties')

export function propertyRules(viewer: Viewer, property: { status: string; deleted_at: Date | null }) {
  const live = property.deleted_at === null
  return {
    update: live && can(viewer, 'update_account_properties'),
    delete: can(viewer, 'delete_account_properties'),
    divest: live && property.status === 'active' && can(viewer, 'update_account_properties'),
  }
}
