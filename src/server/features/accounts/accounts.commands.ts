import { sql } from 'kysely'
import type { z } from 'zod'
import type { AccountInput, AccountUpdate } from '#contract/accounts.ts'
import { accountRules } from '#server/access/accounts.ts'
import { seesAllCompanies } from '#server/access/scope.ts'
import { visibleUsers } from '#server/access/users.ts'
import { can, viewerId } from '#server/access/viewer.ts'
import type { Context, WriteContext } from '#server/engines/context.ts'
import { emit } from '#server/engines/transaction/changes.ts'
import { recordActivity } from '#server/engines/transaction/activity.ts'
import { transact } from '#server/engines/transaction/transact.ts'
import { assertVersion } from '#server/engines/transaction/versions.ts'
import { conflict, forbidden, invalid } from '#server/kernel/errors.ts'
import { findAccount, type AccountRecord } from './accounts.queries.ts'

const NO_SUBSCRIPTION = 'Your company does not have a valid Subscription.'

type Input = z.output<typeof AccountInput>

export async function createAccount(ctx: Context, input: Input): Promise<AccountRecord> {
  if (!can(ctx.viewer, input.type === 'standard' ? 'create_standard_accounts' : 'create_simple_accounts')) throw forbidden()
  return transact(ctx, async (tx) => {
    const companyId = await owningCompany(tx, input.company_id ?? null)
    await requireSubscription(tx, companyId)
    const { users, company_id: _company, meta, file_retrieval_method, ...values } = input
    const { id } = await tx.db
      .insertInto('accounts')
      .values({
        ...values,
        company_id: companyId,
        meta: JSON.stringify(meta ?? []),
        // Without the choice the owner uploads (decisions Q24).
        file_retrieval_method: can(tx.viewer, 'create_standard_accounts') ? (file_retrieval_method ?? 'upload') : 'upload',
        status_id: await firstStatus(tx, companyId, input.type),
        created_by: viewerId(tx.viewer),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    if (users !== undefined) await setUsers(tx, id, users)
    await recordActivity(tx, { model: 'accounts', modelId: id, accountId: id, class: 'created', message: '{user} created this account' })
    emit(tx, { model: 'accounts', id, inAccount: id })
    return findAccount(tx, id)
  })
}

async function owningCompany(tx: WriteContext, asked: string | null): Promise<string> {
  const own = tx.viewer.kind === 'user' ? tx.viewer.companyId : null
  if (asked === null || asked === own) {
    if (own === null && asked === null) throw invalid({ company_id: ['Please choose a company.'] })
    return asked ?? own ?? ''
  }
  const company = await tx.db
    .selectFrom('companies')
    .select('id')
    .where('id', '=', asked)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (company === undefined || !seesAllCompanies(tx.viewer)) throw invalid({ company_id: ['Please choose a company.'] })
  return asked
}

/** Without a subscription that is running nothing new is begun; reading stays possible (decisions Q102). */
async function requireSubscription(tx: WriteContext, companyId: string): Promise<void> {
  if (tx.viewer.kind === 'system') return
  const { rows } = await sql`SELECT 1 FROM company_subscriptions x WHERE x.company_id = ${companyId}
    AND x.created_at + make_interval(months => x.term_months) > ${tx.clock.now()}`.execute(tx.db)
  if (rows.length === 0) throw conflict(NO_SUBSCRIPTION)
}

async function firstStatus(tx: WriteContext, companyId: string, type: Input['type']): Promise<string | null> {
  const model = type === 'standard' ? 'account' : 'simple_account'
  const row = await tx.db
    .selectFrom('statuses')
    .select('id')
    .where('company_id', '=', companyId)
    .where('model_type', '=', model)
    .orderBy('position')
    .executeTakeFirst()
  return row?.id ?? null
}

async function setUsers(tx: WriteContext, accountId: string, users: string[]): Promise<void> {
  const found =
    users.length === 0
      ? []
      : await tx.db
          .selectFrom('users')
          .select('id')
          .where('id', 'in', users)
          .where('deleted_at', 'is', null)
          .where(visibleUsers(tx.viewer))
          .execute()
  if (found.length !== new Set(users).size) throw invalid({ users: ['One of the users is not there any more.'] })
  await tx.db.deleteFrom('account_users').where('account_id', '=', accountId).execute()
  if (found.length > 0)
    await tx.db
      .insertInto('account_users')
      .values(found.map(({ id }) => ({ account_id: accountId, user_id: id })))
      .execute()
}

const FIELD_WORDS: Readonly<Record<string, string>> = {
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

export async function updateAccount(ctx: Context, id: string, input: z.output<typeof AccountUpdate>): Promise<AccountRecord> {
  return transact(ctx, async (tx) => {
    await tx.db.selectFrom('accounts').select('id').where('id', '=', id).forUpdate().execute()
    const before = await findAccount(tx, id)
    if (!accountRules(tx.viewer, before).update) throw forbidden()
    const { version, users, meta, company_id: _company, id: _id, account_id: _account, ...values } = input
    const changes = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))
    assertVersion(
      version,
      before.version,
      Object.fromEntries(Object.keys(changes).map((key) => [key, before[key as keyof AccountRecord]])),
      changes,
    ) // keys of the input are columns of the record
    await tx.db
      .updateTable('accounts')
      .set({ ...changes, ...(meta === undefined ? {} : { meta: JSON.stringify(meta) }), version: sql`version + 1` })
      .where('id', '=', id)
      .execute()
    if (users !== undefined) await setUsers(tx, id, users)
    const after = await findAccount(tx, id)
    const touched = [...Object.keys(changes), ...(meta === undefined ? [] : ['meta']), ...(users === undefined ? [] : ['users'])]
    const words = [
      ...new Set(
        touched
          .filter((key) => JSON.stringify(before[key as keyof AccountRecord]) !== JSON.stringify(after[key as keyof AccountRecord]))
          .map((key) => FIELD_WORDS[key] ?? key),
      ),
    ] // as above
    if (words.length > 0)
      await recordActivity(tx, {
        model: 'accounts',
        modelId: id,
        accountId: id,
        class: 'updated',
        message: `{user} changed ${words.join(', ')}`,
      })
    emit(tx, { model: 'accounts', id, inAccount: id })
    return after
  })
}
