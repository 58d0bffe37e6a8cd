import { sql } from 'kysely'
import type { z } from 'zod'
import { CheckSettings } from '#contract/check-settings.ts'
import { companyCalls, type CompanySubscription } from '#contract/companies.ts'
import { COMPANY_NAME_SEARCHES_PER_HOUR, HOUR_MS } from '#contract/limits.ts'
import { companyRules, nameableCompanies, revealsNames } from '#server/access/companies.ts'
import { can, viewerId, type Viewer } from '#server/access/viewer.ts'
import type { Context, WriteContext } from '#server/engines/context.ts'
import { implement } from '#server/engines/http/answer.ts'
import { defineRecord } from '#server/engines/record/define-record.ts'
import { recordHandlers, requireById } from '#server/engines/record/record-handlers.ts'
import { findEditable } from '#server/engines/record/save-record.ts'
import { searchRecords } from '#server/engines/record/search-records.ts'
import { countAttempt } from '#server/engines/secrets/limiter.ts'
import { conflict, forbidden, invalid } from '#server/kernel/errors.ts'
import { companyDatatable } from './companies.datatable.ts'
import { companyContents } from './contents.queries.ts'
import { companyForm } from './companies.form.ts'
import { loadCompanies, type CompanyRecord } from './companies.queries.ts'
import { logoFrom, logoUrl, readLogo, removeUnusedLogos, signLogo } from './logos.commands.ts'
import { changesSubscription, moveStart, setSubscription } from './subscribe.commands.ts'
import { requestCompanyReconciliation } from '../reconciliation/reconciliation.commands.ts'
import { endAccess } from '../session/password.commands.ts'
import { confirmPassword, requireConfirmed } from '../session/sign-in.commands.ts'
import { addDefaultStatuses } from '../statuses/default-statuses.commands.ts'
import { releaseWork } from '../users/release.commands.ts'

export const companyRecord = defineRecord(companyCalls, {
  table: 'companies',
  list: companyDatatable,
  opensTrashed: true,
  changesRights: true,
  uniqueName: { column: 'name' },
  rules: companyRules,
  cannotDelete: 'You cannot delete your own company.',
  load: loadCompanies,
  present: (ctx, record) => {
    const { name, language, timezone, logo_id, users, accounts, check_settings, email_instead_of_app } = record
    return {
      name,
      language,
      timezone,
      logo_url: logoUrl(logo_id),
      subscriptions: subscriptionsOf(ctx, record),
      users: users ?? 0,
      accounts,
      check_settings: CheckSettings.parse(check_settings),
      email_instead_of_app,
    }
  },
  search: {
    joins: sql`LEFT JOIN company_subscriptions x ON x.company_id = companies.id LEFT JOIN subscriptions s ON s.id = x.subscription_id`,
    name: sql`companies.name`,
    detail: sql`coalesce(s.name, '')`,
  },
  form: companyForm,
  changeScope: ({ viewer }, { id }) => ({ for: viewer.kind === 'user' ? [id, viewer.companyId] : [id] }),
  alsoShownIn: ['accounts', 'users', 'subscriptions'],
  describe: (event) =>
    event.kind === 'updated' && event.input.check_settings !== undefined
      ? [{ id: event.record.id, message: '{user} changed the checks of the reconciliation' }]
      : undefined,
  // The logo is made before the transaction; the input then has its id, and the hash of the password that confirms the change.
  prepare: async (ctx, { current_password: password, ...sent }, before) => {
    const input = { ...sent, ...(await confirmedSignIn(ctx, sent, password, before)) }
    if (input.logo_url === undefined) return input
    if (before !== undefined) return { ...input, logo_url: await logoFrom(ctx, before.id, input.logo_url, before.logo_id) }
    if (input.logo_url) throw invalid({ logo_url: ['Add the company first, then its logo.'] })
    return input
  },
  comparable: (record) => ({ ...record, logo_url: record.logo_id }),
  beforeSave: async (tx, { kind, input, before }) => {
    const { viewer } = tx
    const {
      subscription_id: _id,
      subscription_start: _start,
      subscription_price: _price,
      logo_url,
      check_settings: checks,
      current_password: confirmed,
      ...fields
    } = input
    const by = viewerId(viewer)
    if (by !== null && typeof confirmed === 'string') await requireConfirmed(tx, by, confirmed)
    const columns = {
      ...fields,
      logo_id: logo_url === undefined ? undefined : logo_url || null,
      check_settings: checks && JSON.stringify(checks),
    }
    if (changesSubscription(input, before) && !can(viewer, 'update_subscriptions'))
      throw forbidden('You cannot change the subscription of a company.')
    return kind === 'created' ? { ...columns, created_by: by } : columns
  },
  afterSave: async (tx, id, { kind, input, before }) => {
    if (kind === 'created') await addDefaultStatuses(tx, id)
    if (before !== undefined && input.timezone !== undefined) await moveStart(tx, id, before.timezone)
    if (changesSubscription(input, before)) await setSubscription(tx, id, input, before)
    if (kind === 'updated' && input.logo_url !== undefined) await removeUnusedLogos(tx, id)
    if (kind === 'updated' && input.check_settings !== undefined) await requestCompanyReconciliation(tx, id)
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
    await releaseWork(tx, await tx.db.selectFrom('users').select('id').where('company_id', 'in', ids).execute())
    await tx.db.deleteFrom('users').where('company_id', 'in', ids).execute()
  },
})

