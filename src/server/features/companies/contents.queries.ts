import { sql } from 'kysely'
import type { CompanyContents } from '#contract/companies.ts'
import { uuids } from '#server/access/scope.ts'
import type { Context } from '#server/engines/context.ts'
import { visibleIds } from '#server/engines/datatable/index-list.ts'
import { valuesByCurrency } from '#server/engines/metric/values-by-currency.ts'
import { notFound } from '#server/kernel/errors.ts'
import { companyDatatable } from './companies.datatable.ts'

/** What is deleted with these companies. Throws `notFound` unless the viewer sees all of them. */
export async function companyContents(ctx: Context, ids: readonly string[]): Promise<CompanyContents> {
  const requested = [...new Set(ids)]
  if ((await visibleIds(ctx, companyDatatable, requested)).length < requested.length) throw notFound('One of the companies was')
  const inCompanies = (table: 'accounts' | 'users') => sql`EXISTS (SELECT 1 FROM companies c
    WHERE c.id = ${sql.ref(`${table}.company_id`)} AND c.id = ANY(${uuids(requested)})
      AND (c.deleted_at IS NOT NULL OR ${sql.ref(`${table}.deleted_at`)} IS NULL))`
  const { rows } = await sql<Omit<CompanyContents, 'tiv'>>`SELECT count(*)::int AS accounts,
      coalesce(sum(t.active_properties + t.divested_properties), 0)::int AS properties,
      coalesce(sum(t.files_disclosed + t.files_sov), 0)::int AS documents,
      (SELECT count(*)::int FROM users WHERE users.kind = 'member' AND ${inCompanies('users')}) AS users
    FROM accounts JOIN account_totals t ON t.account_id = accounts.id WHERE ${inCompanies('accounts')}`.execute(ctx.db)
  const counted = rows[0] ?? { accounts: 0, properties: 0, documents: 0, users: 0 }
  return { ...counted, tiv: await valuesByCurrency(ctx, inCompanies('accounts')) }
}
