import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { ACCESS_TOKEN_IDLE_MS, MINUTE_MS } from '#contract/limits.ts'
import { companiesLockedOut } from '#server/access/emergency-administrators.ts'
import {
  ANONYMOUS,
  isActive,
  hasAdministrator,
  loadViewer,
  personColumns,
  viewerOf,
  type PersonRow,
  type SignedIn,
  type Viewer,
} from '#server/access/viewer.ts'
import { runPrepared } from '#server/db/prepared.ts'
import { conflict, forbidden, unauthenticated } from '#server/kernel/errors.ts'
import { isUuid } from '#server/kernel/uuid.ts'
import type { CachedSession } from '../caches.ts'
import type { Context, Services, WriteContext } from '../context.ts'

const TOKEN = /^Bearer ([A-Za-z0-9_-]{20,200})$/i
const TOUCH_AFTER_MS = MINUTE_MS

export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest()

interface SessionRow extends PersonRow {
  sessionId: string
  familyId: string
  sessionKind: 'user' | 'challenge' | 'preview'
  lastUsedAt: Date
  expiresAt: Date
  /** The session that this one replaces, before its first call. */
  replaces: string | null
}

/**
 * Resolves an Authorization header to a viewer. The session is extended, at most once a minute, to the time at which its user was last
 * active; without one it is not. Throws `unauthenticated` for a token that is malformed, unknown, expired or revoked.
 */
export async function authenticate(services: Services, header: string | undefined, now: Date, activeAt?: Date): Promise<Viewer> {
  if (header === undefined) return ANONYMOUS
  const token = TOKEN.exec(header)?.[1]
  if (token === undefined) throw unauthenticated()
  const hash = hashToken(token)
  const digest = hash.toString('base64url')
  const session = services.sessionCache.get(digest) ?? (await readSession(services, hash, digest))
  if (session === undefined || session.expiresAt <= now || isIdle(session, now)) throw unauthenticated()
  if (activeAt !== undefined && activeAt.getTime() - session.lastUsedAt.getTime() > TOUCH_AFTER_MS) await touch(services, session, activeAt)
  return session.viewer
}

/** People from outside read for as long as they like: their sessions end at a fixed time. */
const isIdle = ({ viewer, lastUsedAt }: CachedSession, now: Date): boolean =>
  viewer.via === undefined && now.getTime() - lastUsedAt.getTime() >= ACCESS_TOKEN_IDLE_MS

/** The viewer of a call that only signed-in users can make. */
export function signedIn({ viewer }: Context): SignedIn {
  if (viewer.kind !== 'user') throw unauthenticated()
  return viewer
}

async function readSession(services: Services, hash: Buffer, digest: string): Promise<CachedSession | undefined> {
  const generation = services.sessionCache.generation()
  const [row] = await runPrepared(
    services,
    sql<SessionRow>`SELECT s.id AS "sessionId", s.family_id AS "familyId", s.kind AS "sessionKind", s.last_used_at AS "lastUsedAt", s.expires_at AS "expiresAt", s.replaces, ${personColumns}
    FROM sessions s JOIN users u ON u.id = s.user_id JOIN companies c ON c.id = u.company_id
    WHERE s.access_hash = ${hash} AND s.revoked_at IS NULL AND ${isActive}`,
  )
  if (row === undefined) return undefined
  const { sessionId, familyId, sessionKind, lastUsedAt, expiresAt, replaces, ...person } = row
  if (replaces !== null) await replace(services, sessionId, replaces)
  const viewer = viewerOf(person, { id: sessionId, familyId, kind: sessionKind })
  const session = { viewer, lastUsedAt, expiresAt }
  services.sessionCache.set(digest, session, generation)
  return session
}

