import { Link } from '@tanstack/react-router'
import { USER_STATES } from '#contract/users.ts'
import { defineView } from '#web/engines/model/model-view.ts'
import { paths } from '#web/paths.ts'
import { UserCommands } from './user-commands.tsx'

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
    {
      label: 'State',
      value:
        user.deactivated_at === null ? (
          USER_STATES.active
        ) : (
          <>
            {USER_STATES.deactivated} since {date(user.deactivated_at)}
          </>
        ),
    },
    { label: 'Email 2FA', value: user.enable_2fa ? 'On' : 'Off' },
    { label: 'Authenticator app', value: user.has_authenticator_app ? 'On' : 'Off' },
    { label: 'Passkeys', value: user.passkeys === 0 ? 'None' : user.passkeys },
    { label: 'Last sign-in', value: user.last_login_at === null ? 'Never' : date(user.last_login_at) },
    { label: 'Created', value: date(user.created_at) },
  ],
  below: (user) => <UserCommands user={user} />,
  // For a selection, users who are in that state already stay as they are.
  appliesTo: (action, row) => {
    const isActive = row?.state.text === USER_STATES.active
    return row === null || action === 'send_welcome'
      ? row === null || isActive
      : action === 'reactivate'
        ? !isActive
        : action !== 'deactivate' || isActive
  },
})
