import { sql, type Expression, type SqlBool } from 'kysely'
import { LANGUAGES, TIMEZONES, companyCalls, type CompanyRow } from '#contract/companies.ts'
import { optionsOf } from '#contract/form.ts'
import { companyRules, nameableCompanies, visibleCompanies } from '#server/access/companies.ts'
import { can, viewerId, type Viewer } from '#server/access/viewer.ts'
import type { Context, WriteContext } from '#server/engines/context.ts'
import { dateCell, textCell, wholeCell } from '#server/engines/datatable/cells.ts'
import { defineDatatable } from '#server/engines/datatable/define-datatable.ts'
import { implement } from '#server/engines/http/answer.ts'
import { field } from '#server/engines/record/form-fields.ts'
import { defineRecord, rowsOf } from '#server/engines/record/define-record.ts'
import { recordHandlers, requireById } from '#server/engines/record/record-handlers.ts'
import { findRecord } from '#server/engines/record/save-record.ts'
import { searchRecords } from '#server/engines/record/search-records.ts'
import { conflict, forbidden, invalid } from '#server/kernel/errors.ts'
import { logoFrom, logoUrl, readLogo, removeUnusedLogos, signLogo } from './logos.commands.ts'
import { endAccess } from '../session/password.commands.ts'

type CompanyRecord = Awaited<ReturnType<typeof load>>[number]

/**
 * How many accounts the users of a company take part in: its own, those it is carrier of, and those that a user was added to. Not those
 * that a user sees by a role for all companies.
 */
const ACCOUNTS = sql<number>`coalesce((SELECT accounts FROM principal_totals WHERE principal_id = companies.id), 0) + (
  SELECT count(DISTINCT g.account_id)::int FROM users u JOIN account_access g ON g.principal_id = u.id AND NOT g.owner AND g.live
  WHERE u.company_id = companies.id AND u.deleted_at IS NULL
    AND NOT EXISTS (SELECT 1 FROM account_access h WHERE h.principal_id = companies.id AND h.account_id = g.account_id))`

const load = (ctx: Context, where: Expression<SqlBool>) =>
  ctx.db
    .selectFrom('companies')
    .leftJoin('company_subscriptions', 'company_subscriptions.company_id', 'companies.id')
    .leftJoin('subscriptions', 'subscriptions.id', 'company_subscriptions.subscription_id')
    .selectAll('companies')
    .select((eb) => [
      'subscriptions.id as subscription_id',
      'subscriptions.name as subscription_name',
      eb
        .selectFrom('users')
        .whereRef('users.company_id', '=', 'companies.id')
        .where('users.deleted_at', 'is', null)
        .select(sql<number>`count(*)`.as('n'))
        .as('users'),
      ACCOUNTS.as('accounts'),
    ])
    .where(where)
    .execute()

const list = defineDatatable<CompanyRow>({
  model: 'companies',
  visible: visibleCompanies,
  dependsOn: ['companies', 'users', 'accounts', 'subscriptions'],
  defaultSort: { column: 'created_at', order: 'desc' },
  columns: {
    name: { label: 'Company', primary: true, sort: { by: sql`companies.name` } },
    users: { label: 'Users', align: 'right', width: 100 },
    accounts: { label: 'Accounts', align: 'right', width: 110 },
    subscriptions: { label: 'Subscription', width: 180 },
    timezone: { label: 'Time zone', default: false, sort: { by: sql`companies.timezone` } },
    created_at: { label: 'Created', width: 120, sort: { by: sql`companies.created_at` } },
    updated_at: { label: 'Updated', default: false, sort: { by: sql`companies.updated_at` } },
  },
  rows: rowsOf<CompanyRecord, CompanyRow>('companies', load, companyRules, (record, timezone) => ({
    name: textCell(record.name),
    users: wholeCell(record.users ?? 0),
    accounts: wholeCell(record.accounts),
    subscriptions: textCell(record.subscription_name),
    timezone: textCell(record.timezone),
    created_at: dateCell(record.created_at, timezone),
    updated_at: dateCell(record.updated_at, timezone),
  })),
})

