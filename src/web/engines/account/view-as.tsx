import { Button, type ButtonProps } from '@mantine/core'
import IconEye from '@tabler/icons-react/dist/esm/icons/IconEye.mjs'
import { guestCalls } from '#contract/guests.ts'
import { api } from '#web/data/client.ts'
import { useCan } from '#web/data/session.ts'
import { useGuestTab } from './guest-tab.ts'

interface ViewAsProps extends ButtonProps {
  accountId: string
  /** Whose view: that of an invitation or link, or of a person with a role. */
  as: { grant_id: string } | { role: string }
  label: string
}

/** Opens the account in a new tab as a person outside sees it. The tab has a session of its own. */
export function ViewAs({ accountId, as, label, ...button }: ViewAsProps) {
  const can = useCan()
  const { open, isOpening } = useGuestTab('preview', async () => {
    const { data } = await api(guestCalls.viewAs, { params: { id: accountId }, body: as })
    return { accountId: data.account_id, token: data.token, refreshToken: null }
  })
  if (!can('view_account_invites')) return null
  return (
    <Button variant="default" leftSection={<IconEye size={16} aria-hidden />} {...button} loading={isOpening} onClick={open}>
      {label}
    </Button>
  )
}
