import type { Context } from '#server/engines/context.ts'
import { PERMISSION_NAMES, type PermissionName } from '#contract/permissions.ts'
import type { TestApp } from './app.ts'
import { makeAccount, makeProperty } from './factories/accounts.ts'
import { makeFile } from './factories/files.ts'
import { makeCompany, makeUser } from './factories/people.ts'

/** A word that stands in the name of every record of the owner, so that any answer that shows one shows it. */
export const MARK = 'zanzibar'

/** Everything but the two permissions that see beyond the own company, and the one that finds every company by name. */
const LOCAL: readonly PermissionName[] = PERMISSION_NAMES.filter(
  (name) => !['view_all_system_companies', 'view_all_system_users', 'create_standard_accounts'].includes(name),
)

/** Somebody in a company of their own who may do anything there: only the walls between companies hold them back. */
export async function makeNeighbour(app: TestApp, permissions: readonly PermissionName[] = LOCAL) {
  const { db } = app.system
  const user = await makeUser(app.system)
  const role = await db
    .insertInto('roles')
    .values({ company_id: user.companyId, name: 'local', label: 'Local', permissions: [...permissions] })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db.updateTable('user_roles').set({ role_id: role.id }).where('user_id', '=', user.id).execute()
  return user
}

/** One company with one record of every model, and the people around it. */
export async function makeTenant(app: TestApp) {
  const company = await makeCompany(app.system, 'Zanzibar Holdings')
  const owner = await makeUser(app.system, { companyId: company.id, lastName: 'Zanzibar' })
  const carrier = await makeUser(app.system, { role: 'carrier' })
  const added = await makeUser(app.system)
  const uploader = await makeUser(app.system, { role: 'upload_only' })
  const account = await makeAccount(app.system, {
    companyId: company.id,
    name: 'Zanzibar Stores',
    carrierCompanyId: carrier.companyId,
    users: [added.id, uploader.id],
  })
  const property = await makeProperty(app.system, account.id, { property_name: 'Zanzibar Hall' })
  const inName: Context = { ...app.system, viewer: await app.viewer(owner.id) }
  const file = await makeFile(inName, account.id, {
    name: 'zanzibar-report.txt',
    category: 'appraisal',
    property_ids: [property.id],
  })
  const discrepancy = await app.system.db
    .insertInto('discrepancies')
    .values({
      account_id: account.id,
      property_id: property.id,
      check_id: 'DQ-02',
      group_name: 'data_quality',
      field: 'year_built',
      severity: 'warning',
      message: 'Zanzibar Hall has no year',
      fingerprint: 'zanzibar',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return {
    company,
    owner,
    carrier,
    added,
    uploader,
    account: account.id,
    file: file.id,
    ids: {
      accounts: account.id,
      account_properties: property.id,
      account_files: file.id,
      discrepancies: discrepancy.id,
      companies: company.id,
      users: owner.id,
    },
  }
}

export type Tenant = Awaited<ReturnType<typeof makeTenant>>
