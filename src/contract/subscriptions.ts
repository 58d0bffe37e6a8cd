import { z } from 'zod'
import { Cell, RowBase } from './datatable.ts'
import { formatExactMoney } from './format.ts'
import { SUBSCRIPTION_COMPANIES_MAX } from './limits.ts'
import { RecordBase, recordCalls, updateOf } from './record.ts'
import { Id, text } from './route.ts'

export const SubscriptionRow = RowBase.extend({ name: Cell, price: Cell, term: Cell, companies: Cell, created_at: Cell })
export type SubscriptionRow = z.output<typeof SubscriptionRow>

export const Subscription = RecordBase.extend({
  name: z.string(),
  price: z.number(),
  term_months: z.number(),
  companies: z.array(
    z.object({
      id: Id,
      name: z.string(),
      started_at: z.string(),
      ends_at: z.string(),
      state: z.enum(['active', 'inactive']),
      own_price: z.number().nullable(),
    }),
  ),
})
export type Subscription = z.output<typeof Subscription>

/** US dollars for one term. */
const PRICE_MAX = 10_000_000

export const Price = z
  .number('Enter a price.')
  .min(0, 'The price cannot be negative.')
  .max(PRICE_MAX, `The price is at most ${formatExactMoney(PRICE_MAX)}.`)
  .multipleOf(0.01, 'Use at most two decimals.')

export const SubscriptionInput = z.strictObject({
  name: text(120).min(1, 'Enter a name.'),
  price: Price.default(0),
  term_months: z
    .number('Enter a term in months.')
    .int('Use whole months.')
    .min(1, 'The term is at least 1 month.')
    .max(120, 'The term is at most 120 months.')
    .default(12),
  /** All companies that have the subscription. */
  companies: z.array(Id).max(SUBSCRIPTION_COMPANIES_MAX, `Choose at most ${SUBSCRIPTION_COMPANIES_MAX} companies.`).optional(),
})

export const subscriptionCalls = recordCalls('subscriptions', {
  row: SubscriptionRow,
  record: Subscription,
  input: SubscriptionInput,
  update: updateOf(SubscriptionInput),
})
