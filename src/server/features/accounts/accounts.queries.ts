import { sql, type Expression, type RawBuilder, type Selectable, type SqlBool } from 'kysely'
import type { z } from 'zod'
import type { Status, StatusCount } from '#contract/statuses.ts'
import { seesFiles } from '#server/access/account-files.ts'
import { seesPrivateFiles, visibleAccounts } from '#server/access/accounts.ts'
import { EVERY_SCOPE } from '#server/access/scope.ts'
import { can, viewerId, type Viewer } from '#server/access/viewer.ts'
import { runPrepared } from '#server/db/prepared.ts'
import type { AccountTotals, Accounts } from '#server/db/schema.gen.ts'
import type { Context } from '#server/engines/context.ts'
import { fileTotals, registerTotals } from '#server/engines/metric/visible-totals.ts'
import { conflict } from '#server/kernel/errors.ts'

/** The stored totals of an account; `private_*` are the private ones among its documents. */
type Totals = Omit<Selectable<AccountTotals>, 'account_id'>
type Head = 'id' | 'company_id' | 'name' | 'account_number' | 'effective_date' | 'created_by' | 'created_at' | 'updated_at' | 'deleted_at'

/** What a list shows of an account. */
export interface AccountSummary extends Totals, Pick<Selectable<Accounts>, Head> {
  type: 'standard' | 'managed'
  company_name: string
  company_logo_id: string | null
  status_name: string | null
  status_color: string | null
  favorite: boolean
}

export interface AccountRecord extends AccountSummary, Omit<Selectable<Accounts>, 'type' | 'meta'> {
  file_retrieval_method: 'upload' | 'invite' | 'assisted'
  meta: { label: string; value: string }[]
  creator_name: string | null
  creator_email: string | null
  managed_by: string | null
  status_state: string | null
  users: number
  /** The secret of the share link, sealed; null without one. */
  share_sealed: Buffer | null
  /** Whether an invitation is live. */
  has_invite: boolean
  /** The statuses that the account can have, in order. */
  statuses: Status[]
}

const STATUS_MODEL = sql`CASE accounts.type WHEN 'standard' THEN 'account' ELSE 'simple_account' END`

