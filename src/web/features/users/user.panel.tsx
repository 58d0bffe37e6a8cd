import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { User } from '#contract/users.ts'
import { queries } from '#web/data/queries.ts'
import { useCan, useSession } from '#web/data/session.ts'
import { Facts } from '#web/engines/panel/facts.tsx'
import { PanelContent } from '#web/engines/panel/panel-states.tsx'
import { RoutePanel } from '#web/engines/panel/route-panel.tsx'
import { useOpenPanel } from '#web/engines/panel/use-record-panel.ts'
import { paths } from '#web/paths.ts'
import { formatDate, formatDateTime } from '#contract/format.ts'
import { useUserPlace } from './user-place.ts'

const factsOf = (user: User, zone: string, seesCompany: boolean) => [
  { label: 'Email', value: <a href={`mailto:${user.email}`}>{user.email}</a> },
  { label: 'Cell phone', value: user.cell_phone },
  {
    label: 'Company',
    value: seesCompany ? (
      <Link to={paths.userCompany(user.company.id)} search={true}>
        {user.company.name}
      </Link>
    ) : (
      user.company.name
    ),
  },
  { label: 'Roles', value: user.roles.map(({ label }) => label).join(', ') },
  { label: 'Email 2FA', value: user.enable_2fa ? 'On' : 'Off' },
  { label: 'Last sign-in', value: user.last_login_at === null ? 'Never' : formatDateTime(user.last_login_at, zone) },
  { label: 'Created', value: formatDate(user.created_at, zone) },
]

export function UserPanel() {
  const { id, listPath, editPath } = useUserPlace()
  const query = useQuery(queries.user(id))
  const zone = useSession().auth_user.company.timezone
  const can = useCan()
  const open = useOpenPanel()
  const edit = can('update_users') && query.data?.accessible_features.update === true
  return (
    <RoutePanel
      title={query.data?.full_name ?? 'User'}
      size="small"
      closeTo={listPath}
      actions={
        edit && (
          <Button variant="default" onClick={() => open(editPath)}>
            Edit
          </Button>
        )
      }
    >
      <PanelContent query={query}>{(user) => <Facts facts={factsOf(user, zone, can('view_company_details'))} />}</PanelContent>
    </RoutePanel>
  )
}
