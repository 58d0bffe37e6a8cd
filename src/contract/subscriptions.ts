import { z } from 'zod'
import { Cell, RowBase } from './datatable.ts'
import { formatPrice } from './format.ts'
import { RecordBase, recordCalls, updateOf } from './record.ts'
import { Id, text } from './route.ts'

export const SubscriptionRow = RowBase.extend({ name: Cell, price: Cell, term: Cell, companies: Cell, created_at: Cell })
export type SubscriptionRow = z.output<typeof SubscriptionRow>

export const Subscription = RecordBase.extend({
  name: z.string(),
  price: z.number(),
  term_months: z.number(),
  companies: z.array(z.object({ id: Id, name: z.string() })),
})
export type Subscription = z.output<typeof Subscription>

/** US dollars for one term. */
const PRICE_MAX = 10_000_000

export const SubscriptionInput = z.strictObject({
  name: text(120).min(1, 'Enter a name.'),
  price: z
    .number('Enter a price.')
    .min(0, 'The price cannot be negative.')
    .max(PRICE_MAX, `The price is at most ${formatPrice(PRICE_MAX)}.`)
    .multipleOf(0.01, 'Use at most two decimals.')
    .default(0),
  term_months: z
    .number('Enter a term in months.')
    .int('Use whole months.')
    .min(1, 'The term is at least 1 month.')
    .max(120, 'The term is at most 120 months.')
    .default(12),
})

export const subscriptionCalls = recordCalls('subscriptions', {
  row: SubscriptionRow,
  record: Subscription,
  input: SubscriptionInput,
  update: updateOf(SubscriptionInput),
})