/** With a stolen session alone, no caller can make the mailbox of a user the second factor in place of their app. */
async function confirmedSignIn(
  ctx: Context,
  { email_instead_of_app: allowed }: { email_instead_of_app?: boolean | undefined },
  password: string | null | undefined,
  before: CompanyRecord | undefined,
): Promise<{ current_password?: string }> {
  const by = viewerId(ctx.viewer)
  if (by === null || before === undefined || allowed === undefined || allowed === before.email_instead_of_app) return {}
  return { current_password: await confirmPassword(ctx, by, password) }
}

/** The address changes with the image. */
const LOGO_HEADERS = { 'content-type': 'image/png', 'cache-control': 'public, max-age=31536000, immutable' }

export const companyRoutes = implement(
  companyCalls,
  {
    ...recordHandlers(companyRecord, companyCalls),
    signLogo: async ({ ctx, params, body }) => {
      await findEditable(ctx, companyRecord, params.id)
      return { data: await signLogo(ctx, params.id, body) }
    },
    contents: async ({ ctx, body }) => ({ data: await companyContents(ctx, body.ids) }),
    logo: async ({ ctx, params }) => ({ headers: LOGO_HEADERS, body: await readLogo(ctx, params.id) }),
    names: async ({ ctx, query }) => {
      const limit = { key: `company names ${viewerId(ctx.viewer)}`, points: COMPANY_NAME_SEARCHES_PER_HOUR, perMs: HOUR_MS }
      if (revealsNames(ctx.viewer, query.search)) await countAttempt(ctx, limit, 'You have searched for many companies.')
      const visible = (viewer: Viewer) => nameableCompanies(viewer, query.search)
      return { data: await searchRecords(ctx, companyDatatable, { name: sql`companies.name`, visible }, query) }
    },
  },
  requireById(companyRecord),
)

/** The subscription with its term. What the company pays is shown to viewers who see subscriptions. */
function subscriptionsOf({ viewer, clock }: Context, record: CompanyRecord): z.input<typeof CompanySubscription>[] {
  const { subscription_id: id, subscription_name: name, subscribed_at, subscription_end: end, subscription_price, default_price } = record
  if (id === null || name === null || subscribed_at === null || end === null) return []
  const state = end > clock.now() ? 'active' : 'inactive'
  const price = can(viewer, 'view_subscriptions') ? (subscription_price ?? default_price) : null
  return [{ id, name, started_at: subscribed_at.toISOString(), ends_at: end.toISOString(), state, price }]
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
