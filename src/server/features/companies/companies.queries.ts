import { sql } from 'kysely'
import { visibleCompanies } from '#server/access/companies.ts'
import type { Context } from '#server/engines/context.ts'
import { notFound } from '#server/kernel/errors.ts'

/** Companies by their ids with what their list and panel show; the caller has made sure that they may be seen. */
export async function loadCompanies(ctx: Context, ids: readonly string[]) {
  return ctx.db
    .selectFrom('companies')
    .selectAll('companies')
    .select((eb) => [
      eb
        .selectFrom('users')
        .whereRef('users.company_id', '=', 'companies.id')
        .where('users.deleted_at', 'is', null)
        .select(sql<number>`count(*)`.as('n'))
        .as('users'),
      eb.selectFrom('principal_totals').whereRef('principal_id', '=', 'companies.id').select('accounts').as('accounts'),
      eb.selectFrom('company_subscriptions').whereRef('company_id', '=', 'companies.id').select('subscription_id').as('subscription_id'),
      eb
        .selectFrom('company_subscriptions')
        .innerJoin('subscriptions', 'subscriptions.id', 'company_subscriptions.subscription_id')
        .whereRef('company_id', '=', 'companies.id')
        .select('subscriptions.name')
        .as('subscription_name'),
    ])
    .where('companies.id', 'in', [...ids])
    .execute()
}

export type CompanyRecord = Awaited<ReturnType<typeof loadCompanies>>[number]

/** One company the viewer may see; `notFound` otherwise, whatever the reason. */
export async function findCompany(ctx: Context, id: string): Promise<CompanyRecord> {
  const seen = await ctx.db.selectFrom('companies').select('id').where('id', '=', id).where(visibleCompanies(ctx.viewer)).executeTakeFirst()
  const [record] = seen === undefined ? [] : await loadCompanies(ctx, [id])
  if (record === undefined) throw notFound('Company')
  return record
}
