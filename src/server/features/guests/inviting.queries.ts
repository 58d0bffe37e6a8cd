import { sql } from 'kysely'
import { formatDate } from '#contract/format.ts'
import type { Inviting } from '#contract/guests.ts'
import type { Context } from '#server/engines/context.ts'
import { logoUrl } from '../companies/logos.commands.ts'

/** Who sent the account of this session; null for users, and where the sender's account has gone. */
export async function inviting({ db, viewer }: Context): Promise<Inviting | null> {
  if (viewer.kind !== 'user' || viewer.via === undefined) return null
  const { rows } = await sql<{
    full_name: string | null
    email: string | null
    phone: string | null
    company: string
    sent: Date
    logo_id: string | null
    timezone: string
  }>`SELECT u.full_name, u.email, u.cell_phone AS phone, c.name AS company, coalesce(g.sent_at, g.created_at) AS sent, c.logo_id, c.timezone
    FROM account_grants g JOIN accounts a ON a.id = g.account_id JOIN companies c ON c.id = a.company_id
      LEFT JOIN users u ON u.id = g.created_by AND u.deleted_at IS NULL WHERE g.id = ${viewer.via.grantId}`.execute(db)
  const [row] = rows
  if (row === undefined) return null
  const { full_name, company, sent, logo_id, timezone, ...contact } = row
  return {
    ...contact,
    full_name: full_name ?? company,
    company,
    date: formatDate(sent.toISOString(), timezone),
    logo_url: logoUrl(logo_id),
  }
}
