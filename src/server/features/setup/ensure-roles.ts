import { sql } from 'kysely'
import { DEFAULT_ROLE_LABELS, DEFAULT_ROLE_NAMES, type DefaultRole } from '#contract/default-roles.ts'
import { permissionLabel } from '#contract/permission-labels.ts'
import { defaultPermissions, PERMISSION_NAMES } from '#contract/permissions.ts'
import type { Services, WriteContext } from '#server/engines/context.ts'
import { recordActivity } from '#server/engines/transaction/activity.ts'
import { emit } from '#server/engines/transaction/changes.ts'

const textArray = (names: readonly string[]) => sql`${`{${names.join(',')}}`}::text[]`

/** Whether `ensureRoles` has something to do. At most starts it has not; its transaction takes 30 ms, this statement one. */
export async function lacksRoles(db: Services['db']): Promise<boolean> {
  const { rows } = await sql<{ lacks: boolean }>`SELECT
      EXISTS (SELECT unnest(${textArray(PERMISSION_NAMES)}) EXCEPT SELECT name FROM introduced_permissions)
      OR EXISTS (SELECT unnest(${textArray(DEFAULT_ROLE_NAMES)}) EXCEPT SELECT name FROM roles WHERE company_id IS NULL) AS lacks`.execute(
    db,
  )
  return rows[0]?.lacks !== false
}

/** Creates the default roles that do not exist, and gives existing ones the permissions that are new in this release. */
export async function ensureRoles(tx: WriteContext): Promise<void> {
  const introduced = await introducePermissions(tx)
  for (const name of DEFAULT_ROLE_NAMES) {
    const permissions = defaultPermissions(name)
    await sql`INSERT INTO roles (name, label, permissions)
      SELECT ${name}, ${DEFAULT_ROLE_LABELS[name]}, ${textArray(permissions)}
      WHERE NOT EXISTS (SELECT 1 FROM roles WHERE name = ${name} AND company_id IS NULL)`.execute(tx.db)
    const added = textArray(permissions.filter((permission) => introduced.has(permission)))
    const { rows } = await sql<{ id: string; gained: string[] }>`UPDATE roles SET version = version + 1, updated_at = ${tx.clock.now()},
        permissions = permissions || ARRAY(SELECT unnest(${added}) EXCEPT SELECT unnest(permissions))
      WHERE name = ${name} AND company_id IS NULL AND NOT permissions @> ${added}
      RETURNING id, ARRAY(SELECT unnest(new.permissions) EXCEPT SELECT unnest(old.permissions) ORDER BY 1) AS gained`.execute(tx.db)
    for (const role of rows) await report(tx, name, role)
  }
  if (introduced.size > 0) emit(tx, { model: 'roles', id: null, everywhere: true })
}

/** Administrators see what a role gained in the activity, operators in the log. */
async function report(tx: WriteContext, role: DefaultRole, { id, gained }: { id: string; gained: string[] }): Promise<void> {
  tx.log.info({ role, permissions: gained }, 'A default role received the permissions that are new in this release')
  const permissions = gained.length === 1 ? 'a permission that is' : 'permissions that are'
  const message = `{user} added ${permissions} new in this release: ${gained.map(permissionLabel).join('; ')}`
  await recordActivity(tx, { model: 'roles', modelId: id, class: 'updated', message })
}

/**
 * Records the permissions of this release and returns those that are new to the database. Each is new once, so what an administrator
 * removes from a default role stays removed.
 */
async function introducePermissions({ db }: WriteContext): Promise<Set<string>> {
  const { rows } = await sql<{ name: string }>`INSERT INTO introduced_permissions (name) SELECT unnest(${textArray(PERMISSION_NAMES)})
    ON CONFLICT DO NOTHING RETURNING name`.execute(db)
  return new Set(rows.map(({ name }) => name))
}