const companyName = (id: RawBuilder<unknown>, otherwise: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`CASE WHEN ${id} IS NULL THEN ${otherwise} ELSE (SELECT x.name FROM companies x WHERE x.id = ${id}) END`

/**
 * Prepared, because planning it takes longer than running it. Subqueries for what few accounts have: a joined table costs time in each
 * call, also without a row.
 */
export async function loadAccounts(ctx: Context, where: Expression<SqlBool>): Promise<AccountRecord[]> {
  const { viewer } = ctx
  const me = viewerId(viewer)
  const rows = await runPrepared(
    ctx,
    sql<
      Omit<AccountRecord, 'status_name' | 'status_color' | 'status_state'>
    >`SELECT accounts.*, c.name AS company_name, c.logo_id AS company_logo_id,
      ${companyName(sql`accounts.broker_company_id`, sql`accounts.broker_name`)} AS broker_name,
      ${companyName(sql`accounts.carrier_company_id`, sql`accounts.carrier_name`)} AS carrier_name,
      u.full_name AS creator_name, u.email::text AS creator_email, uc.name AS managed_by,
      (SELECT count(*) FROM account_users x WHERE x.account_id = accounts.id) AS users,
      (SELECT g.token_sealed FROM account_grants g WHERE g.account_id = accounts.id AND g.kind = 'default_link'
        AND g.revoked_at IS NULL) AS share_sealed,
      EXISTS (SELECT 1 FROM account_grants g WHERE g.account_id = accounts.id AND g.kind = 'invite' AND g.revoked_at IS NULL
        AND (g.expires_at IS NULL OR g.expires_at > now())) AS has_invite,
      EXISTS (SELECT 1 FROM account_favorites f WHERE f.account_id = accounts.id AND f.user_id = ${me}) AS favorite,
      coalesce((SELECT json_agg(status) FROM (SELECT x.id, x.name, x.color, x.state FROM statuses x
        WHERE x.company_id = accounts.company_id AND x.model_type = ${STATUS_MODEL} ORDER BY x.position) status), '[]') AS statuses,
      r.*, k.*
    FROM accounts
    JOIN companies c ON c.id = accounts.company_id
    JOIN account_totals t ON t.account_id = accounts.id
    CROSS JOIN LATERAL (${registerTotals(viewer)}) r
    CROSS JOIN LATERAL (${fileTotals(viewer)}) k
    LEFT JOIN users u ON u.id = accounts.created_by
    LEFT JOIN companies uc ON uc.id = u.company_id
    WHERE ${where}`,
  )
  return rows.map((row) => {
    const status = row.statuses.find(({ id }) => id === row.status_id)
    return { ...row, status_name: status?.name ?? null, status_color: status?.color ?? null, status_state: status?.state ?? null }
  })
}

/**
 * The version of the account on its page: of its row and that of its totals (the system columns change with every write, also one that
 * raises no version), and of the names that are stored elsewhere. What else the page shows is fixed or comes from the session.
 */
export async function accountVersion(ctx: Context, id: string): Promise<string | undefined> {
  const [row] = await runPrepared(
    ctx,
    sql<{ version: string }>`SELECT concat_ws(' ', accounts.xmin, accounts.ctid, accounts.updated_at, t.xmin, t.ctid,
        (SELECT version FROM list_versions WHERE model = 'account_names' AND scope_id = ${sql.lit(EVERY_SCOPE)}),
        EXISTS (SELECT 1 FROM account_favorites f WHERE f.account_id = accounts.id AND f.user_id = ${viewerId(ctx.viewer)}),
        (SELECT concat(max(g.updated_at), count(*)) FROM account_grants g WHERE g.account_id = accounts.id AND g.revoked_at IS NULL
          AND (g.expires_at IS NULL OR g.expires_at > now()))) AS version
      FROM accounts JOIN account_totals t ON t.account_id = accounts.id
      WHERE accounts.id = ${id} AND accounts.deleted_at IS NULL AND ${visibleAccounts(ctx.viewer)}`,
  )
  return row?.version
}

/** The statuses of the accounts a viewer sees, with their numbers of accounts; those of the own company even if they have none. */
export async function statusCounts(ctx: Context): Promise<z.input<typeof StatusCount>[]> {
  const own = ctx.viewer.kind === 'user' ? ctx.viewer.companyId : null
  const { rows } = await sql<z.input<typeof StatusCount>>`
    WITH counted AS (
      SELECT accounts.status_id, count(*) AS count FROM accounts
        WHERE accounts.deleted_at IS NULL AND ${visibleAccounts(ctx.viewer)} GROUP BY 1
    )
    SELECT s.id, s.name, s.color, s.state, s.model_type, coalesce(c.count, 0) AS count
      FROM statuses s LEFT JOIN counted c ON c.status_id = s.id
      WHERE s.model_type IN ('account', 'simple_account') AND (c.count IS NOT NULL OR s.company_id = ${own})
      ORDER BY s.model_type, s.position, s.name`.execute(ctx.db)
  return rows
}

/**
 * Counts and sizes in bytes of the documents that this viewer sees: private ones are subtracted for everyone else. Null for viewers who
 * cannot see documents.
 */
export function visibleFileTotals(viewer: Viewer, totals: AccountSummary) {
  if (!seesFiles(viewer)) return null
  const hidden = seesPrivateFiles(viewer, totals) ? 0 : 1
  const disclosed = totals.files_disclosed - hidden * totals.private_disclosed
  const sov = totals.files_sov - hidden * totals.private_sov
  const size = {
    disclosed: totals.bytes_disclosed - hidden * totals.private_bytes_disclosed,
    sov: totals.bytes_sov - hidden * totals.private_bytes_sov,
  }
  return { total: disclosed + sov, disclosed, sov, size: { total: size.disclosed + size.sov, ...size } }
}

/** The totals of an account's register; null for viewers who cannot open it. */
export function visiblePropertyTotals(viewer: Viewer, totals: AccountSummary) {
  if (!can(viewer, 'view_account_properties')) return { active: null, divested: null, tiv: null, currency: null }
  return { active: totals.active_properties, divested: totals.divested_properties, tiv: totals.tiv, currency: totals.currency }
}

/** An account is never live in a company that is in the trash, as users are not. */
export async function requireLiveCompanies({ db }: Context, accounts: readonly AccountRecord[]): Promise<void> {
  const trashed = await db
    .selectFrom('companies')
    .select('name')
    .where('id', 'in', [...new Set(accounts.map(({ company_id }) => company_id))])
    .where('deleted_at', 'is not', null)
    .executeTakeFirst()
  if (trashed !== undefined) throw conflict(`${trashed.name} is in the trash. Restore the company first.`)
}
