import { sql } from 'kysely'
import type { Account } from '#contract/accounts.ts'
import { formatDate } from '#contract/format.ts'
import type { Context } from '#server/engines/context.ts'

interface Row {
  email: string
  created_at: Date
  expires_at: Date | null
  sender: string | null
  sender_email: string | null
  cell_phone: string | null
  sender_company: string | null
}

/** The invitation by which the viewer sees the account, as the account shows it; nulls for all other viewers. */
export async function ownInvitation({ db, viewer }: Context): Promise<Pick<Account, 'invite' | 'via_invite'>> {
  if (viewer.kind !== 'user' || viewer.via?.kind !== 'invite') return { invite: null, via_invite: null }
  const { rows } = await sql<Row>`SELECT g.email::text AS email, g.created_at, g.expires_at, u.full_name AS sender,
      u.email::text AS sender_email, u.cell_phone, c.name AS sender_company
    FROM account_grants g LEFT JOIN users u ON u.id = g.created_by AND u.deleted_at IS NULL LEFT JOIN companies c ON c.id = u.company_id
    WHERE g.id = ${viewer.via.grantId} AND g.kind = 'invite'`.execute(db)
  const [row] = rows
  if (row === undefined) return { invite: null, via_invite: null }
  const date = (at: Date) => formatDate(at.toISOString(), viewer.timezone)
  const sender = row.sender ?? viewer.companyName
  return {
    via_invite: {
      invited_user: { email: row.email },
      invited_by: sender,
      expires_at: { date: row.expires_at?.toISOString() ?? null, human: row.expires_at === null ? 'Never' : date(row.expires_at) },
    },
    invite: {
      created_by_formatted: sender,
      created_at_formatted: date(row.created_at),
      created_at: row.created_at.toISOString(),
      created_by_user:
        row.sender_email === null
          ? null
          : { email: row.sender_email, cell_phone: row.cell_phone, company: { name: row.sender_company ?? viewer.companyName } },
    },
  }
}
