import { createHash } from 'node:crypto'
import { sql, type Kysely, type SqlBool, type Transaction } from 'kysely'
import { isPermission, type PermissionName } from '#contract/permissions.ts'
import type { DB } from '#server/db/schema.gen.ts'
import { NIL_UUID } from '#server/kernel/uuid.ts'
import { guestPermissions } from './guest-permissions.ts'

/** How a person from outside came in. Their session shows this one account. */
export interface Via {
  kind: 'invite' | 'share'
  grantId: string
  accountId: string
  /** A user of the account views it as the person does. Nothing can be changed. */
  preview: boolean
  /** Of a link that shows a part of the account. */
  scope?: LinkScope
}

/** The part of an account that a link shows. */
export interface LinkScope {
  /** Only the properties in `grant_properties`. */
  choosesProperties: boolean
  /** The categories of documents; null for all. */
  categories: readonly string[] | null
  /** With chosen properties: whether documents that are linked to no property are shown. */
  unlinkedFiles: boolean
  /** Changes with the chosen properties. */
  key: string | null
  /** In place of `grant_properties`: the properties that were chosen when a package was requested. */
  properties?: readonly string[] | undefined
}

export interface SignedIn {
  kind: 'user'
  userId: string
  fullName: string
  firstName: string
  lastName: string
  email: string
  /** That of no company for people from outside, so that nothing of the company is theirs. */
  companyId: string
  companyName: string
  /** The logo of the company. */
  logoId: string | null
  timezone: string
  roles: readonly { id: string; name: string; label: string }[]
  permissions: ReadonlySet<PermissionName>
  previousLoginAt: Date | null
  /** The second factor is pending: only calls with `duringChallenge` are allowed. */
  challenged: boolean
  /** Absent when a job acts for the user. */
  sessionId?: string
  /** All sessions of one sign-in have the same. */
  familyId?: string
  /** A hash of what decides which answers the user gets: the user, company, time zone, roles and permissions. */
  rightsKey: string
  /** Only of people from outside. */
  via?: Via
}

/** A request without a session. */
export const ANONYMOUS = { kind: 'anonymous' } as const
/** The product itself: jobs, seeds and nightly work. Sees everything and passes every permission check. */
export const SYSTEM = { kind: 'system' } as const

export type Viewer = typeof ANONYMOUS | typeof SYSTEM | SignedIn

export const can = (viewer: Viewer, permission: PermissionName): boolean =>
  viewer.kind === 'system' || (viewer.kind === 'user' && !viewer.challenged && viewer.permissions.has(permission))

/** How the viewer came in from outside; undefined for all others. */
export const viaOf = (viewer: Viewer): Via | undefined => (viewer.kind === 'user' ? viewer.via : undefined)
export const viewerId = (viewer: Viewer): string | null => (viewer.kind === 'user' ? viewer.userId : null)
/** The sign-in of the viewer, with which signed links end. */
export const familyOf = (viewer: Viewer): string | undefined => (viewer.kind === 'user' ? viewer.familyId : undefined)
/** Who did something, in activity lines. The name of an invited person is what the inviter typed, so their address is given. */
export function viewerName(viewer: Viewer, product = 'The system'): string {
  if (viewer.kind !== 'user') return product
  return viewer.via?.kind === 'invite' ? `${viewer.email} (guest)` : viewer.fullName
}

export type Reader = Kysely<DB> | Transaction<DB>

/** A signed-in user as `personColumns` reads it. */
export interface PersonRow extends Omit<
  SignedIn,
  'kind' | 'roles' | 'permissions' | 'challenged' | 'sessionId' | 'familyId' | 'rightsKey' | 'via'
> {
  roles: { id: string; name: string; label: string; permissions: string[] }[]
  /** Changes with the subscription of the company, which every page shows; null without one. */
  subscription: string | null
  /** Of people from outside. */
  grant: { id: string; accountId: string; mayDownload: boolean; kind: 'guest' | 'visitor'; scope: LinkScope | null } | null
}

/** What the grant `g` shows, as a `LinkScope`; null for everything. */
export const scopeColumn = sql`CASE WHEN NOT g.all_properties OR g.categories IS NOT NULL THEN jsonb_build_object(
  'choosesProperties', NOT g.all_properties, 'categories', g.categories, 'unlinkedFiles', g.unlinked_files,
  'key', (SELECT md5(string_agg(x.property_id::text, ',' ORDER BY x.property_id)) FROM grant_properties x WHERE x.grant_id = g.id)) END`