export const companyRecord = defineRecord(companyCalls, {
  table: 'companies',
  list,
  opensTrashed: true,
  changesRights: true,
  uniqueName: { column: 'name' },
  rules: companyRules,
  cannotDelete: 'You cannot delete your own company.',
  load,
  present: (_ctx, { name, language, timezone, logo_id, users, accounts, subscription_id: id, subscription_name: subscription }) => ({
    name,
    language,
    timezone,
    logo_url: logoUrl(logo_id),
    subscriptions: id === null || subscription === null ? [] : [{ id, name: subscription }],
    users: users ?? 0,
    accounts,
  }),
  search: {
    joins: sql`LEFT JOIN company_subscriptions x ON x.company_id = companies.id LEFT JOIN subscriptions s ON s.id = x.subscription_id`,
    name: sql`companies.name`,
    detail: sql`coalesce(s.name, '')`,
  },
  form: async (ctx, record) => [
    {
      title: '',
      fields: [
        field('name', 'Company Name', 'text', record?.name ?? '', { required: true, max: 120 }),
        field('language', 'Language', 'select', record?.language ?? 'en', { options: optionsOf(LANGUAGES), required: true }),
        field('timezone', 'Time Zone', 'select', record?.timezone ?? 'America/New_York', {
          options: TIMEZONES.map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') })),
          required: true,
        }),
        ...(can(ctx.viewer, 'update_subscriptions')
          ? [field('subscription_id', 'Subscription', 'select', record?.subscription_id ?? '', { options: await subscriptionOptions(ctx) })]
          : []),
      ],
    },
  ],
  changeScope: ({ viewer }, { id }) => ({ for: viewer.kind === 'user' ? [id, viewer.companyId] : [id] }),
  alsoShownIn: ['accounts', 'users'],
  // The logo is drawn before the transaction; the input then has its id.
  prepare: async (ctx, input, before) => {
    if (input.logo_url === undefined) return input
    if (before !== undefined) return { ...input, logo_url: await logoFrom(ctx, before.id, input.logo_url, before.logo_id) }
    if (input.logo_url) throw invalid({ logo_url: ['Add the company first, then its logo.'] })
    return input
  },
  comparable: (record) => ({ ...record, logo_url: record.logo_id }),
  beforeSave: ({ viewer }, { kind, input: { subscription_id, logo_url, ...fields }, before }) => {
    const columns = { ...fields, logo_id: logo_url === undefined ? undefined : logo_url || null }
    const changesSubscription = subscription_id !== undefined && subscription_id !== (before?.subscription_id ?? null)
    if (changesSubscription && !can(viewer, 'update_subscriptions')) throw forbidden('You cannot change the subscription of a company.')
    return kind === 'created' ? { ...columns, created_by: viewerId(viewer) } : columns
  },
  afterSave: async (tx, id, { kind, input }) => {
    if (kind === 'created')
      await tx.db
        .insertInto('statuses')
        .values(DEFAULT_STATUSES.map((status) => ({ ...status, company_id: id })))
        .execute()
    if (input.subscription_id !== undefined) await setSubscription(tx, id, input.subscription_id)
    if (kind === 'updated' && input.logo_url !== undefined) await removeUnusedLogos(tx, id)
  },
  beforeTrash: async (tx, records, deletedAt) => {
    for (const { id } of records) {
      const users = await tx.db.selectFrom('users').select('id').where('company_id', '=', id).where('deleted_at', 'is', null).execute()
      for (const user of users) await endAccess(tx, user.id)
      await moveContents(tx, id, { from: null, to: deletedAt })
    }
  },
  beforeRestore: async (tx, records) => {
    for (const { id, deleted_at } of records) await moveContents(tx, id, { from: deleted_at, to: null })
  },
  beforeDestroy: async (tx, records) => {
    const ids = records.map(({ id }) => id)
    const used = await tx.db.selectFrom('accounts').select('id').where('company_id', 'in', ids).executeTakeFirst()
    if (used !== undefined) throw conflict('This company still has accounts. Permanently delete them first.')
    await tx.db.deleteFrom('users').where('company_id', 'in', ids).execute()
  },
})

