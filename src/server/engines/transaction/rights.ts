import { sql } from 'kysely'
import type { Services } from '../context.ts'

export const RIGHTS_CHANNEL = 'plumbline_rights'

/** Says that somebody lost a session or a right: every API process looks at its sockets again, as soon as this commits. */
export async function announceRights({ db }: Pick<Services, 'db'>): Promise<void> {
  await sql`SELECT pg_notify(${RIGHTS_CHANNEL}, '')`.execute(db)
}
