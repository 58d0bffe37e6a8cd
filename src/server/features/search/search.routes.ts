import { sql, type Expression, type SqlBool } from 'kysely'
import type { z } from 'zod'
import { searchCalls, type Found } from '#contract/search.ts'
import { visibleAccounts } from '#server/access/accounts.ts'
import { visibleProperties } from '#server/access/account-properties.ts'
import { visibleCompanies } from '#server/access/companies.ts'
import { mayGive, visibleUsers } from '#server/access/users.ts'
import { can } from '#server/access/viewer.ts'
import type { Context } from '#server/engines/context.ts'
import { implement } from '#server/engines/http/answer.ts'
import { matchingIds } from '#server/engines/search/matching.ts'
import { AppError } from '#server/kernel/errors.ts'

type Rows = z.input<typeof Found>[]

interface Query {
  search: string
  paginate: number
  filter__account_id?: string | undefined
}

/** Nothing found answers 404, the same as only foreign results (decisions C46). */
function found(rows: Rows): { data: Rows } {
  if (rows.length === 0) throw new AppError('not_found', 'No results found.')
  return { data: rows }
}

async function accounts(ctx: Context, { search, paginate }: Query): Promise<Rows> {
  const { rows } = await sql<
    Rows[number]
  >`SELECT accounts.id, accounts.name, concat_ws(' · ', c.name, s.name) AS detail, accounts.id AS account_id
    FROM accounts JOIN companies c ON c.id = accounts.company_id LEFT JOIN statuses s ON s.id = accounts.status_id
    WHERE accounts.id IN ${matchingIds(ctx.viewer, 'accounts', search)} AND accounts.deleted_at IS NULL AND ${visibleAccounts(ctx.viewer)}
    ORDER BY accounts.updated_at DESC, accounts.id LIMIT ${paginate}`.execute(ctx.db)
  return rows
}

async function properties(ctx: Context, { search, paginate, filter__account_id }: Query): Promise<Rows> {
  const inAccount: Expression<SqlBool> =
    filter__account_id === undefined ? sql<SqlBool>`true` : sql<SqlBool>`account_properties.account_id = ${filter__account_id}`
  const { rows } = await sql<Rows[number]>`SELECT account_properties.id,
      concat_ws(' ', nullif(account_properties.location_number, '') || ' ·', coalesce(nullif(account_properties.address, ''), account_properties.property_name)) AS name,
      concat_ws(', ', account_properties.city, account_properties.state, a.name) AS detail, a.id AS account_id
    FROM account_properties JOIN accounts a ON a.id = account_properties.account_id
    WHERE account_properties.id IN ${matchingIds(ctx.viewer, 'account_properties', search, filter__account_id)} AND ${inAccount}
      AND account_properties.deleted_at IS NULL AND ${visibleProperties(ctx.viewer)}
    ORDER BY account_properties.updated_at DESC, account_properties.id LIMIT ${paginate}`.execute(ctx.db)
  return rows
}

/** Companies may be named as broker or carrier by those who start accounts, so they find all of them by name. */
async function companies(ctx: Context, { search, paginate }: Query): Promise<Rows> {
  const visible = can(ctx.viewer, 'create_standard_accounts') ? sql<SqlBool>`true` : visibleCompanies(ctx.viewer)
  const { rows } = await sql<Rows[number]>`SELECT companies.id, companies.name, coalesce(s.name, '') AS detail, NULL::text AS account_id
    FROM companies LEFT JOIN company_subscriptions x ON x.company_id = companies.id LEFT JOIN subscriptions s ON s.id = x.subscription_id
    WHERE companies.name ILIKE ${`%${search.replace(/[\\%_]/g, '\\$&')}%`} AND companies.deleted_at IS NULL AND ${visible}
    ORDER BY companies.name, companies.id LIMIT ${paginate}`.execute(ctx.db)
  return rows
}

async function users(ctx: Context, { search, paginate }: Query): Promise<Rows> {
  const { rows } = await sql<
    Rows[number]
  >`SELECT users.id, users.full_name AS name, concat_ws(' · ', users.email::text, c.name) AS detail, NULL::text AS account_id
    FROM users JOIN companies c ON c.id = users.company_id
    WHERE users.id IN ${matchingIds(ctx.viewer, 'users', search)} AND users.deleted_at IS NULL AND ${visibleUsers(ctx.viewer)}
    ORDER BY users.last_name, users.id LIMIT ${paginate}`.execute(ctx.db)
  return rows
}

async function roles(ctx: Context, { search, paginate }: Query): Promise<Rows> {
  const own = ctx.viewer.kind === 'user' ? ctx.viewer.companyId : null
  const rows = await ctx.db
    .selectFrom('roles')
    .select(['id', 'label', 'name', 'permissions'])
    .where('deleted_at', 'is', null)
    .where((eb) => eb.or([eb('company_id', 'is', null), eb('company_id', '=', own)]))
    .where('label', 'ilike', `%${search.replace(/[\\%_]/g, '\\$&')}%`)
    .where('name', 'not in', ['invite_guest', 'share_guest'])
    .orderBy('label')
    .execute()
  // Nobody finds a role that would give more than they hold (decisions Q43).
  return rows
    .filter(({ permissions }) => mayGive(ctx.viewer, permissions))
    .slice(0, paginate)
    .map(({ id, label, name }) => ({ id, name: label, detail: name, account_id: null }))
}

async function subscriptions(ctx: Context, { search, paginate }: Query): Promise<Rows> {
  const { rows } = await sql<
    Rows[number]
  >`SELECT subscriptions.id, subscriptions.name, '' AS detail, NULL::text AS account_id FROM subscriptions
    WHERE subscriptions.id IN ${matchingIds(ctx.viewer, 'subscriptions', search)} AND subscriptions.deleted_at IS NULL
    ORDER BY subscriptions.name, subscriptions.id LIMIT ${paginate}`.execute(ctx.db)
  return rows
}

export const searchRoutes = implement(searchCalls, {
  accounts: async ({ ctx, query }) => found(await accounts(ctx, query)),
  properties: async ({ ctx, query }) => found(await properties(ctx, query)),
  companies: async ({ ctx, query }) => found(await companies(ctx, query)),
  users: async ({ ctx, query }) => found(await users(ctx, query)),
  roles: async ({ ctx, query }) => found(await roles(ctx, query)),
  subscriptions: async ({ ctx, query }) => found(await subscriptions(ctx, query)),
})
