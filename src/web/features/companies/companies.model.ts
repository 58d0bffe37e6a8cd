import { languageLabel } from '#contract/companies.ts'
import { formatNumber } from '#contract/format.ts'
import { defineView } from '#web/engines/model/model-view.ts'

export const companies = defineView({
  model: 'companies',
  title: ({ name }) => name,
  facts: (company, { date }) => [
    { label: 'Language', value: languageLabel(company.language) },
    { label: 'Time zone', value: company.timezone.replaceAll('_', ' ') },
    { label: 'Subscription', value: company.subscriptions.map(({ name }) => name).join(', ') },
    { label: 'Users', value: formatNumber(company.users) },
    { label: 'Accounts', value: formatNumber(company.accounts) },
    { label: 'Created', value: date(company.created_at) },
    { label: 'Updated', value: date(company.updated_at) },
  ],
})
