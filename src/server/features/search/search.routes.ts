import { sql, type Expression, type RawBuilder, type SqlBool } from 'kysely'
import type { z } from 'zod'
import { searchCalls, type Found } from '#contract/search.ts'
import { visibleAccounts } from '#server/access/accounts.ts'
import { visibleProperties } from '#server/access/account-properties.ts'
import { visibleCompanies } from '#server/access/companies.ts'
import { givableRoles } from '#server/access/roles.ts'
import { TRUE, equalsId } from '#server/access/scope.ts'
import { visibleUsers } from '#server/access/users.ts'
import { can, type Viewer } from '#server/access/viewer.ts'
import type { Context } from '#server/engines/context.ts'
import { implement } from '#server/engines/http/answer.ts'
import { likePattern, matchingIds } from '#server/engines/search/matching.ts'
import { AppError } from '#server/kernel/errors.ts'

type Result = z.input<typeof Found>

interface Query {
  search: string
  paginate: number
  filter__account_id?: string | undefined
}

/** How the records of a table are found and shown; the expressions can use the joined tables. */
interface Searched {
  table: 'accounts' | 'account_properties' | 'companies' | 'users' | 'roles' | 'subscriptions'
  visible: (viewer: Viewer) => Expression<SqlBool>
  /** Unless given, the entry in the search index contains the text. */
  matches?: (viewer: Viewer, query: Query) => Expression<SqlBool>
  joins?: RawBuilder<unknown>
  name: RawBuilder<unknown>
  detail: RawBuilder<unknown>
  account?: RawBuilder<unknown>
  order: RawBuilder<unknown>
}

/** Throws `not_found` if nothing is found, which does not reveal whether hidden records match. */
const searchIn =
  ({ table, visible, matches, joins = sql``, name, detail, account = sql`NULL::text`, order }: Searched) =>
  async ({ ctx: { db, viewer }, query }: { ctx: Context; query: Query }): Promise<{ data: Result[] }> => {
    const id = sql.ref(`${table}.id`)
    const { rows } = await sql<Result>`SELECT ${id}, ${name} AS name, ${detail} AS detail, ${account} AS account_id
      FROM ${sql.table(table)} ${joins}
      WHERE ${matches?.(viewer, query) ?? sql`${id} IN ${matchingIds(viewer, table, query.search)}`}
        AND ${sql.ref(`${table}.deleted_at`)} IS NULL AND ${visible(viewer)}
      ORDER BY ${order}, ${id} LIMIT ${query.paginate}`.execute(db)
    if (rows.length === 0) throw new AppError('not_found', 'No results found.')
    return { data: rows }
  }

export const searchRoutes = implement(searchCalls, {
  accounts: searchIn({
    table: 'accounts',
    visible: visibleAccounts,
    joins: sql`JOIN companies c ON c.id = accounts.company_id LEFT JOIN statuses s ON s.id = accounts.status_id`,
    name: sql`accounts.name`,
    detail: sql`concat_ws(' · ', c.name, s.name)`,
    account: sql`accounts.id`,
    order: sql`accounts.updated_at DESC`,
  }),
  properties: searchIn({
    table: 'account_properties',
    visible: visibleProperties,
    matches: (viewer, { search, filter__account_id: account }) =>
      sql<SqlBool>`account_properties.id IN ${matchingIds(viewer, 'account_properties', search, account)}
        AND ${account === undefined ? TRUE : equalsId('account_properties.account_id', account)}`,
    joins: sql`JOIN accounts a ON a.id = account_properties.account_id`,
    name: sql`concat_ws(' ', nullif(account_properties.location_number, '') || ' ·',
      coalesce(nullif(account_properties.address, ''), account_properties.property_name))`,
    detail: sql`concat_ws(', ', account_properties.city, account_properties.state, a.name)`,
    account: sql`a.id`,
    order: sql`account_properties.updated_at DESC`,
  }),
  companies: searchIn({
    table: 'companies',
    // Users who start accounts name any company as broker or carrier.
    visible: (viewer) => (can(viewer, 'create_standard_accounts') ? TRUE : visibleCompanies(viewer)),
    matches: (_viewer, { search }) => sql<SqlBool>`companies.name ILIKE ${likePattern(search)}`,
    joins: sql`LEFT JOIN company_subscriptions x ON x.company_id = companies.id LEFT JOIN subscriptions s ON s.id = x.subscription_id`,
    name: sql`companies.name`,
    detail: sql`coalesce(s.name, '')`,
    order: sql`companies.name`,
  }),
  users: searchIn({
    table: 'users',
    visible: visibleUsers,
    joins: sql`JOIN companies c ON c.id = users.company_id`,
    name: sql`users.full_name`,
    detail: sql`concat_ws(' · ', users.email::text, c.name)`,
    order: sql`users.last_name`,
  }),
  roles: searchIn({
    table: 'roles',
    visible: (viewer) => givableRoles(viewer, viewer.kind === 'user' ? viewer.companyId : null),
    matches: (_viewer, { search }) => sql<SqlBool>`roles.label ILIKE ${likePattern(search)}`,
    name: sql`roles.label`,
    detail: sql`roles.name`,
    order: sql`roles.label`,
  }),
  subscriptions: searchIn({
    table: 'subscriptions',
    visible: () => TRUE,
    name: sql`subscriptions.name`,
    detail: sql`''`,
    order: sql`subscriptions.name`,
  }),
})
