import { sql } from 'kysely'
import { DEFAULT_ROLE_LABELS, DEFAULT_ROLE_NAMES, defaultPermissions } from '#contract/default-roles.ts'
import type { WriteContext } from '#server/engines/context.ts'

/** The default roles exist once a database is used; those already there keep what an administrator made of them. */
export async function ensureRoles(tx: WriteContext): Promise<void> {
  for (const name of DEFAULT_ROLE_NAMES) {
    const permissions = `{${defaultPermissions(name).join(',')}}`
    await sql`INSERT INTO roles (name, label, permissions)
      SELECT ${name}, ${DEFAULT_ROLE_LABELS[name]}, ${permissions}::text[]
      WHERE NOT EXISTS (SELECT 1 FROM roles WHERE name = ${name} AND company_id IS NULL)`.execute(tx.db)
  }
}

/** Accounts are started by companies with a subscription only, so the first company of an empty database gets one. */
export async function firstSubscription(tx: WriteContext): Promise<string> {
  const made = await tx.db.insertInto('subscriptions').values({ name: 'Standard' }).returning('id').executeTakeFirstOrThrow()
  return made.id
}
