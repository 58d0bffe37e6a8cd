import { sql } from 'kysely'
import type { z } from 'zod'
import type { AccountInput } from '#contract/accounts.ts'
import { seesAllCompanies } from '#server/access/scope.ts'
import { visibleUsers } from '#server/access/users.ts'
import { can, viewerId } from '#server/access/viewer.ts'
import type { WriteContext } from '#server/engines/context.ts'
import type { ActivityText, RecordEvent, Save } from '#server/engines/record/define-record.ts'
import { conflict, forbidden, invalid } from '#server/kernel/errors.ts'
import type { AccountRecord } from './accounts.queries.ts'

type Input = z.output<typeof AccountInput>
type AccountSave = Save<AccountRecord, Input>

const CHOOSE_COMPANY = 'Please choose a company.'

export async function beforeSave(tx: WriteContext, save: AccountSave) {
  // An update may repeat the id of the account; its company and type never change.
  const {
    id: _id,
    account_id: _account,
    users: _users,
    company_id,
    type,
    meta,
    ...columns
  } = save.input as typeof save.input & { id?: string; account_id?: string }
  const stored = { ...columns, meta: meta === undefined ? undefined : JSON.stringify(meta) }
  if (save.kind === 'updated') return stored
  const kind = type ?? 'managed'
  const isStandard = can(tx.viewer, 'create_standard_accounts')
  if (!(kind === 'standard' ? isStandard : can(tx.viewer, 'create_simple_accounts'))) throw forbidden()
  const companyId = await ownerOf(tx, company_id ?? null)
  await requireSubscription(tx, companyId)
  return {
    ...stored,
    type: kind,
    company_id: companyId,
    meta: stored.meta ?? '[]',
    // Only viewers with the choice may hand the collection of documents to the provider.
    file_retrieval_method: isStandard ? (columns.file_retrieval_method ?? 'upload') : 'upload',
    status_id: await firstStatus(tx, companyId, kind),
    created_by: viewerId(tx.viewer),
  } as const
}

async function ownerOf(tx: WriteContext, requested: string | null): Promise<string> {
  const own = tx.viewer.kind === 'user' ? tx.viewer.companyId : null
  const companyId = requested ?? own
  if (companyId === null) throw invalid({ company_id: [CHOOSE_COMPANY] })
  if (companyId === own) return companyId
  const company = await tx.db
    .selectFrom('companies')
    .select('id')
    .where('id', '=', companyId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (company === undefined || !seesAllCompanies(tx.viewer)) throw invalid({ company_id: [CHOOSE_COMPANY] })
  return companyId
}

/** A company without an active subscription can read everything, but not start anything new. */
async function requireSubscription(tx: WriteContext, companyId: string): Promise<void> {
  if (tx.viewer.kind === 'system') return
  const { rows } = await sql`SELECT 1 FROM company_subscriptions x WHERE x.company_id = ${companyId}
    AND x.created_at + make_interval(months => x.term_months) > ${tx.clock.now()}`.execute(tx.db)
  if (rows.length === 0) throw conflict('Your company does not have a valid Subscription.')
}

async function firstStatus(tx: WriteContext, companyId: string, type: Input['type']): Promise<string | null> {
  const row = await tx.db
    .selectFrom('statuses')
    .select('id')
    .where('company_id', '=', companyId)
    .where('model_type', '=', type === 'standard' ? 'account' : 'simple_account')
    .orderBy('position')
    .executeTakeFirst()
  return row?.id ?? null
}

/** Replaces the users with access, if they were sent. */
export async function afterSave(tx: WriteContext, accountId: string, { input: { users } }: AccountSave): Promise<void> {
  if (users === undefined) return
  await tx.db.deleteFrom('account_users').where('account_id', '=', accountId).execute()
  if (users.length === 0) return
  const found = await tx.db
    .selectFrom('users')
    .select('id')
    .where('id', 'in', users)
    .where('deleted_at', 'is', null)
    .where(visibleUsers(tx.viewer))
    .execute()
  if (found.length !== new Set(users).size) throw invalid({ users: ['One of the users no longer exists.'] })
  await tx.db
    .insertInto('account_users')
    .values(found.map(({ id }) => ({ account_id: accountId, user_id: id })))
    .execute()
}

const FIELD_LABELS: Readonly<Record<string, string>> = {
  name: 'the name',
  account_number: 'the account number',
  broker_company_id: 'the broker',
  broker_name: 'the broker',
  carrier_company_id: 'the carrier',
  carrier_name: 'the carrier',
  effective_date: 'the effective date',
  expiration_date: 'the expiration date',
  website: 'the website',
  meta: 'the details',
  users: 'the users',
  send_new_files_notification: 'the file notifications',
  show_vanity_by_default: 'the naming of documents',
  file_retrieval_method: 'how documents are collected',
}

/** One line for each event; an update names the fields that changed. A permanently deleted account has no history to write to. */
export function describeAccount(event: RecordEvent<AccountRecord, Input>): ActivityText[] {
  if (event.kind === 'destroyed') return []
  if (event.kind === 'created') return [{ id: event.record.id, message: '{user} created this account' }]
  if (event.kind !== 'updated') return event.records.map(({ id }) => ({ id, message: `{user} ${event.kind} this account` }))
  const [before, after] = [new Map(Object.entries(event.before)), new Map(Object.entries(event.record))]
  const changed = Object.keys(event.input).filter((name) => JSON.stringify(before.get(name)) !== JSON.stringify(after.get(name)))
  const labels = [...new Set(changed.map((name) => FIELD_LABELS[name] ?? name))]
  return labels.length === 0 ? [] : [{ id: event.record.id, message: `{user} changed ${labels.join(', ')}` }]
}
