import { Link } from '@tanstack/react-router'
import { defineView } from '#web/engines/model/model-view.ts'
import { paths } from '#web/paths.ts'

export const users = defineView({
  model: 'users',
  title: ({ full_name }) => full_name,
  facts: (user, { can, date }) => [
    { label: 'Email', value: <a href={`mailto:${user.email}`}>{user.email}</a> },
    { label: 'Cell phone', value: user.cell_phone },
    {
      label: 'Company',
      value: can('view_company_details') ? (
        <Link to={paths.userCompany(user.company.id)} search={true}>
          {user.company.name}
        </Link>
      ) : (
        user.company.name
      ),
    },
    { label: 'Roles', value: user.roles.map(({ label }) => label).join(', ') },
    { label: 'Email 2FA', value: user.enable_2fa ? 'On' : 'Off' },
    { label: 'Last sign-in', value: user.last_login_at === null ? 'Never' : date(user.last_login_at) },
    { label: 'Created', value: date(user.created_at) },
  ],
})
