import { formatExactMoney, plural } from '#contract/format.ts'
import { defineView } from '#web/engines/model/model-view.ts'
import { RelatedItems } from '#web/engines/model/related-list.tsx'
import { paths } from '#web/paths.ts'

export const subscriptions = defineView({
  model: 'subscriptions',
  title: ({ name }) => name,
  facts: ({ price, term_months, created_at }, { date }) => [
    { label: 'Price', value: formatExactMoney(price) },
    { label: 'Term', value: plural(term_months, 'month') },
    { label: 'Created', value: date(created_at) },
  ],
  below: ({ id, companies, deleted_at }, { can, date }) => {
    const opensCompanies = can('view_companies_component') && can('view_company_details')
    return (
      <RelatedItems
        title="Companies"
        none="No company has this subscription."
        items={companies.map(({ id: company, name, state, started_at, ends_at, own_price }) => ({
          id: company,
          name,
          to: opensCompanies ? paths.company(company) : undefined,
          detail: (
            <>
              {state === 'active' ? 'Active' : 'Inactive'}, {date(started_at)} to {date(ends_at)}
              {own_price !== null && `, own price ${formatExactMoney(own_price)}`}
            </>
          ),
        }))}
        add={
          can('create_companies') &&
          can('update_subscriptions') &&
          opensCompanies &&
          deleted_at === null && { label: 'Add company', to: paths.newCompanyWith(id) }
        }
        all={opensCompanies && paths.companiesWithSubscription(id)}
      />
    )
  },
})
