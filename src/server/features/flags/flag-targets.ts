import { sql } from 'kysely'
import type { FlaggableType } from '#contract/flags.ts'
import { visibleFiles } from '#server/access/account-files.ts'
import { visibleProperties } from '#server/access/account-properties.ts'
import { visibleRiskControl } from '#server/access/risk-control.ts'
import { uuids } from '#server/access/scope.ts'
import { can, type Reader, type SignedIn, type Viewer } from '#server/access/viewer.ts'

/** The records that can be flagged. */
export const TARGETS = {
  account_property: {
    table: 'account_properties',
    column: 'property_id',
    needs: 'view_account_properties',
    noun: 'Property',
    visible: (viewer: Viewer) => visibleProperties(viewer),
    status: sql`status`,
  },
  account_file: {
    table: 'account_files',
    column: 'file_id',
    needs: 'view_account_files',
    noun: 'Document',
    visible: (viewer: Viewer) => visibleFiles(viewer),
    status: sql`'active'`,
  },
  risk_control: {
    table: 'risk_control',
    column: 'risk_control_id',
    needs: 'view_risk_control',
    noun: 'Risk control report',
    visible: (viewer: Viewer) => visibleRiskControl(viewer),
    status: sql`'active'`,
  },
} as const

/** Records of one type. */
export interface Flaggable {
  type: FlaggableType
  ids: readonly string[]
}

/** The records that this viewer can flag, as the part of a query after its columns. */
export const visibleTargets = (viewer: Viewer, { type, ids }: Flaggable) => {
  const { table, visible } = TARGETS[type]
  return sql`FROM ${sql.table(table)} WHERE id = ANY(${uuids(ids)}) AND deleted_at IS NULL AND ${visible(viewer)}`
}

/** Those of the users who see all of the records. Read in one statement. */
export async function usersWhoSee(db: Reader, users: readonly SignedIn[], records: Flaggable): Promise<SignedIn[]> {
  const allowed = users.filter((user) => can(user, TARGETS[records.type].needs))
  if (allowed.length === 0) return []
  const { rows } = await sql<{ id: string }>`${sql.join(
    allowed.map(
      (user) => sql`SELECT ${user.userId}::uuid AS id WHERE (SELECT count(*) ${visibleTargets(user, records)}) = ${records.ids.length}`,
    ),
    sql` UNION ALL `,
  )}`.execute(db)
  const seeing = new Set(rows.map(({ id }) => id))
  return allowed.filter(({ userId }) => seeing.has(userId))
}
