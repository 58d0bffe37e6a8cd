import { sql, type Expression, type SqlBool } from 'kysely'
import { isMember } from '#server/access/viewer.ts'
import type { Context } from '#server/engines/context.ts'

export type CompanyRecord = Awaited<ReturnType<typeof loadCompanies>>[number]

/**
 * How many accounts the users of a company take part in: its own, those it is carrier of, and those that a user was added to. Not those
 * that a user sees by a role for all companies. `OFFSET 0` has the database look up the accounts of each user.
 */
const ACCOUNTS = sql<number>`coalesce((SELECT accounts FROM principal_totals WHERE principal_id = companies.id), 0) + (
  SELECT count(DISTINCT g.account_id)::int FROM users u
    CROSS JOIN LATERAL (SELECT x.account_id FROM account_access x WHERE x.principal_id = u.id AND NOT x.owner AND x.live OFFSET 0) g
  WHERE u.company_id = companies.id AND u.deleted_at IS NULL AND ${isMember}
    AND NOT EXISTS (SELECT 1 FROM account_access h WHERE h.principal_id = companies.id AND h.account_id = g.account_id))`

/** When the subscription of `company_subscriptions` ends. */
const SUBSCRIPTION_END = sql<Date>`company_subscriptions.created_at + make_interval(months => company_subscriptions.term_months)`

export const loadCompanies = (ctx: Context, where: Expression<SqlBool>) =>
  ctx.db
    .selectFrom('companies')
    .leftJoin('company_subscriptions', 'company_subscriptions.company_id', 'companies.id')
    .leftJoin('subscriptions', 'subscriptions.id', 'company_subscriptions.subscription_id')
    .selectAll('companies')
    .select((eb) => [
      'subscriptions.id as subscription_id',
      'subscriptions.name as subscription_name',
      'subscriptions.price as default_price',
      'company_subscriptions.own_price as subscription_price',
      'company_subscriptions.created_at as subscribed_at',
      sql<string | null>`to_char(company_subscriptions.created_at AT TIME ZONE companies.timezone, 'YYYY-MM-DD')`.as('subscription_start'),
      sql<Date | null>`${SUBSCRIPTION_END}`.as('subscription_end'),
      eb
        .selectFrom('users')
        .whereRef('users.company_id', '=', 'companies.id')
        .where('users.deleted_at', 'is', null)
        .where('users.kind', '=', 'member')
        .select(sql<number>`count(*)`.as('n'))
        .as('users'),
      ACCOUNTS.as('accounts'),
    ])
    .where(where)
    .execute()
