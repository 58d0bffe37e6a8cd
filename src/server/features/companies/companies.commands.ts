import { sql } from 'kysely'
import type { z } from 'zod'
import type { CompanyInput, CompanyUpdate } from '#contract/companies.ts'
import { viewerId } from '#server/access/viewer.ts'
import type { Context, WriteContext } from '#server/engines/context.ts'
import { emit } from '#server/engines/transaction/changes.ts'
import { record } from '#server/engines/transaction/record.ts'
import { transact } from '#server/engines/transaction/transact.ts'
import { assertVersion } from '#server/engines/transaction/versions.ts'
import { conflict, forbidden } from '#server/kernel/errors.ts'
import { companyDatatable } from './companies.datatable.ts'
import { findCompany, type CompanyRecord } from './companies.queries.ts'
import { visibleIds } from '#server/engines/datatable/index-list.ts'
import { DEFAULT_STATUSES } from './default-statuses.ts'

const OWN_COMPANY = 'You cannot delete your own company.'

export async function createCompany(ctx: Context, input: z.output<typeof CompanyInput>): Promise<CompanyRecord> {
  return transact(ctx, async (tx) => {
    const { subscription_id, ...values } = input
    const { id } = await tx.db
      .insertInto('companies')
      .values({ ...values, created_by: viewerId(tx.viewer) })
      .returning('id')
      .executeTakeFirstOrThrow()
    await tx.db
      .insertInto('statuses')
      .values(DEFAULT_STATUSES.map((status) => ({ ...status, company_id: id })))
      .execute()
    await setSubscription(tx, id, subscription_id)
    await record(tx, { model: 'companies', modelId: id, class: 'created', message: '{user} created this company' })
    emit(tx, { model: 'companies', id, for: principalsOf(tx, id) })
    return findCompany(tx, id)
  })
}

export async function updateCompany(ctx: Context, id: string, input: z.output<typeof CompanyUpdate>): Promise<CompanyRecord> {
  return transact(ctx, async (tx) => {
    await tx.db.selectFrom('companies').select('id').where('id', '=', id).forUpdate().execute()
    const before = await findCompany(tx, id)
    const { subscription_id, version, ...values } = input
    assertVersion(version, before.version, { name: before.name, timezone: before.timezone }, values)
    const changes = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))
    await tx.db
      .updateTable('companies')
      .set({ ...changes, version: sql`version + 1`, updated_at: tx.clock.now() })
      .where('id', '=', id)
      .execute()
    await setSubscription(tx, id, subscription_id)
    await record(tx, { model: 'companies', modelId: id, class: 'updated', message: '{user} changed this company' })
    emit(tx, { model: 'companies', id, for: principalsOf(tx, id) })
    // The name stands in every list of its accounts and people, whoever reads them.
    for (const model of ['accounts', 'users'] as const) emit(tx, { model, id: null, everywhere: true })
    return findCompany(tx, id)
  })
}

const principalsOf = (tx: WriteContext, id: string): string[] => (tx.viewer.kind === 'user' ? [id, tx.viewer.companyId] : [id])

async function setSubscription(tx: WriteContext, companyId: string, subscriptionId: string | null | undefined): Promise<void> {
  if (subscriptionId === undefined) return
  if (subscriptionId === null) {
    await tx.db.deleteFrom('company_subscriptions').where('company_id', '=', companyId).execute()
    return
  }
  const chosen = await tx.db
    .selectFrom('subscriptions')
    .select('term_months')
    .where('id', '=', subscriptionId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (chosen === undefined) throw conflict('This subscription no longer exists. Please choose another.')
  await tx.db
    .insertInto('company_subscriptions')
    .values({ company_id: companyId, subscription_id: subscriptionId, term_months: chosen.term_months })
    .onConflict((on) =>
      on
        .column('company_id')
        .doUpdateSet({ subscription_id: subscriptionId, term_months: chosen.term_months, created_at: tx.clock.now() })
        .where('company_subscriptions.subscription_id', '<>', subscriptionId),
    )
    .execute()
}

/** Into the trash with its people and accounts, which it takes along and brings back (decisions Q111). */
export async function trashCompanies(ctx: Context, ids: string[], force: boolean): Promise<void> {
  await setTrash(ctx, ids, force ? 'only' : 'live', async (tx, found) => {
    if (tx.viewer.kind === 'user' && found.includes(tx.viewer.companyId)) throw forbidden(OWN_COMPANY)
    const now = tx.clock.now()
    if (force) {
      const used = await tx.db.selectFrom('accounts').select('id').where('company_id', 'in', found).executeTakeFirst()
      if (used !== undefined) throw conflict('This company still has accounts. Delete them for ever first.')
      await tx.db.deleteFrom('users').where('company_id', 'in', found).execute()
      await tx.db.deleteFrom('companies').where('id', 'in', found).execute()
      return
    }
    await tx.db.updateTable('companies').set({ deleted_at: now }).where('id', 'in', found).execute()
    await tx.db.updateTable('users').set({ deleted_at: now }).where('company_id', 'in', found).where('deleted_at', 'is', null).execute()
    await tx.db.updateTable('accounts').set({ deleted_at: now }).where('company_id', 'in', found).where('deleted_at', 'is', null).execute()
  })
}

export async function restoreCompanies(ctx: Context, ids: string[]): Promise<void> {
  await setTrash(ctx, ids, 'only', async (tx, found) => {
    const trashed = await tx.db.selectFrom('companies').select(['id', 'deleted_at']).where('id', 'in', found).execute()
    for (const { id, deleted_at } of trashed) {
      for (const table of ['users', 'accounts'] as const) {
        await tx.db.updateTable(table).set({ deleted_at: null }).where('company_id', '=', id).where('deleted_at', '=', deleted_at).execute()
      }
    }
    await tx.db.updateTable('companies').set({ deleted_at: null }).where('id', 'in', found).execute()
  })
}

async function setTrash(
  ctx: Context,
  ids: string[],
  from: 'live' | 'only',
  work: (tx: WriteContext, ids: string[]) => Promise<void>,
): Promise<void> {
  await transact(ctx, async (tx) => {
    const found = await visibleIds(tx, companyDatatable, ids, from)
    if (found.length !== new Set(ids).size) throw conflict('One of the companies is not there any more. Please reload the list.')
    await work(tx, found)
    for (const id of found) emit(tx, { model: 'companies', id, for: principalsOf(tx, id) })
    for (const model of ['accounts', 'users'] as const) emit(tx, { model, id: null, everywhere: true })
  })
}
