import { sql, type Expression, type SqlBool } from 'kysely'
import { viewerId } from '#server/access/viewer.ts'
import type { Context } from '#server/engines/context.ts'
import { fileTotals, type FileTotals } from './visible-totals.ts'

export interface AccountRecord extends FileTotals {
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

export async function loadAccounts({ db, viewer }: Context, where: Expression<SqlBool>): Promise<AccountRecord[]> {
  const { rows } = await sql<AccountRecord>`SELECT accounts.*, c.name AS company_name,
      s.name AS status_name, s.color AS status_color, s.state AS status_state,
      coalesce(b.name, accounts.broker_name) AS broker_name, coalesce(r.name, accounts.carrier_name) AS carrier_name,
      u.full_name AS creator_name, u.email::text AS creator_email, uc.name AS managed_by,
      (SELECT count(*) FROM account_users x WHERE x.account_id = accounts.id) AS users,
      EXISTS (SELECT 1 FROM account_favorites f WHERE f.account_id = accounts.id AND f.user_id = ${viewerId(viewer)}) AS favorite,
      t.active_properties, t.divested_properties, t.tiv, k.*
    FROM accounts
    JOIN companies c ON c.id = accounts.company_id
    JOIN account_totals t ON t.account_id = accounts.id
    CROSS JOIN LATERAL (${fileTotals(viewer)}) k
    LEFT JOIN statuses s ON s.id = accounts.status_id
    LEFT JOIN companies b ON b.id = accounts.broker_company_id
    LEFT JOIN companies r ON r.id = accounts.carrier_company_id
    LEFT JOIN users u ON u.id = accounts.created_by
    LEFT JOIN companies uc ON uc.id = u.company_id
    WHERE ${where}`.execute(db)
  return rows
}

/** The statuses that the account can have, in order. */
export async function accountStatuses(ctx: Context, account: Pick<AccountRecord, 'company_id' | 'type'>) {
  return ctx.db
    .selectFrom('statuses')
    .select(['id', 'name', 'color', 'state'])
    .where('company_id', '=', account.company_id)
    .where('model_type', '=', account.type === 'standard' ? 'account' : 'simple_account')
    .orderBy('position')
    .execute()
}
