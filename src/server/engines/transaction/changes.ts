import { sql } from 'kysely'
import type { ChangeScope } from '#contract/events.ts'
import { ACCOUNT_MODEL, declarationOf, type Model } from '#contract/models.ts'
import { ALL_SCOPE, EVERY_SCOPE } from '#server/access/scope.ts'
import { runAtCommit } from '#server/db/kysely-pool.ts'
import type { Change, WriteContext } from '../context.ts'

/** The function publish_changes notifies it. */
export const CHANGES_CHANNEL = 'plumbline_changes'

/** A user opened a record that their lists marked as new. */
export interface OpenedNotice {
  openedBy: string
  model: Model
}

const NOTICE_PRINCIPALS_MAX = 100

/** What the committing process sends to every API process. A payload of NOTIFY is at most 8,000 bytes. */
export interface ChangeNotice {
  model: Model
  id: string | null
  accountId: string | null
  scope: ChangeScope
  principals: string[]
  everywhere: boolean
  updatedAt: string
}

/** Declares that a record changed; takes effect at commit and not at all after a rollback. */
export function emit(tx: WriteContext, change: Change): void {
  tx.changes.push(change)
}

/** Before commit: schedules what makes the changes visible to other users, in the round trip of the commit. */
export async function flushChanges(tx: WriteContext): Promise<void> {
  if (tx.changes.length === 0) return
  const updatedAt = new Date()
  const registers = accountsOf(tx.changes.filter(({ model, scope }) => declarationOf(model).checked === true && scope !== 'files'))
  for (const accountId of registers) await tx.onRegisterChanged(tx, accountId)
  const accounts = accountsOf(tx.changes)
  const created = new Set(tx.changes.flatMap(({ isNew, id }) => (isNew === true ? [id] : [])))
  const visible = new Set(accountsOf(tx.changes.filter(({ isHidden }) => isHidden !== true)))
  const touched = accounts.filter((id) => visible.has(id) && (!created.has(id) || registers.includes(id)))
  const shown = unique(
    tx.changes.flatMap(({ model, inAccount: id }) => (id === undefined ? [] : [pair(model, id), pair(ACCOUNT_MODEL, id)])),
  )
  const [models, scopes] = columns(unique(tx.changes.flatMap((change) => scopesOf(change))))
  const [shownModels, shownAccounts] = columns(shown)
  const notified = notices(tx.changes, updatedAt).map((notice) => JSON.stringify(notice))
  const statement = sql`SELECT publish_changes(${models}, ${scopes}, ${shownModels}, ${shownAccounts}, ${touched}, ${registers},
    ${updatedAt}, ${notified}) AS rights_changed`
  await runAtCommit(tx.db, statement.compile(tx.db))
}

type Pair = [model: string, scope: string]
const pair = (model: string, scope: string): Pair => [model, scope]

/** Whose lists of which model a change raises, other than those of users with access to its account. */
function scopesOf({ model, inAccount, for: principals = [], everywhere }: Change): Pair[] {
  return [
    ...(inAccount === undefined ? [] : [pair(model, inAccount), pair(ACCOUNT_MODEL, ALL_SCOPE)]),
    ...principals.map((id) => pair(model, id)),
    ...(everywhere === true ? [pair(model, EVERY_SCOPE)] : []),
    pair(model, ALL_SCOPE),
  ]
}

const unique = (pairs: readonly Pair[]): Pair[] => [...new Map(pairs.map((item) => [item.join(' '), item])).values()]
const columns = (pairs: readonly Pair[]): [string[], string[]] => [pairs.map(([model]) => model), pairs.map(([, scope]) => scope)]

/** In order, because a listener may lock something for each account, such as the one waiting job. */
const accountsOf = (changes: readonly Change[]): string[] => [...new Set(changes.flatMap(({ inAccount }) => inAccount ?? []))].sort()

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
      scope: first.scope ?? declarationOf(first.model).changeScope ?? 'data',
      everywhere: first.everywhere ?? false,
      updatedAt: updatedAt.toISOString(),
    }
    return chunks(principals, NOTICE_PRINCIPALS_MAX).map((part) => ({ ...notice, principals: part }))
  })
}

/** At least one chunk, which may be empty. */
const chunks = <T>(items: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.max(1, Math.ceil(items.length / size)) }, (_, index) => items.slice(index * size, (index + 1) * size))