/** The columns of a viewer, from `users u` joined with `companies c`. */
export const personColumns = sql`u.id AS "userId", u.first_name AS "firstName", u.last_name AS "lastName", u.full_name AS "fullName",
  u.email::text AS email, u.company_id AS "companyId", c.name AS "companyName", c.logo_id AS "logoId", c.timezone, u.previous_login_at AS "previousLoginAt",
  (SELECT concat_ws(' ', x.subscription_id, x.created_at, x.term_months) FROM company_subscriptions x WHERE x.company_id = c.id) AS subscription,
  (SELECT jsonb_build_object('id', g.id, 'accountId', g.account_id, 'mayDownload', g.may_download, 'kind', u.kind, 'scope', ${scopeColumn})
     FROM account_grants g WHERE g.id = u.grant_id) AS "grant",
  coalesce((SELECT jsonb_agg(jsonb_build_object('id', r.id, 'name', r.name, 'label', r.label, 'permissions', r.permissions) ORDER BY r.label)
     FROM user_roles x JOIN roles r ON r.id = x.role_id AND r.deleted_at IS NULL WHERE x.user_id = u.id), '[]') AS roles`

interface SessionOf {
  id: string
  familyId: string
  kind: 'user' | 'challenge' | 'preview'
}

export function viewerOf({ roles, subscription, grant, ...person }: PersonRow, session?: SessionOf): SignedIn {
  const given = roles.flatMap((role) => role.permissions).filter(isPermission)
  const preview = session?.kind === 'preview'
  const rights = [person.userId, person.companyId, person.timezone, person.previousLoginAt, roles, subscription, grant, preview]
  return {
    ...person,
    ...(grant && {
      companyId: NO_COMPANY,
      via: {
        kind: grant.kind === 'guest' ? 'invite' : 'share',
        grantId: grant.id,
        accountId: grant.accountId,
        preview,
        ...(grant.scope && { scope: grant.scope }),
      },
    }),
    kind: 'user',
    roles: roles.map(({ id, name, label }) => ({ id, name, label })),
    permissions: new Set(grant ? guestPermissions(given, { mayDownload: grant.mayDownload, seesAll: grant.scope === null }) : given),
    challenged: session?.kind === 'challenge',
    rightsKey: createHash('sha1').update(JSON.stringify(rights)).digest('base64url'),
    ...(session && { sessionId: session.id, familyId: session.familyId }),
  }
}

/** No company has this id. */
const NO_COMPANY = NIL_UUID

/** Whether the user `u` is a member of a company, not a person from outside. */
export const isMember = sql<SqlBool>`u.kind = 'member'`

/** Whether the grant `g` has not ended. */
export const isLiveGrant = sql<SqlBool>`(g.revoked_at IS NULL AND (g.expires_at IS NULL OR g.expires_at > now()))`

/**
 * Whether the user `u` of the company `c` can act: neither of them is deleted, the user is not deactivated, and what let a person from
 * outside in has not ended.
 */
export const isActive = sql<SqlBool>`u.deleted_at IS NULL AND u.deactivated_at IS NULL AND c.deleted_at IS NULL
  AND (u.grant_id IS NULL OR EXISTS (SELECT 1 FROM account_grants g WHERE g.id = u.grant_id AND ${isLiveGrant}))`

/** The user that a job acts for; undefined if the user is no longer active. */
export async function loadViewer(db: Reader, userId: string): Promise<SignedIn | undefined> {
  const [viewer] = await loadViewers(db, [userId])
  return viewer
}

/** Those of these users who are active. */
export async function loadViewers(db: Reader, userIds: readonly string[]): Promise<SignedIn[]> {
  const { rows } = await sql<PersonRow>`SELECT ${personColumns} FROM users u JOIN companies c ON c.id = u.company_id
    WHERE u.id = ANY(${`{${userIds.join(',')}}`}::uuid[]) AND ${isActive} ORDER BY u.id`.execute(db)
  return rows.map((row) => viewerOf(row))
}

/** What a user needs to repair the rights of all others. */
const ADMINISTRATION = [
  'view_all_system_users',
  'view_all_system_companies',
  'update_users',
  'view_all_roles',
  'update_roles',
] as const satisfies PermissionName[]

/** Whether an active user has all of these permissions, from any of their roles. */
export async function hasAdministrator(db: Reader): Promise<boolean> {
  const held = sql.join(
    ADMINISTRATION.map(
      (name) => sql`EXISTS (SELECT 1 FROM user_roles x JOIN roles r ON r.id = x.role_id AND r.deleted_at IS NULL
        WHERE x.user_id = u.id AND ${name} = ANY(r.permissions))`,
    ),
    sql` AND `,
  )
  const { rows } =
    await sql`SELECT 1 FROM users u JOIN companies c ON c.id = u.company_id WHERE ${isActive} AND ${isMember} AND ${held} LIMIT 1`.execute(
      db,
    )
  return rows.length > 0
}

const DEFAULT_TIMEZONE = 'America/New_York'

/** The time zone of the viewer's company, in which dates are shown. */
export const timezoneOf = (viewer: Viewer): string => (viewer.kind === 'user' ? viewer.timezone : DEFAULT_TIMEZONE)
