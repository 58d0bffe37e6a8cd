import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { languageLabel, type Company } from '#contract/companies.ts'
import { formatNumber, formatExactMoney } from '#contract/format.ts'
import { USER_STATES } from '#contract/users.ts'
import { queries } from '#web/data/queries.ts'
import { defineView, type Viewer } from '#web/engines/model/model-view.ts'
import { RelatedItems, RelatedList } from '#web/engines/model/related-list.tsx'
import { CompanyLogo, LogoImage } from '#web/engines/upload/company-logo.tsx'
import { paths } from '#web/paths.ts'
import { companyContents } from './company-contents.ts'

export const companies = defineView({
  model: 'companies',
  title: ({ name }) => name,
  facts: (company, viewer) => [
    ...(company.logo_url === null ? [] : [{ label: 'Logo', value: <LogoImage name={company.name} url={company.logo_url} /> }]),
    { label: 'Language', value: languageLabel(company.language) },
    { label: 'Time zone', value: company.timezone.replaceAll('_', ' ') },
    { label: 'Accounts', value: <Accounts company={company} viewer={viewer} /> },
    { label: 'Created', value: viewer.date(company.created_at) },
    { label: 'Updated', value: viewer.date(company.updated_at) },
  ],
  below: (company, viewer) => (
    <>
      <CompanyUsers company={company} viewer={viewer} />
      <CompanySubscriptions company={company} viewer={viewer} />
    </>
  ),
  aboveForm: (id) => <LogoInForm id={id} />,
  loadContents: companyContents,
})

interface PartProps {
  company: Company
  viewer: Viewer
}

/** Opens the list with exactly these accounts, for viewers who see all of them. */
function Accounts({ company: { id, accounts }, viewer: { can } }: PartProps) {
  const count = formatNumber(accounts)
  if (!can('view_accounts_component') || !can('view_all_system_companies')) return count
  return <Link to={paths.accountsOf(id)}>{count}</Link>
}

function CompanyUsers({ company: { id, deleted_at }, viewer: { can } }: PartProps) {
  const isInside = can('view_companies_component')
  return (
    <RelatedList
      model="users"
      title="Users"
      none="No users."
      filters={{ company_id: id }}
      item={(row) => ({
        name: row.name.text,
        detail: row.state.text === USER_STATES.active ? row.roles.text : `${row.roles.text} · ${row.state.text}`,
        to: isInside ? paths.companyUser(id, row.id) : paths.user(row.id),
      })}
      add={can('create_users') && isInside && deleted_at === null && { label: 'Add user', to: paths.newCompanyUser(id) }}
      all={paths.usersOf(id)}
    />
  )
}

function CompanySubscriptions({ company: { id, subscriptions }, viewer: { can, date } }: PartProps) {
  return (
    <RelatedItems
      title="Subscription"
      none="No subscription."
      items={subscriptions.map(({ id: subscription, name, state, started_at, ends_at, price }) => ({
        id: subscription,
        name,
        to: can('view_subscriptions') && can('view_companies_component') ? paths.companySubscription(id, subscription) : undefined,
        detail: (
          <>
            {state === 'active' ? 'Active' : 'Inactive'}, {date(started_at)} to {date(ends_at)}
            {price !== null && `, ${formatExactMoney(price)}`}
          </>
        ),
      }))}
    />
  )
}

function LogoInForm({ id }: { id: string }) {
  const { data } = useQuery(queries.record('companies', id))
  return data === undefined ? null : <CompanyLogo company={data} />
}
