import { createHash } from 'node:crypto'
import { sql, type RawBuilder } from 'kysely'
import { isoDateIn } from '#contract/format.ts'
import { ACCOUNT_MODEL, type Model } from '#contract/models.ts'
import { ALL_SCOPE, EVERY_SCOPE, oneOf, principals, seesAllCompanies, seesAllOf } from '#server/access/scope.ts'
import type { Viewer } from '#server/access/viewer.ts'
import { runPrepared } from '#server/db/prepared.ts'
import { unauthenticated } from '#server/kernel/errors.ts'
import type { Context } from '../context.ts'
import { accountOf } from './conditions.ts'
import type { Datatable } from './define-datatable.ts'
import { openedVersion } from './new-rows.ts'

/** What identifies one viewer's request for a list, and the SQL that says in which version the list is. */
export interface ListRequest {
  /** A hash of viewer, rights and query. */
  requestKey: string
  /** A text that changes with every change the list may show. */
  version: RawBuilder<unknown>
}

/**
 * The sum of the models' versions in the scope of a query: an account, the viewer's lists or all. `everywhere` counts in every scope. A
 * list shows names of users and companies of any scope, so their version (`account_names`, raised by triggers) counts in each list.
 */
function versionsIn(viewer: Viewer, models: readonly Model[], account: string | undefined): RawBuilder<number> {
  const scope =
    account !== undefined
      ? sql`scope_id = ${account}`
      : viewer.kind !== 'user' || models.some((model) => seesAllOf(viewer, model))
        ? sql`scope_id = ${sql.lit(ALL_SCOPE)}`
        : sql`scope_id IN ${oneOf([viewer.userId, viewer.companyId])}`
  return sql<number>`(SELECT coalesce(sum(version), 0)::bigint FROM list_versions
    WHERE model IN (${sql.join(models)}, 'account_names') AND (${scope} OR scope_id = ${sql.lit(EVERY_SCOPE)}))`
}

/**
 * Losing an account changes no version in the viewer's scope, so the fingerprint includes the number of accessible accounts. In the scope
 * of an account it is not needed: a change of who has access raises the account's version there, or `account_names`.
 */
function accessFingerprint(viewer: Viewer, account: string | undefined): RawBuilder<unknown> {
  if (account !== undefined || seesAllCompanies(viewer)) return sql`0`
  return sql`(SELECT coalesce(sum(t.accounts), 0) FROM principal_totals t WHERE t.principal_id IN ${oneOf(principals(viewer))})`
}

/** A text that changes with every change of the models that the viewer can see, and with the accounts that the viewer can see. */
export const versionOf = (viewer: Viewer, models: readonly Model[], account: string | undefined): RawBuilder<string> =>
  sql<string>`(${versionsIn(viewer, models, account)} || ' ' || ${accessFingerprint(viewer, account)}::bigint)`

/** @throws AppError unauthenticated: only signed-in users have list versions. */
export function listRequest({ viewer, clock }: Context, table: Datatable, query: Record<string, unknown>): ListRequest {
  if (viewer.kind !== 'user') throw unauthenticated()
  const account = accountOf(table, query)
  const models = [...new Set([...table.dependsOn, ...(table.accountColumn === undefined ? [] : [ACCOUNT_MODEL])])]
  const shared = versionOf(viewer, models, account)
  const version = table.marksNew === true ? sql`(${shared} || ' ' || ${openedVersion(viewer.userId)})` : shared
  const date = table.dependsOnDate ? [isoDateIn(clock.now(), viewer.timezone)] : []
  const parts = [table.model, viewer.rightsKey, query, ...date]
  return {
    requestKey: createHash('sha1').update(JSON.stringify(parts)).digest('base64url'),
    version: table.changes === undefined ? version : sql`(${version} || ' ' || ${table.changes(account)})`,
  }
}

/** The ETag of a list in a version that was read before, or together with, its rows: a change in between makes the next one new. */
export const etagOf = ({ requestKey }: ListRequest, version: string): string => contentEtag(`${requestKey} ${version}`)

/** The ETag of an answer with this text. */
export const contentEtag = (text: string): string => `"${createHash('sha1').update(text).digest('base64url')}"`

/** The ETag of a list as it is now. */
export async function currentEtag(ctx: Context, request: ListRequest): Promise<string> {
  const rows = await runPrepared(ctx, sql<{ version: string }>`SELECT ${request.version} AS version`)
  const [{ version }] = rows as [{ version: string }] // a SELECT without FROM has one row
  return etagOf(request, version)
}
