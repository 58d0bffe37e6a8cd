import { sql, type Expression, type RawBuilder, type SqlBool } from 'kysely'
import { ACCOUNT_TYPES, type AccountRow } from '#contract/accounts.ts'
import { codesOf } from '#contract/code-lists.ts'
import { optionsOf } from '#contract/form.ts'
import { ATTENTION, isAttention } from '#contract/submissions.ts'
import { canNeed, needsAttention } from '#server/access/account-attention.ts'
import { seesFiles } from '#server/access/account-files.ts'
import { seesNumbers, visibleAccounts } from '#server/access/accounts.ts'
import { visibleCompanies } from '#server/access/companies.ts'
import { companyOptions } from '#server/access/require.ts'
import { ALL_SCOPE, TRUE, equalsAnyId, principals, seesAllCompanies } from '#server/access/scope.ts'
import { can, viewerId, type Viewer } from '#server/access/viewer.ts'
import type { Context } from '#server/engines/context.ts'
import { defineDatatable, type FilterDefinition } from '#server/engines/datatable/define-datatable.ts'
import { dateRangeFilter, ifKnown, yesOrNo } from '#server/engines/datatable/filters.ts'
import { accountRows } from './accounts.presenter.ts'
import { setFavorites } from './favorites.commands.ts'

const TOTALS = sql`JOIN account_totals t ON t.account_id = accounts.id`
const STATUS = sql`LEFT JOIN statuses st ON st.id = accounts.status_id`
const COMPANY = sql`JOIN companies co ON co.id = accounts.company_id`

const seesRegister = (viewer: Viewer) => can(viewer, 'view_account_properties')
const seesStatuses = (viewer: Viewer) => can(viewer, 'view_account_status')

/**
 * Amounts in different currencies are not compared: those in the viewer's most frequent currency come first in both directions, then the
 * other currencies by name, and accounts with several last.
 */
const tivByCurrency = ({ viewer }: Context) => sql`t.currency IS NOT DISTINCT FROM (
    SELECT o.currency FROM accounts JOIN account_totals o ON o.account_id = accounts.id
    WHERE ${visibleAccounts(viewer)} AND accounts.deleted_at IS NULL AND o.tiv > 0 AND o.currency IS NOT NULL
    GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT 1) DESC, t.currency ASC NULLS LAST, t.tiv`

/** A filter by the viewer's relation to an account; "no" shows all accounts. */
const ofUser = (label: string, condition: (userId: string | null) => Expression<SqlBool>): FilterDefinition => ({
  label,
  type: 'boolean',
  onScreens: true,
  where: (value, _values, { viewer }) => {
    const yes = yesOrNo(value)
    return yes === undefined ? undefined : yes ? condition(viewerId(viewer)) : TRUE
  },
})

/** Accounts in which companies take part, as the list of companies counts them: their own, as carrier or broker, and of their users. */
const ofCompanies = (ids: readonly string[], viewer: Viewer) => sql<SqlBool>`accounts.id IN (
  SELECT g.account_id FROM account_access g JOIN (
    SELECT companies.id AS principal FROM companies WHERE ${equalsAnyId('companies.id', ids)} AND ${visibleCompanies(viewer)}
    UNION ALL SELECT u.id FROM users u JOIN companies ON companies.id = u.company_id
      WHERE u.deleted_at IS NULL AND ${equalsAnyId('companies.id', ids)} AND ${visibleCompanies(viewer)}
  ) p ON p.principal = g.principal_id)`

