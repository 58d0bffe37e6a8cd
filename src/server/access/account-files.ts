import { sql, type Expression, type SqlBool } from 'kysely'
import { isOwnAccount, visibleAccounts } from './accounts.ts'
import { fileInScope } from './link-scope.ts'
import { FALSE, TRUE, seesOwnFilesOnly } from './scope.ts'
import { can, viaOf, viewerId, type Viewer } from './viewer.ts'

/** The same rule as `seesPrivateFiles`, as a condition. */
function visiblePrivate(viewer: Viewer, account: string): Expression<SqlBool> {
  return can(viewer, 'update_account_files') ? isOwnAccount(viewer, account) : FALSE
}

/** Former versions follow the rule of private documents: a document may have been private while it had them. */
export const visibleFormerVersions = (viewer: Viewer, versions: string): Expression<SqlBool> =>
  visiblePrivate(viewer, `${versions}.account_id`)

/** The permission half of `visibleFiles`: without it, also the number of documents is unknown, not 0. */
export const seesFiles = (viewer: Viewer): boolean => can(viewer, 'view_account_files')

/** People from outside do not see who works on the account, or who else was let in. */
export const seesUploaders = (viewer: Viewer): boolean => viaOf(viewer) === undefined

/** Nor which documents the broker provided, and how often one was replaced, unless they work on the documents themselves. */
export const seesBrokerage = (viewer: Viewer): boolean => viaOf(viewer) === undefined || can(viewer, 'update_account_files')

/** Visitors of a link do not see when documents get too old. */
export const seesShelfLife = (viewer: Viewer): boolean => viaOf(viewer)?.kind !== 'share'

/** Documents a viewer can see: the only condition for lists, counts, previews, archives and activity lines. */
export function visibleFiles(viewer: Viewer, files = 'account_files'): Expression<SqlBool> {
  if (!seesFiles(viewer)) return FALSE
  const account = `${files}.account_id`
  const own = seesOwnFilesOnly(viewer) ? sql<SqlBool>`${sql.ref(`${files}.created_by`)} = ${viewerId(viewer)}` : TRUE
  return sql<SqlBool>`(${visibleAccounts(viewer, account, 'live')}
    AND (NOT ${sql.ref(`${files}.private`)} OR ${visiblePrivate(viewer, account)}) AND ${own} AND ${fileInScope(viewer, files)})`
}

/** Whether the viewer can open documents that they see, and so may find them by their text. */
export const readsFiles = (viewer: Viewer): boolean =>
  can(viewer, 'preview_files') || can(viewer, 'download_files') || seesOwnFilesOnly(viewer)

/** Documents whose text a viewer can see: the only condition for what a search in texts finds and shows. */
export const visibleTexts = (viewer: Viewer, files = 'account_files'): Expression<SqlBool> =>
  readsFiles(viewer) ? visibleFiles(viewer, files) : FALSE

export function fileRules(viewer: Viewer, file: { deleted_at: Date | null; created_by: string | null }) {
  const live = file.deleted_at === null
  const own = seesOwnFilesOnly(viewer) && file.created_by === viewerId(viewer)
  return {
    update: live && can(viewer, 'update_account_files'),
    delete: can(viewer, 'delete_account_files'),
    preview: live && can(viewer, 'preview_files'),
    download: live && (own || can(viewer, 'download_files')),
  }
}
