import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { ACCESS_TOKEN_IDLE_MS, MINUTE_MS } from '#contract/limits.ts'
import { ANONYMOUS, personColumns, viewerOf, type PersonRow, type Viewer } from '#server/access/viewer.ts'
import { unauthenticated } from '#server/kernel/errors.ts'
import type { Services } from '../context.ts'
import { runStatement } from '../datatable/statements.ts'

const TOKEN = /^Bearer ([A-Za-z0-9_-]{20,200})$/
const TOUCH_AFTER_MS = MINUTE_MS

export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest()

/** The bearer token of an Authorization header; undefined when there is none or it is malformed. */
export const bearer = (header: string | undefined): string | undefined => (header === undefined ? undefined : TOKEN.exec(header)?.[1])

interface SessionRow extends PersonRow {
  session_id: string
  session_kind: string
  last_used_at: Date
}

/**
 * Who is calling: one indexed read, so that a revocation counts from its commit on. The sliding end of a session is moved at
 * most once a minute, and only by `use`: looking whether a session still stands does not keep it alive. Throws
 * `unauthenticated` for a token that is malformed, unknown, expired or revoked.
 */
export async function authenticate(
  services: Pick<Services, 'db' | 'pool'>,
  header: string | undefined,
  now: Date,
  kind: 'use' | 'look' = 'use',
): Promise<Viewer> {
  if (header === undefined) return ANONYMOUS
  const token = bearer(header)
  if (token === undefined) throw unauthenticated()
  const idleSince = new Date(now.getTime() - ACCESS_TOKEN_IDLE_MS)
  const rows = await runStatement(
    services,
    sql<SessionRow>`SELECT s.id AS session_id, s.kind AS session_kind, s.last_used_at, ${personColumns}
    FROM sessions s JOIN users u ON u.id = s.user_id JOIN companies c ON c.id = u.company_id
    WHERE s.access_hash = ${hashToken(token)} AND s.revoked_at IS NULL AND s.expires_at > ${now} AND s.last_used_at > ${idleSince}
      AND u.deleted_at IS NULL AND c.deleted_at IS NULL`,
  )
  const row = rows[0]
  if (row === undefined) throw unauthenticated()
  if (kind === 'use' && now.getTime() - row.last_used_at.getTime() > TOUCH_AFTER_MS) {
    await sql`UPDATE sessions SET last_used_at = ${now} WHERE id = ${row.session_id} AND last_used_at < ${now}`.execute(services.db)
  }
  return viewerOf(row, { id: row.session_id, challenged: row.session_kind === 'challenge' })
}