export const accountDatatable = defineDatatable<AccountRow>({
  model: 'accounts',
  marksNew: true,
  visible: visibleAccounts,
  dependsOn: ['accounts'],
  defaultSort: { column: 'created_at', order: 'desc' },
  columns: {
    name: { label: 'Account', primary: true, width: 214, sort: { by: sql`accounts.name` } },
    account_number: { label: 'Account #', isSeen: seesNumbers, width: 132, sort: { by: sql`accounts.account_number`, nullsLast: true } },
    company: { label: 'Company', default: seesSeveralCompanies, width: 126, sort: { by: sql`co.name`, join: COMPANY } },
    status: {
      label: 'Status',
      isSeen: seesStatuses,
      width: 138,
      sort: { by: sql`st.position`, join: STATUS },
    },
    type: { label: 'Type', default: false, sort: { by: sql`accounts.type` } },
    properties: {
      label: 'Properties',
      isSeen: seesRegister,
      align: 'right',
      width: 101,
      sort: { by: sql`t.active_properties`, join: TOTALS },
    },
    tiv: {
      label: 'TIV',
      isSeen: seesRegister,
      align: 'right',
      width: 134,
      sort: { by: tivByCurrency, join: TOTALS },
      exported: { kind: 'money' },
    },
    effective_date: { label: 'Effective', width: 116, sort: { by: sql`accounts.effective_date`, nullsLast: true } },
    updated_at: { label: 'Updated', isSeen: seesNumbers, width: 116, sort: { by: sql`accounts.updated_at` } },
    documents: { label: 'Documents', isSeen: seesFiles, align: 'right', default: false, width: 104 },
    created_at: { label: 'Created', isSeen: seesNumbers, default: false, sort: { by: sql`accounts.created_at` } },
  },
  filters: {
    company: {
      label: 'Company with access',
      type: 'multiselect',
      options: companyOptions,
      where: (_value, values, { viewer }) => ofCompanies(values, viewer),
    },
    favorites: ofUser(
      'Favorites',
      (id) => sql<SqlBool>`EXISTS (SELECT 1 FROM account_favorites f WHERE f.account_id = accounts.id AND f.user_id = ${id})`,
    ),
    invites: ofUser(
      'Invited',
      (id) => sql<SqlBool>`EXISTS (SELECT 1 FROM account_users i
        WHERE i.account_id = accounts.id AND i.user_id = ${id} AND accounts.created_by IS DISTINCT FROM i.user_id)`,
    ),
    type: {
      label: 'Type',
      type: 'select',
      options: () => optionsOf(ACCOUNT_TYPES),
      where: ifKnown(
        (value) => Object.hasOwn(ACCOUNT_TYPES, value.toLowerCase()),
        (_value, values) => sql<SqlBool>`accounts.type = ANY(${values.map((item) => item.toLowerCase())}::text[])`,
      ),
    },
    attention: {
      label: 'Needs attention',
      type: 'select',
      onScreens: true,
      options: ({ viewer }) =>
        codesOf(ATTENTION).flatMap((value) => (canNeed(viewer, value) ? [{ value, label: ATTENTION[value].label }] : [])),
      where: (value, _values, ctx) => (isAttention(value) && canNeed(ctx.viewer, value) ? needsAttention(value, ctx) : undefined),
    },
    effective_date: dateRangeFilter('Effective date', 'accounts.effective_date'),
    status: {
      label: 'Status',
      isSeen: seesStatuses,
      type: 'multiselect',
      options: statusOptions,
      where: (_value, values) => sql<SqlBool>`accounts.status_id IN (SELECT id FROM statuses WHERE name = ANY(${values}::text[]))`,
      isUnknown: isUnknownStatus,
    },
  },
  actions: {
    'add-favorite': {
      label: 'Add to favorites',
      undo: 'remove-favorite',
      can: 'view_accounts_component',
      run: (ctx, ids) => setFavorites(ctx, ids, true),
    },
    'remove-favorite': {
      label: 'Remove from favorites',
      undo: 'add-favorite',
      can: 'view_accounts_component',
      run: (ctx, ids) => setFavorites(ctx, ids, false),
    },
  },
  rows: accountRows,
  total: storedTotal,
})

/** Without accounts of another company, the company would be the same in every row. */
async function seesSeveralCompanies({ db, viewer }: Context): Promise<boolean> {
  if (seesAllCompanies(viewer)) return true
  if (viewer.kind !== 'user') return false
  const shared = await db
    .selectFrom('account_access')
    .innerJoin('accounts', 'accounts.id', 'account_access.account_id')
    .select('account_access.account_id')
    .where('principal_id', 'in', [...principals(viewer)])
    .where('owner', '=', false)
    .where('live', '=', true)
    .where('accounts.company_id', '<>', viewer.companyId)
    .limit(1)
    .executeTakeFirst()
  return shared !== undefined
}

/** By name, because each company has its own statuses, often with the same names. */
function statusOptions({ db, viewer }: Context) {
  const own = seesAllCompanies(viewer) || viewer.kind !== 'user' ? TRUE : sql<SqlBool>`company_id = ${viewer.companyId}`
  return db
    .selectFrom('statuses')
    .select(['name as value', 'name as label'])
    .distinct()
    .where('model_type', 'in', ['account', 'simple_account'])
    .where(own)
    .orderBy('name')
    .execute()
}

/** Whether one of the names is neither a status of the viewer's company nor of an account that the viewer sees. */
async function isUnknownStatus(ctx: Context, names: readonly string[]): Promise<boolean> {
  const own = new Set((await statusOptions(ctx)).map(({ value }) => value))
  const others = [...new Set(names)].filter((name) => !own.has(name))
  if (others.length === 0) return false
  const { rows } = await sql<{ name: string }>`SELECT DISTINCT s.name FROM statuses s JOIN accounts ON accounts.status_id = s.id
    WHERE s.name = ANY(${others}::text[]) AND ${visibleAccounts(ctx.viewer)}`.execute(ctx.db)
  return rows.length < others.length
}

const totalOf = (principal: string) => sql`coalesce((SELECT accounts FROM principal_totals WHERE principal_id = ${principal}), 0)`

/** The stored total of all companies, or of the own one plus a count of the accounts that the user sees in addition. */
function storedTotal({ viewer }: Context): RawBuilder<unknown> | undefined {
  if (seesAllCompanies(viewer)) return totalOf(ALL_SCOPE)
  const [first, second] = principals(viewer)
  if (first === undefined) return undefined
  const additional =
    second === undefined
      ? sql`0`
      : sql`(SELECT count(*) FROM account_access g WHERE g.principal_id = ${second} AND NOT g.owner AND g.live
          AND NOT EXISTS (SELECT 1 FROM account_access h WHERE h.account_id = g.account_id AND h.principal_id = ${first}))`
  return sql`${totalOf(first)} + ${additional}`
}