/** The address changes with the image. */
const LOGO_HEADERS = { 'content-type': 'image/png', 'cache-control': 'public, max-age=31536000, immutable' }

export const companyRoutes = implement(
  companyCalls,
  {
    ...recordHandlers(companyRecord, companyCalls),
    signLogo: async ({ ctx, params, body }) => {
      const company = await findRecord(ctx, companyRecord, params.id)
      if (!companyRules(ctx.viewer, company).update) throw forbidden()
      return { data: await signLogo(ctx, params.id, body) }
    },
    logo: async ({ ctx, params }) => ({ headers: LOGO_HEADERS, body: await readLogo(ctx, params.id) }),
    names: async ({ ctx, query }) => {
      const visible = (viewer: Viewer) => nameableCompanies(viewer, query.search)
      return { data: await searchRecords(ctx, list, { name: sql`companies.name`, visible }, query) }
    },
  },
  requireById(companyRecord),
)

/** The statuses of a new company. */
const DEFAULT_STATUSES = [
  ...status('account', [
    ['New', '#1976D2'],
    ['Gathering Data', '#F9A825'],
    ['In Review', '#FB8C00'],
    ['Submitted', '#6A1B9A'],
    ['Quoted', '#00838F'],
    ['Bound', '#2E7D32'],
    ['Declined', '#C62828'],
    ['Archived', '#616161'],
  ]),
  ...status('simple_account', [
    ['Uploading', '#1976D2', 'uploading'],
    ['Processing', '#F9A825', 'processing'],
    ['Active', '#2E7D32', 'active'],
  ]),
  ...status('risk_control', [
    ['Draft', '#9E9E9E'],
    ['Issued', '#1976D2'],
    ['Awaiting Response', '#F9A825'],
    ['In Progress', '#FB8C00'],
    ['Complete', '#2E7D32'],
    ['Closed', '#000000'],
  ]),
]

function status(modelType: string, entries: [name: string, color: string, state?: string][]) {
  return entries.map(([name, color, state], position) => ({ model_type: modelType, name, color, state: state ?? null, position }))
}

const subscriptionOptions = ({ db }: Context) =>
  db.selectFrom('subscriptions').select(['id as value', 'name as label']).where('deleted_at', 'is', null).orderBy('name').execute()

async function setSubscription(tx: WriteContext, companyId: string, subscriptionId: string | null): Promise<void> {
  if (subscriptionId === null) {
    await tx.db.deleteFrom('company_subscriptions').where('company_id', '=', companyId).execute()
    return
  }
  const subscription = await tx.db
    .selectFrom('subscriptions')
    .select('term_months')
    .where('id', '=', subscriptionId)
    .where('deleted_at', 'is', null)
    // Waits for a user who moves the subscription to the trash at the same moment.
    .forShare()
    .executeTakeFirst()
  if (subscription === undefined) throw invalid({ subscription_id: ['This subscription no longer exists. Choose another one.'] })
  const values = { subscription_id: subscriptionId, term_months: subscription.term_months }
  // Saving the same subscription again must not restart its term.
  await tx.db
    .insertInto('company_subscriptions')
    .values({ company_id: companyId, ...values })
    .onConflict((on) =>
      on
        .column('company_id')
        .doUpdateSet({ ...values, created_at: tx.clock.now() })
        .where('company_subscriptions.subscription_id', '<>', subscriptionId),
    )
    .execute()
}

/** Users and accounts share the company's time of deletion, so that a restore brings back exactly those trashed with it. */
async function moveContents(tx: WriteContext, companyId: string, { from, to }: { from: Date | null; to: Date | null }): Promise<void> {
  for (const table of ['users', 'accounts'] as const) {
    await tx.db
      .updateTable(table)
      .set({ deleted_at: to })
      .where('company_id', '=', companyId)
      .where('deleted_at', from === null ? 'is' : '=', from)
      .execute()
  }
}
