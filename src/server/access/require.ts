import { forbidden, notFound } from '#server/kernel/errors.ts'
import { seesPrivateFiles, visibleAccounts } from './accounts.ts'
import { visibleCompanies } from './companies.ts'
import { can, type Reader, type Viewer } from './viewer.ts'

/** The live account. Throws `notFound` unless the viewer sees it; every call about something in an account checks this first. */
export async function requireVisibleAccount(db: Reader, viewer: Viewer, id: string) {
  const row = await db
    .selectFrom('accounts')
    .select(['id', 'name', 'company_id', 'show_vanity_by_default'])
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .where(visibleAccounts(viewer))
    .executeTakeFirst()
  if (row === undefined) throw notFound('Account')
  return row
}

/** Throws `forbidden` if the viewer would lose sight of a document of the account by making it private. */
export function requireSeesPrivate(viewer: Viewer, account: { company_id: string }): void {
  if (!seesPrivateFiles(viewer, account))
    throw forbidden('You would no longer see the document. Ask the company that owns this account to make it private.')
}

/** Permanent deletion is limited to accounts of the own company, unless the viewer has restore_records. Throws `forbidden`. */
export async function requireOwnAccounts(db: Reader, viewer: Viewer, ids: readonly string[]): Promise<void> {
  if (can(viewer, 'restore_records')) return
  const own = viewer.kind === 'user' ? viewer.companyId : null
  const foreign = await db
    .selectFrom('accounts')
    .select('id')
    .where('id', 'in', [...ids])
    .where('company_id', 'is distinct from', own)
    .limit(1)
    .executeTakeFirst()
  if (foreign !== undefined) throw forbidden()
}

/** The live company with this id, if the viewer sees it: the one check before a record is given to a company. */
export const findVisibleCompany = (db: Reader, viewer: Viewer, id: string) =>
  db
    .selectFrom('companies')
    .select(['id', 'name'])
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .where(visibleCompanies(viewer))
    .executeTakeFirst()

/** The live companies that the viewer sees, as options of a filter. */
export const companyOptions = ({ db, viewer }: { db: Reader; viewer: Viewer }) =>
  db
    .selectFrom('companies')
    .select(['id as value', 'name as label'])
    .where('deleted_at', 'is', null)
    .where(visibleCompanies(viewer))
    .orderBy('name')
    .execute()
