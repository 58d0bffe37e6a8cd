import { sql } from 'kysely'
import type { CompanyInput } from '#contract/companies.ts'
import type { WriteContext } from '#server/engines/context.ts'
import type { Patch } from '#server/engines/record/define-record.ts'
import { invalid } from '#server/kernel/errors.ts'
import type { z } from 'zod'
import type { CompanyRecord } from './companies.queries.ts'

/** The parts of a company's input that need `update_subscriptions`. */
const PARTS = ['subscription_id', 'subscription_start', 'subscription_price'] as const
type SubscriptionPart = (typeof PARTS)[number]
type Sent = Patch<Pick<z.output<typeof CompanyInput>, SubscriptionPart>>

/** Whether the input has another subscription, start or price than the company. */
export const changesSubscription = (sent: Sent, before: CompanyRecord | undefined): boolean =>
  PARTS.some((part) => sent[part] !== undefined && sent[part] !== (before?.[part] ?? null))

/** Gives the company a subscription, its start and its own price, or takes the subscription from it. What was not sent stays as it is. */
export async function setSubscription(tx: WriteContext, companyId: string, sent: Sent, before: CompanyRecord | undefined): Promise<void> {
  if (sent.subscription_id === null) {
    await tx.db.deleteFrom('company_subscriptions').where('company_id', '=', companyId).execute()
    return
  }
  if (sent.subscription_id !== undefined) await subscribe(tx, companyId, sent.subscription_id)
  const { subscription_start: start, subscription_price: price } = sent
  const isStartChanged = start !== undefined && start !== (before?.subscription_start ?? null)
  if (!isStartChanged && price === undefined) return
  const subscribed = before?.subscription_id ?? sent.subscription_id
  if (subscribed === undefined) {
    if (start || (price ?? null) !== null) throw invalid({ subscription_id: ['Choose a subscription first.'] })
    return
  }
  if (isStartChanged && !start) throw invalid({ subscription_start: ['Enter the date on which the subscription starts.'] })
  await tx.db
    .updateTable('company_subscriptions')
    .where('company_id', '=', companyId)
    .set({
      ...(price === undefined ? {} : { own_price: price }),
      ...(isStartChanged
        ? { created_at: sql<Date>`(SELECT ${start}::timestamp AT TIME ZONE c.timezone FROM companies c WHERE c.id = ${companyId})` }
        : {}),
    })
    .execute()
}

/** Keeps the local date on which the subscription starts, after the time zone of the company was saved. */
export async function moveStart(tx: WriteContext, companyId: string, zoneBefore: string): Promise<void> {
  await sql`UPDATE company_subscriptions SET created_at = (company_subscriptions.created_at AT TIME ZONE ${zoneBefore}) AT TIME ZONE c.timezone
    FROM companies c WHERE c.id = company_id AND company_id = ${companyId} AND c.timezone <> ${zoneBefore}`.execute(tx.db)
}

/** Starts the term of a subscription today, unless the company has it already. Throws an error on the field `subscription_id`. */
export async function subscribe(tx: WriteContext, companyId: string, subscriptionId: string): Promise<void> {
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
