import { Button, Menu, type ButtonProps } from '@mantine/core'
import IconChevronDown from '@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs'
import IconEye from '@tabler/icons-react/dist/esm/icons/IconEye.mjs'
import { guestCalls } from '#contract/guests.ts'
import { api } from '#web/data/client.ts'
import { useCan } from '#web/data/session.ts'
import { useGuestTab } from './guest-tab.ts'

interface Viewed {
  accountId: string
  /** Whose view: that of an invitation or link, or of a person with a role. */
  as: { grant_id: string } | { role: string }
}

interface ViewAsProps extends ButtonProps, Viewed {
  label: string
}

/** Opens the account in a new tab as a person outside sees it. The tab has a session of its own. */
const useViewAs = ({ accountId, as }: Viewed) =>
  useGuestTab('preview', async () => {
    const { data } = await api(guestCalls.viewAs, { params: { id: accountId }, body: as })
    return { accountId: data.account_id, token: data.token, refreshToken: null }
  })

export function ViewAs({ accountId, as, label, ...button }: ViewAsProps) {
  const can = useCan()
  const { open, isOpening } = useViewAs({ accountId, as })
  if (!can('view_account_invites')) return null
  return (
    <Button variant="default" leftSection={<IconEye size={16} aria-hidden />} {...button} loading={isOpening} onClick={open}>
      {label}
    </Button>
  )
}

interface ViewAsRoleProps {
  accountId: string
  roles: readonly { name: string; label: string }[]
}

/** Opens the account as a person who is invited with a role sees it. */
export function ViewAsRole({ accountId, roles }: ViewAsRoleProps) {
  if (roles.length === 0) return null
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" leftSection={<IconEye size={16} aria-hidden />} rightSection={<IconChevronDown size={14} aria-hidden />}>
          View as
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {roles.map(({ name, label }) => (
          <RoleItem key={name} accountId={accountId} as={{ role: name }} label={label} />
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

function RoleItem({ label, ...viewed }: Viewed & { label: string }) {
  const { open } = useViewAs(viewed)
  return <Menu.Item onClick={open}>{label}</Menu.Item>
}
