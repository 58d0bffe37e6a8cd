import { sql, type Kysely, type Transaction } from 'kysely'
import { isPermission, type PermissionName } from '#contract/permissions.ts'
import type { DB } from '#server/db/schema.gen.ts'

/** A request without a session. */
export interface Anonymous {
  kind: 'anonymous'
}

/** The product itself: jobs, seeds and nightly work. Sees everything and passes every permission check. */
export interface System {
  kind: 'system'
}

export interface SignedIn {
  kind: 'user'
  userId: string
  fullName: string
  firstName: string
  lastName: string
  email: string
  companyId: string
  companyName: string
  timezone: string
  roles: readonly { id: string; name: string; label: string }[]
  permissions: ReadonlySet<PermissionName>
  previousLoginAt: Date | null
  /** The second factor is pending: only calls with `duringChallenge` are allowed. */
  challenged: boolean
  /** Absent when a job acts for the user. */
  sessionId?: string
}

export type Viewer = Anonymous | System | SignedIn

export const ANONYMOUS: Anonymous = { kind: 'anonymous' }
export const SYSTEM: System = { kind: 'system' }

export function can(viewer: Viewer, permission: PermissionName): boolean {
  switch (viewer.kind) {
    case 'anonymous':
      return false
    case 'system':
      return true
    case 'user':
      return !viewer.challenged && viewer.permissions.has(permission)
    default:
      return viewer satisfies never
  }
}

export const viewerId = (viewer: Viewer): string | null => (viewer.kind === 'user' ? viewer.userId : null)
export const viewerName = (viewer: Viewer, product = 'The system'): string => (viewer.kind === 'user' ? viewer.fullName : product)

type Reader = Kysely<DB> | Transaction<DB>

interface PersonRow {
  user_id: string
  first_name: string
  last_name: string
  full_name: string
  email: string
  company_id: string
  company_name: string
  timezone: string
  previous_login_at: Date | null
  roles: { id: string; name: string; label: string; permissions: string[] }[] | null
}

/** The columns of a viewer, from `users u` joined with `companies c`. */
export const personColumns = sql`u.id AS user_id, u.first_name, u.last_name, u.full_name, u.email::text AS email, u.company_id,
  c.name AS company_name, c.timezone, u.previous_login_at,
  (SELECT jsonb_agg(jsonb_build_object('id', r.id, 'name', r.name, 'label', r.label, 'permissions', r.permissions) ORDER BY r.label)
     FROM user_roles x JOIN roles r ON r.id = x.role_id AND r.deleted_at IS NULL WHERE x.user_id = u.id) AS roles`

export function viewerOf(row: PersonRow, session?: { id: string; challenged: boolean }): SignedIn {
  const roles = row.roles ?? []
  return {
    kind: 'user',
    userId: row.user_id,
    fullName: row.full_name,
    firstName: row.first_name,
    lastName: row.last_name,
    email: row.email,
    companyId: row.company_id,
    companyName: row.company_name,
    timezone: row.timezone,
    roles: roles.map(({ id, name, label }) => ({ id, name, label })),
    permissions: new Set(roles.flatMap((role) => role.permissions).filter(isPermission)),
    previousLoginAt: row.previous_login_at,
    challenged: session?.challenged ?? false,
    ...(session === undefined ? {} : { sessionId: session.id }),
  }
}

/** The user that a job acts for; undefined if the user or their company was deleted since. */
export async function loadViewer(db: Reader, userId: string): Promise<SignedIn | undefined> {
  const { rows } = await sql<PersonRow>`SELECT ${personColumns} FROM users u JOIN companies c ON c.id = u.company_id
    WHERE u.id = ${userId} AND u.deleted_at IS NULL AND c.deleted_at IS NULL`.execute(db)
  const row = rows[0]
  return row === undefined ? undefined : viewerOf(row)
}

export type { PersonRow, Reader }

const DEFAULT_TIMEZONE = 'America/New_York'

/** The time zone of the viewer's company, in which dates are shown. */
export const timezoneOf = (viewer: Viewer): string => (viewer.kind === 'user' ? viewer.timezone : DEFAULT_TIMEZONE)
