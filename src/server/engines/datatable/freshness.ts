import { createHash } from 'node:crypto'
import { sql, type RawBuilder } from 'kysely'
import { oneOf, principals, seesAllCompanies } from '#server/access/scope.ts'
import type { Viewer } from '#server/access/viewer.ts'
import type { Context } from '../context.ts'
import { accountOf } from './conditions.ts'
import type { Datatable } from './define-datatable.ts'
import { runStatement } from './statements.ts'

const KEPT_BODIES = 400
const KEPT_BODY_CHARACTERS = 100_000

/** Bodies by their tag, least recently used first out. A tag names viewer, query and change stamps, so a kept body is never stale. */
const bodies = new Map<string, { body: string; asked: string }>()
/** The last tag under which a viewer's question was kept. */
const tags = new Map<string, string>()

export function keptBody(tag: string): string | undefined {
  const kept = bodies.get(tag)
  if (kept === undefined) return undefined
  bodies.delete(tag)
  bodies.set(tag, kept)
  return kept.body
}

export function keepBody({ asked }: Freshness, tag: string, body: string): void {
  if (body.length > KEPT_BODY_CHARACTERS) return
  bodies.set(tag, { body, asked })
  tags.set(asked, tag)
  const [oldest] = bodies.size > KEPT_BODIES ? bodies : []
  if (oldest === undefined) return
  bodies.delete(oldest[0])
  if (tags.get(oldest[1].asked) === oldest[0]) tags.delete(oldest[1].asked)
}

/** Whether something is kept that an unchanged list would be answered with. */
export const mayBeKept = ({ asked }: Freshness): boolean => tags.has(asked)

export interface Freshness {
  /** Who asks what. */
  asked: string
  /** How things stand, as an SQL expression of a text. */
  stamp: RawBuilder<unknown>
}

/** What a viewer stands on: it falls when they lose an account, which moves no stamp of theirs any more. */
function standing(viewer: Viewer, account: string | undefined): RawBuilder<unknown> {
  if (seesAllCompanies(viewer)) return sql`0`
  const mine = principals(viewer)
  if (mine.length === 0) return sql`0`
  return account === undefined
    ? sql`(SELECT coalesce(sum(t.accounts), 0) FROM principal_totals t WHERE t.principal_id IN ${oneOf(mine)})`
    : sql`(SELECT count(*) FROM account_access g WHERE g.account_id = ${account} AND g.principal_id IN ${oneOf(mine)})`
}

/**
 * What decides whether a list is still as it was: the viewer, their rights and the query, and how the list's models stand inside
 * the viewer's scope. Undefined where nothing may be kept.
 */
export function freshnessOf<R extends { id: string }>(
  { viewer }: Context,
  table: Datatable<R>,
  query: Record<string, unknown>,
): Freshness | undefined {
  if (viewer.kind !== 'user') return undefined
  const account = accountOf(query)
  const inAccounts = table.model === 'accounts' || table.accountColumn !== undefined
  const models = [...new Set<string>([...table.stamps, ...(inAccounts ? ['accounts'] : [])])]
  const scope =
    account !== undefined
      ? sql`scope_id = ${account}`
      : seesAllCompanies(viewer)
        ? sql`true`
        : sql`scope_id IN ${oneOf([viewer.userId, viewer.companyId])}`
  const { userId, companyId, timezone, previousLoginAt, permissions } = viewer
  const parts = [table.model, userId, companyId, timezone, previousLoginAt?.getTime(), [...permissions].join(' '), JSON.stringify(query)]
  return {
    asked: createHash('sha1').update(parts.join('|')).digest('base64url'),
    stamp: sql`((SELECT coalesce(sum(stamp), 0)::bigint FROM change_stamps
      WHERE model IN (${sql.join(models)}) AND (${scope} OR scope_id = '00000000-0000-0000-0000-000000000000'))
      || ' ' || ${standing(viewer, account)}::bigint)`,
  }
}

/** The tag of a list whose stamp was read before, or with, its rows: a change in between makes the next answer new. */
export const tagOf = ({ asked }: Freshness, stamp: string): string =>
  `"${createHash('sha1').update(`${asked} ${stamp}`).digest('base64url')}"`

/** The tag of a list as it stands. */
export async function listTag(ctx: Context, freshness: Freshness): Promise<string> {
  const [row] = await runStatement(ctx, sql<{ stamp: string }>`SELECT ${freshness.stamp} AS stamp`)
  return tagOf(freshness, row?.stamp ?? '')
}
