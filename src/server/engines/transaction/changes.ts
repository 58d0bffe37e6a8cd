import { sql } from 'kysely'
import type { Model } from '#contract/permissions.ts'
import type { Change, WriteContext } from '../context.ts'

export const CHANGES_CHANNEL = 'plumbline_changes'

/** What travels from the committing process to every API process. */
export interface ChangeNotice {
  model: Model
  id: string | null
  accountId: string | null
  scope: 'data' | 'files'
  principals: string[]
  updatedAt: string
}

/** Says that a record changed; takes effect at commit and never after a rollback. */
export function emit(tx: WriteContext, change: Change): void {
  tx.changes.push(change)
}

/**
 * Before commit: moves the touched accounts to the front, stamps every scope whose lists changed (in one order, so that two
 * transactions never wait for each other crosswise) and notifies the bus.
 */
export async function flushChanges(tx: WriteContext): Promise<void> {
  if (tx.changes.length === 0) return
  const updatedAt = new Date()
  const accounts = [...new Set(tx.changes.flatMap(({ accountId }) => (accountId === undefined ? [] : [accountId])))].sort()
  if (accounts.length > 0) await touchAccounts(tx, accounts, updatedAt)
  await stamp(tx)
  for (const notice of notices(tx.changes, updatedAt)) {
    await sql`SELECT pg_notify(${CHANGES_CHANNEL}, ${JSON.stringify(notice)})`.execute(tx.db)
  }
}

/**
 * The register's own version rises with its values, not with documents linked to it: an import preview stays good. The lock is
 * the weaker one, since each new file or property already holds its account by the foreign key: the stronger would deadlock them.
 */
async function touchAccounts(tx: WriteContext, accounts: string[], updatedAt: Date): Promise<void> {
  const register = tx.changes.flatMap(({ model, accountId, scope }) =>
    model === 'account_properties' && scope !== 'files' && accountId !== undefined ? [accountId] : [],
  )
  await sql`UPDATE accounts SET updated_at = ${updatedAt}, register_version = register_version + (id = ANY(${register}::uuid[]))::int
    WHERE id IN (SELECT id FROM accounts WHERE id = ANY(${accounts}::uuid[]) ORDER BY id FOR NO KEY UPDATE)`.execute(tx.db)
}

async function stamp(tx: WriteContext): Promise<void> {
  const pairs = tx.changes.flatMap(({ model, accountId, principals = [] }) => [
    ...principals.map((scope) => ({ model, scope, account: null })),
    ...(accountId === undefined
      ? []
      : [
          { model, scope: accountId, account: null },
          { model, scope: null, account: accountId },
        ]),
    ...(accountId === undefined ? [] : [{ model: 'accounts', scope: null, account: accountId }]),
  ])
  await sql`INSERT INTO change_stamps (model, scope_id)
    SELECT DISTINCT p.model, coalesce(p.scope, g.principal_id) AS scope_id
      FROM jsonb_to_recordset(${JSON.stringify(pairs)}::jsonb) AS p (model text, scope uuid, account uuid)
      LEFT JOIN account_access g ON g.account_id = p.account
      WHERE coalesce(p.scope, g.principal_id) IS NOT NULL
      ORDER BY 1, 2
    ON CONFLICT (model, scope_id) DO UPDATE SET stamp = change_stamps.stamp + 1, changed_at = now()`.execute(tx.db)
}

/** One notice a record; many records of one model and account become one notice without an id. */
function notices(changes: readonly Change[], updatedAt: Date): ChangeNotice[] {
  const groups = Map.groupBy(changes, ({ model, accountId, scope }) => `${model} ${accountId ?? ''} ${scope ?? ''}`)
  return [...groups.values()].flatMap((group) => {
    const [first] = group
    if (first === undefined) return []
    const ids = new Set(group.map(({ id }) => id))
    return {
      model: first.model,
      id: ids.size === 1 ? first.id : null,
      accountId: first.accountId ?? null,
      scope: first.scope ?? (first.model === 'account_files' ? 'files' : 'data'),
      principals: [...new Set(group.flatMap(({ principals = [] }) => principals))].slice(0, 100),
      updatedAt: updatedAt.toISOString(),
    }
  })
}
