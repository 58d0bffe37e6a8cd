import { sql, type Expression, type SqlBool } from 'kysely'
import { visibleFiles } from './account-files.ts'
import { visibleAccounts } from './accounts.ts'
import { scopeOf } from './link-scope.ts'
import { FALSE } from './scope.ts'
import { viewerId, type Viewer } from './viewer.ts'

/**
 * Imports of live accounts whose document the viewer sees, because an import shows the cells of its document. Also the viewer's own, those
 * of rows that an application sent, and those whose document was permanently deleted: nothing of it is left in them. An import shows a whole
 * schedule, so no link to a part of the account shows it.
 */
export function visibleImports(viewer: Viewer, imports = 'imports'): Expression<SqlBool> {
  if (scopeOf(viewer) !== undefined) return FALSE
  const document = sql`account_files f WHERE f.id = ${sql.ref(`${imports}.file_id`)} AND ${visibleFiles(viewer, 'f')}`
  return sql<SqlBool>`(${visibleAccounts(viewer, `${imports}.account_id`, 'live')}
    AND (${sql.ref(`${imports}.file_id`)} IS NULL OR ${sql.ref(`${imports}.created_by`)} = ${viewerId(viewer)} OR EXISTS (SELECT FROM ${document})))`
}
