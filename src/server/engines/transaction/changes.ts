import { sql } from 'kysely'
import type { Model } from '#contract/models.ts'
import { EVERY_SCOPE } from '#server/access/scope.ts'
import type { Change, WriteContext } from '../context.ts'

export const CHANGES_CHANNEL = 'plumbline_changes'

const NOTICE_PRINCIPALS_MAX = 100

/** What the committing process sends to every API process. A payload of NOTIFY is at most 8,000 bytes. */
export interface ChangeNotice {
  model: Model
  id: string | null
  accountId: string | null
  scope: 'data' | 'files'
  principals: string[]
  everywhere: boolean
  updatedAt: string
}

/** Declares that a record changed; takes effect at commit and not at all after a rollback. */
export function emit(tx: WriteContext, change: Change): void {
  tx.changes.push(change)
}

/** Before commit: moves changed accounts to the front, raises the versions of changed lists and notifies the other processes. */
export async function flushChanges(tx: WriteContext): Promise<void> {
  if (tx.changes.length === 0) return
  const updatedAt = new Date()
  const accounts = accountsOf(tx.changes)
  const registers = accountsOf(tx.changes.filter(({ model, scope }) => model === 'account_properties' && scope !== 'files'))
  for (const accountId of registers) await tx.onRegisterChanged(tx, accountId)
  if (accounts.length > 0) await touchAccounts(tx, accounts, registers, updatedAt)
  await raiseVersions(tx)
  for (const notice of notices(tx.changes, updatedAt)) {
    await sql`SELECT pg_notify(${CHANGES_CHANNEL}, ${JSON.stringify(notice)})`.execute(tx.db)
  }
}

/** In order, because a listener may lock something for each account, such as the one waiting job. */
const accountsOf = (changes: readonly Change[]): string[] => [...new Set(changes.flatMap(({ inAccount }) => inAccount ?? []))].sort()

/**
 * `register_version` rises when property values change, but not when documents are linked: an import preview remains valid. The
 * lock is FOR NO KEY UPDATE because each new file or property already locks its account by the foreign key, and a stronger lock
 * would deadlock with those.
 */
async function touchAccounts(tx: WriteContext, accounts: string[], registers: string[], updatedAt: Date): Promise<void> {
  await sql`UPDATE accounts SET updated_at = ${updatedAt}, register_version = register_version + (id = ANY(${registers}::uuid[]))::int
    WHERE id IN (SELECT id FROM accounts WHERE id = ANY(${accounts}::uuid[]) ORDER BY id FOR NO KEY UPDATE)`.execute(tx.db)
}

/** Rows are locked in one order, so that two transactions that touch the same scopes cannot deadlock. */
async function raiseVersions(tx: WriteContext): Promise<void> {
  await sql`WITH change AS MATERIALIZED (
      SELECT DISTINCT * FROM jsonb_to_recordset(${JSON.stringify(tx.changes)}::jsonb) AS c (model text, "inAccount" uuid, "for" uuid[], everywhere boolean))
    INSERT INTO list_versions (model, scope_id)
      SELECT model, "inAccount" FROM change WHERE "inAccount" IS NOT NULL
      UNION SELECT model, unnest("for") FROM change
      UNION SELECT model, ${EVERY_SCOPE}::uuid FROM change WHERE everywhere
      UNION SELECT shown, g.principal_id FROM change JOIN account_access g ON g.account_id = "inAccount", unnest(ARRAY[model, 'accounts']) shown
      ORDER BY 1, 2
    ON CONFLICT (model, scope_id) DO UPDATE SET version = list_versions.version + 1, changed_at = now()`.execute(tx.db)
}

/** One notice for each record; many records of one model and account become one notice without an id. */
function notices(changes: readonly Change[], updatedAt: Date): ChangeNotice[] {
  const groups = Map.groupBy(changes, ({ model, inAccount, scope, everywhere }) => [model, inAccount, scope, everywhere].join(' '))
  return [...groups.values()].flatMap((group) => {
    const [first] = group
    if (first === undefined) return []
    const ids = new Set(group.map(({ id }) => id))
    const principals = [...new Set(group.flatMap((change) => change.for ?? []))]
    const notice = {
      model: first.model,
      id: ids.size === 1 ? first.id : null,
      accountId: first.inAccount ?? null,
      scope: first.scope ?? (first.model === 'account_files' ? 'files' : 'data'),
      everywhere: first.everywhere ?? false,
      updatedAt: updatedAt.toISOString(),
    }
    return chunks(principals, NOTICE_PRINCIPALS_MAX).map((part) => ({ ...notice, principals: part }))
  })
}

/** At least one chunk, which may be empty. */
const chunks = <T>(items: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.max(1, Math.ceil(items.length / size)) }, (_, index) => items.slice(index * size, (index + 1) * size))
