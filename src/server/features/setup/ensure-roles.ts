import { sql } from 'kysely'
import { DEFAULT_ROLE_LABELS, DEFAULT_ROLE_NAMES, defaultPermissions } from '#contract/default-roles.ts'
import type { WriteContext } from '#server/engines/context.ts'

/** Creates the default roles that do not exist; existing roles are unchanged. */
export async function ensureRoles(tx: WriteContext): Promise<void> {
  for (const name of DEFAULT_ROLE_NAMES) {
    const permissions = `{${defaultPermissions(name).join(',')}}`
    await sql`INSERT INTO roles (name, label, permissions)
      SELECT ${name}, ${DEFAULT_ROLE_LABELS[name]}, ${permissions}::text[]
      WHERE NOT EXISTS (SELECT 1 FROM roles WHERE name = ${name} AND company_id IS NULL)`.execute(tx.db)
  }
}
