import { sql, type SqlBool } from 'kysely'
import { UPLOAD_ONLY_ROLE } from '#contract/default-roles.ts'
import type { PermissionName } from '#contract/permissions.ts'
import type { sharingCalls } from '#contract/sharing.ts'
import type { DataIn } from '#contract/route.ts'
import { visibleInvites, visibleLinks } from '#server/access/grants.ts'
import { fileInGrant, propertyInGrant } from '#server/access/link-scope.ts'
import { timezoneOf } from '#server/access/viewer.ts'
import type { Context } from '#server/engines/context.ts'
import { notFound } from '#server/kernel/errors.ts'
import { formatDateTime } from '#contract/format.ts'
import { nameOf } from './links.queries.ts'

type Grants = DataIn<typeof sharingCalls.visits>
type Visits = DataIn<typeof sharingCalls.visitsOf>

interface Row {
  id: string
  kind: Grants[number]['kind']
  label: string
  email: string | null
  opened: number
  viewed: number
  downloaded: number
  first_at: Date | null
  last_at: Date | null
  ended_at: Date | null
  changed_since: number | null
}

/** The permissions of the role of the invited person, or of visitors; null if the role has gone. */
const roleOf = sql`(SELECT jsonb_build_object('id', p.id, 'own_files', r.name = ${UPLOAD_ONLY_ROLE}, 'permissions', r.permissions)
  FROM roles r LEFT JOIN (user_roles x JOIN users p ON p.id = x.user_id AND p.kind = 'guest') ON x.role_id = r.id AND p.grant_id = account_grants.id
  WHERE CASE WHEN account_grants.kind = 'invite' THEN p.id IS NOT NULL ELSE r.name = 'share_guest' AND r.company_id IS NULL END LIMIT 1)`
const mayView = (permission: PermissionName) => sql<SqlBool>`coalesce(person.role->'permissions' ? ${permission}, false)`

/**
 * What the people of each invitation and link of an account have seen, those of the last visit first. Those that have ended are
 * included: what their people saw stays on record.
 */
export async function visitsOfAccount({ db, viewer, clock }: Context, accountId: string): Promise<Grants> {
  const shown = sql<SqlBool>`(${visibleLinks(viewer, 'account_grants', 'any')} OR ${visibleInvites(viewer, 'account_grants', 'any')})`
  const { rows } =
    await sql<Row>`SELECT account_grants.id, account_grants.kind, account_grants.label, account_grants.email::text AS email, v.*,
      ends.at AS ended_at, CASE WHEN ends.at IS NULL THEN
        (SELECT count(*) FROM account_files f WHERE f.account_id = account_grants.account_id AND f.deleted_at IS NULL AND NOT f.private
          AND f.updated_at > v.last_at AND ${mayView('view_account_files')} AND ${fileInGrant('account_grants', 'f')}
          AND (NOT (person.role->'own_files')::boolean OR f.created_by = (person.role->>'id')::uuid))::int
        + (SELECT count(*) FROM account_properties p WHERE p.account_id = account_grants.account_id AND p.deleted_at IS NULL
          AND p.updated_at > v.last_at AND ${mayView('view_account_properties')} AND ${propertyInGrant('account_grants', 'p.id')})::int
      END AS changed_since
    FROM account_grants CROSS JOIN LATERAL (SELECT count(*) FILTER (WHERE what = 'opened')::int AS opened,
        count(*) FILTER (WHERE what = 'viewed')::int AS viewed, count(*) FILTER (WHERE what = 'downloaded')::int AS downloaded,
        min(at) AS first_at, max(at) AS last_at FROM grant_visits WHERE grant_visits.grant_id = account_grants.id) v
      CROSS JOIN LATERAL (SELECT ${roleOf} AS role) person
      CROSS JOIN LATERAL (SELECT CASE WHEN expires_at <= ${clock.now()} THEN least(revoked_at, expires_at) ELSE revoked_at END AS at) ends
    WHERE account_grants.account_id = ${accountId} AND ${shown}
    ORDER BY v.last_at DESC NULLS LAST, account_grants.created_at DESC`.execute(db)
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind,
    name: nameOf(row),
    state: row.last_at === null ? 'not_opened' : 'opened',
    opened: row.opened,
    viewed: row.viewed,
    downloaded: row.downloaded,
    first_at: row.first_at?.toISOString() ?? null,
    last_at: row.last_at?.toISOString() ?? null,
    ended_at: row.ended_at?.toISOString() ?? null,
    changed_since: row.last_at === null ? null : row.changed_since,
  }))
}

const SHOWN_MAX = 1_000

/** The latest visits of one invitation or link, and how many there are. Throws `notFound` unless the viewer sees it. */
export async function visitsOfGrant(ctx: Context, accountId: string, grantId: string): Promise<{ visits: Visits; total: number }> {
  const grants = await visitsOfAccount(ctx, accountId)
  if (!grants.some(({ id }) => id === grantId)) throw notFound('Invitation or link')
  const rows = await ctx.db
    .selectFrom('grant_visits')
    .select(['id', 'at', 'what', 'item_name', 'person', 'network', sql<number>`(count(*) OVER ())::int`.as('total')])
    .where('grant_id', '=', grantId)
    .orderBy('at', 'desc')
    .limit(SHOWN_MAX)
    .execute()
  const visits = rows.map(({ id, at, what, item_name: item, person, network }) => ({
    id,
    at: at.toISOString(),
    what: what as Visits[number]['what'], // checked by the table
    item,
    person,
    address: network,
  }))
  return { visits, total: rows[0]?.total ?? 0 }
}

/** All visits of an account as the lines of a table, the first of which names the columns. */
export async function visitLines(ctx: Context, accountId: string): Promise<string[][]> {
  const grants = await visitsOfAccount(ctx, accountId)
  const byId = new Map(grants.map((grant) => [grant.id, grant]))
  const visits = await ctx.db
    .selectFrom('grant_visits')
    .select(['grant_id', 'at', 'what', 'item_name', 'person', 'network'])
    .where('account_id', '=', accountId)
    .orderBy('at')
    .execute()
  const zone = timezoneOf(ctx.viewer)
  const lines = visits.flatMap(({ grant_id, at, what, item_name, person, network }) => {
    const grant = byId.get(grant_id)
    if (grant === undefined) return []
    const ended = grant.ended_at === null ? '' : formatDateTime(grant.ended_at, zone)
    return [[formatDateTime(at.toISOString(), zone), grant.name, person, what, item_name ?? '', network, ended]]
  })
  return [['Time', 'Invitation or link', 'Person', 'What', 'Document', 'Network', 'Access ended'], ...lines]
}
