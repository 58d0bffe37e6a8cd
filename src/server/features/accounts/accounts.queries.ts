import { sql } from 'kysely'
import { visibleAccounts } from '#server/access/accounts.ts'
import { viewerId } from '#server/access/viewer.ts'
import type { Context } from '#server/engines/context.ts'
import { notFound } from '#server/kernel/errors.ts'
import { keptFiles, type KeptFiles } from './file-counts.ts'

export interface AccountRecord extends KeptFiles {
  id: string
  company_id: string
  company_name: string
  type: 'standard' | 'managed'
  name: string
  account_number: string | null
  status_id: string | null
  status_name: string | null
  status_color: string | null
  status_state: 'uploading' | 'processing' | 'active' | null
  broker_company_id: string | null
  broker_name: string | null
  carrier_company_id: string | null
  carrier_name: string | null
  effective_date: string | null
  expiration_date: string | null
  website: string | null
  meta: { label: string; value: string }[]
  file_retrieval_method: 'upload' | 'invite' | 'assisted'
  sharing_enabled: boolean
  send_new_files_notification: boolean
  show_vanity_by_default: boolean
  version: number
  created_by: string | null
  creator_name: string | null
  creator_email: string | null
  managed_by: string | null
  users: number
  favorite: boolean
  active_properties: number
  divested_properties: number
  tiv: number
  created_at: Date
  updated_at: Date
  deleted_at: Date | null
}

/** One account with everything its page shows; `notFound` when it is absent or not visible. */
export async function findAccount(ctx: Context, id: string, trashed: 'live' | 'any' = 'live'): Promise<AccountRecord> {
  const live = trashed === 'any' ? sql`true` : sql`accounts.deleted_at IS NULL`
  const { rows } = await sql<AccountRecord>`SELECT accounts.*, c.name AS company_name,
      s.name AS status_name, s.color AS status_color, s.state AS status_state,
      coalesce(b.name, accounts.broker_name) AS broker_name, coalesce(r.name, accounts.carrier_name) AS carrier_name,
      u.full_name AS creator_name, u.email::text AS creator_email, uc.name AS managed_by,
      (SELECT count(*) FROM account_users x WHERE x.account_id = accounts.id) AS users,
      EXISTS (SELECT 1 FROM account_favorites f WHERE f.account_id = accounts.id AND f.user_id = ${viewerId(ctx.viewer)}) AS favorite,
      t.active_properties, t.divested_properties, t.tiv, k.*
    FROM accounts
    JOIN companies c ON c.id = accounts.company_id
    JOIN account_totals t ON t.account_id = accounts.id
    CROSS JOIN LATERAL (${keptFiles(ctx.viewer)}) k
    LEFT JOIN statuses s ON s.id = accounts.status_id
    LEFT JOIN companies b ON b.id = accounts.broker_company_id
    LEFT JOIN companies r ON r.id = accounts.carrier_company_id
    LEFT JOIN users u ON u.id = accounts.created_by
    LEFT JOIN companies uc ON uc.id = u.company_id
    WHERE accounts.id = ${id} AND ${live} AND ${visibleAccounts(ctx.viewer)}`.execute(ctx.db)
  const record = rows[0]
  if (record === undefined) throw notFound('Account')
  return record
}

export async function accountStatuses(ctx: Context, account: Pick<AccountRecord, 'company_id' | 'type'>) {
  return ctx.db
    .selectFrom('statuses')
    .select(['id', 'name', 'color', 'state'])
    .where('company_id', '=', account.company_id)
    .where('model_type', '=', account.type === 'standard' ? 'account' : 'simple_account')
    .orderBy('position')
    .execute()
}
