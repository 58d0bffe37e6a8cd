import { sql, type Expression, type SqlBool } from 'kysely'
import { viaOf, viewerId, type Reader, type Viewer } from './viewer.ts'

/**
 * What everyone may learn about a file whose bytes they have, without a sign-in. A document that is private now, or was whenever it was
 * downloaded, is not known to the page for checking files; its own company learns nothing about it there either.
 */
export const issuable = (): Expression<SqlBool> => sql<SqlBool>`(NOT account_files.private AND account_files.deleted_at IS NULL)`

/** Whether the account of a package or document is neither in the trash nor deleted for good. */
const isLive = (account: Expression<unknown>): Expression<SqlBool> =>
  sql<SqlBool>`EXISTS (SELECT 1 FROM accounts WHERE accounts.id = ${account} AND accounts.deleted_at IS NULL)`

/**
 * Whether an issued document has these bytes still, or its stored file became the current one of another document, is not private, and
 * neither it nor its account is in the trash.
 */
export const isCurrentDocument = (): Expression<SqlBool> =>
  sql<SqlBool>`EXISTS (SELECT 1 FROM account_files
    WHERE (account_files.id = issued_documents.file_id OR account_files.storage_key = issued_documents.storage_key)
    AND account_files.sha256 = issued_documents.checksum AND ${issuable()} AND ${isLive(sql`account_files.account_id`)})`

/** Whether no package of its series with another content was issued after this one, and the properties in it have not changed since. */
export const isCurrentPackage = (): Expression<SqlBool> =>
  sql<SqlBool>`((packages.account_id IS NULL OR ${isLive(sql`packages.account_id`)})
    AND (packages.register_version IS NULL OR packages.register_version =
      (SELECT accounts.register_version FROM accounts WHERE accounts.id = packages.account_id)) AND NOT EXISTS (
    SELECT 1 FROM packages AS later WHERE later.series = packages.series AND later.issued_at IS NOT NULL
      AND later.made_at > packages.made_at AND later.content <> packages.content))`

/** Whose lists and archives of an account replace each other: those of a company, or of a person from outside. */
export const issuerOf = (viewer: Viewer): string | null =>
  viewer.kind === 'user' && viewer.via === undefined ? viewer.companyId : viewerId(viewer)

/** The version of the account's properties; null for viewers of a part of them, who must not learn that the others changed. */
export async function registerVersion({ db, viewer }: { db: Reader; viewer: Viewer }, accountId: string): Promise<number | null> {
  if (viaOf(viewer)?.scope !== undefined) return null
  const account = db.selectFrom('accounts').select('register_version').where('id', '=', accountId)
  return (await account.executeTakeFirst())?.register_version ?? null
}
