import { formatPrice, plural } from '#contract/format.ts'
import { defineView } from '#web/engines/model/model-view.ts'

export const subscriptions = defineView({
  model: 'subscriptions',
  title: ({ name }) => name,
  facts: ({ price, term_months, companies, created_at }, { date }) => [
    { label: 'Price', value: formatPrice(price) },
    { label: 'Term', value: plural(term_months, 'month') },
    { label: 'Companies', value: companies.map(({ name }) => name).join(', ') },
    { label: 'Created', value: date(created_at) },
  ],
})
