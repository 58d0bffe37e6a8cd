import { formatNumber } from '#contract/format.ts'
import { defineView } from '#web/engines/model/model-view.ts'
import { RelatedItems, RelatedList } from '#web/engines/model/related-list.tsx'
import { Facts } from '#web/engines/panel/facts.tsx'
import { paths } from '#web/paths.ts'
import { RolePermissions } from './role-permissions.tsx'

export const roles = defineView({
  model: 'roles',
  title: ({ label }) => label,
  facts: ({ company, created_at }, { date }) => [
    { label: 'Company', value: company?.name ?? 'All companies' },
    { label: 'Created', value: date(created_at) },
  ],
  below: ({ id, company, permissions, users, companies, deleted_at }, { can }) => (
    <>
      <RelatedList
        model="users"
        title="Users"
        none="No user has this role."
        filters={{ role_id: id }}
        item={(row) => ({ name: row.name.text, detail: row.company.text, to: paths.user(row.id) })}
        add={can('create_users') && deleted_at === null && { label: 'Add user', to: paths.newUserWithRole(id, company?.id) }}
        all={paths.usersWithRole(id)}
      />
      {!can('view_users_component') && <Facts facts={[{ label: 'Users', value: formatNumber(users) }]} />}
      <RelatedItems
        title="Companies"
        none="No company has users with this role."
        items={companies.map((company) => ({
          ...company,
          to: can('view_companies_component') && can('view_company_details') ? paths.company(company.id) : undefined,
        }))}
        all={can('view_companies_component') && paths.companiesWithRole(id)}
      />
      <RolePermissions permissions={permissions} />
    </>
  ),
})