/** The user of a sign-in while one of its sessions is open. Signed links end with it. */
export async function viewerOfFamily(services: Services, familyId: string): Promise<SignedIn | undefined> {
  if (!isUuid(familyId)) return undefined
  const [row] = await runPrepared(
    services,
    sql<Pick<SessionRow, 'sessionId' | 'sessionKind'> & PersonRow>`SELECT s.id AS "sessionId", s.kind AS "sessionKind", ${personColumns}
    FROM sessions s JOIN users u ON u.id = s.user_id JOIN companies c ON c.id = u.company_id
    WHERE s.family_id = ${familyId} AND s.kind <> 'challenge' AND s.revoked_at IS NULL AND s.expires_at > ${services.clock.now()}
      AND ${isActive} LIMIT 1`,
  )
  if (row === undefined) return undefined
  const { sessionId, sessionKind, ...person } = row
  return viewerOf(person, { id: sessionId, familyId, kind: sessionKind })
}

/**
 * For writes that change what users can do, at the start of their transaction. Such writes run one at a time, and the rights that a call
 * was admitted with are read again: users who take the rights from each other at one moment must not both succeed, and a password that was
 * just replaced must not confirm a second change. Throws `unauthenticated` if the session has ended since, `forbidden` if a permission was
 * taken.
 */
export async function requireCurrentRights({ db, viewer }: WriteContext): Promise<void> {
  if (viewer.kind !== 'user') return
  await sql`SELECT pg_advisory_xact_lock(hashtextextended('rights of users', 0))`.execute(db)
  if (viewer.sessionId !== undefined) {
    const session = db.selectFrom('sessions').select('id').where('id', '=', viewer.sessionId).where('revoked_at', 'is', null)
    // Waits for a change outside these writes that ends the session, such as a password reset.
    if ((await session.forShare().executeTakeFirst()) === undefined) throw unauthenticated()
  }
  const current = await loadViewer(db, viewer.userId)
  if (current === undefined) throw unauthenticated()
  if (![...viewer.permissions].every((name) => current.permissions.has(name))) throw forbidden()
}

/**
 * Runs a write that changes what users can do, after `requireCurrentRights`. Throws `conflict` if no user would remain who can manage all
 * users and roles: the installation could not be repaired from within.
 */
export async function changingRights<T>(tx: WriteContext, write: () => Promise<T>): Promise<T> {
  await requireCurrentRights(tx)
  if (tx.viewer.kind !== 'user') return write()
  const [hadAdministrator, lockedOut] = [await hasAdministrator(tx.db), await companiesLockedOut(tx.db)]
  const result = await write()
  if (hadAdministrator && !(await hasAdministrator(tx.db))) throw conflict(LAST_ADMINISTRATOR)
  const company = (await companiesLockedOut(tx.db)).find(({ id, isLive }) => isLive && !lockedOut.some((before) => before.id === id))
  if (company !== undefined) throw conflict(lastEmergencyAdministrator(company.name))
  return result
}

const lastEmergencyAdministrator = (company: string): string =>
  `${company} allows only single sign-on, and this user is its emergency administrator. Name another one in its single sign-on first.`

const LAST_ADMINISTRATOR = 'No active user would remain who can manage all users and roles. Give another user these permissions first.'

/**
 * The first call with a new token shows that the answer with it arrived: only then does the old one end. It stays valid for a minute, because
 * calls in progress in other tabs still carry it.
 */
async function replace({ db, clock }: Services, id: string, old: string): Promise<void> {
  const end = new Date(clock.now().getTime() + MINUTE_MS)
  await sql`WITH used AS (UPDATE sessions SET replaces = NULL WHERE id = ${id} AND replaces = ${old} RETURNING id)
    UPDATE sessions SET expires_at = ${end} WHERE id = ${old} AND expires_at > ${end} AND EXISTS (SELECT 1 FROM used)`.execute(db)
}

async function touch({ db }: Pick<Services, 'db'>, session: CachedSession, now: Date): Promise<void> {
  session.lastUsedAt = now
  await sql`UPDATE sessions SET last_used_at = ${now} WHERE id = ${session.viewer.sessionId} AND last_used_at < ${now}`.execute(db)
}
