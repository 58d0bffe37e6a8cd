import { notFound } from '#server/kernel/errors.ts'
import { visibleAccounts } from './accounts.ts'
import type { Reader, Viewer } from './viewer.ts'

export interface AccountHead {
  id: string
  name: string
  company_id: string
  show_vanity_by_default: boolean
}

/** Makes sure that the viewer sees the live account: everything inside an account asks this first. */
export async function requireVisibleAccount(db: Reader, viewer: Viewer, id: string): Promise<AccountHead> {
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
