import { sql, type RawBuilder, type SqlBool } from 'kysely'
import type { PermissionName } from '#contract/permissions.ts'
import { isActive, isMember, type Reader } from './viewer.ts'

/** Changes the single sign-on of a company, among the other settings. */
const NEEDED: PermissionName = 'update_companies'

/** Whether the user `u` of the company `c` can sign in with a password and let others do so. */
const canOpen: RawBuilder<SqlBool> = sql`${isActive} AND ${isMember} AND u.password_hash IS NOT NULL
  AND EXISTS (SELECT 1 FROM user_roles x JOIN roles r ON r.id = x.role_id AND r.deleted_at IS NULL
    WHERE x.user_id = u.id AND ${NEEDED} = ANY(r.permissions))`

interface Administrator {
  id: string
  name: string
  email: string
}

/** Users who can be the emergency administrator of the company. */
export async function emergencyAdministrators(db: Reader, companyId: string): Promise<Administrator[]> {
  const { rows } = await sql<Administrator>`SELECT u.id, u.full_name AS name, u.email::text AS email
    FROM users u JOIN companies c ON c.id = u.company_id WHERE u.company_id = ${companyId} AND ${canOpen}
    ORDER BY u.full_name, u.id`.execute(db)
  return rows
}

/** Companies that allow only single sign-on, and whose emergency administrator could not change that. Those in the trash are not live. */
export async function companiesLockedOut(db: Reader): Promise<{ id: string; name: string; isLive: boolean }[]> {
  const { rows } = await sql<{ id: string; name: string; isLive: boolean }>`SELECT o.id, o.name, o.deleted_at IS NULL AS "isLive"
    FROM identity_providers p JOIN companies o ON o.id = p.company_id
    WHERE p.enabled AND NOT p.password_allowed AND NOT EXISTS (
      SELECT 1 FROM users u JOIN companies c ON c.id = u.company_id
      WHERE u.id = p.emergency_user_id AND u.company_id = p.company_id AND ${canOpen})`.execute(db)
  return rows
}
