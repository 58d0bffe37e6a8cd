import { Button, type ButtonProps } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import IconEye from '@tabler/icons-react/dist/esm/icons/IconEye.mjs'
import { guestCalls } from '#contract/guests.ts'
import { api } from '#web/data/client.ts'
import { useCan } from '#web/data/session.ts'
import { storeTokensIn } from '#web/data/tokens.ts'
import { paths } from '#web/paths.ts'
import { toast } from '#web/ui/toast.tsx'
import { showError } from './show-error.ts'

interface ViewAsProps extends ButtonProps {
  accountId: string
  /** Whose view: that of an invitation or link, or of a person with a role. */
  as: { grant_id: string } | { role: string }
  label: string
}

/** Opens the account in a new tab as a person outside sees it. The tab has a session of its own. */
export function ViewAs({ accountId, as, label, ...button }: ViewAsProps) {
  const can = useCan()
  const opening = useMutation({
    mutationFn: async (tab: Window) => {
      const { data } = await api(guestCalls.viewAs, { params: { id: accountId }, body: as })
      storeTokensIn(tab, { token: data.token, refreshToken: null, remember: false, challenge: false })
      tab.location.replace(paths.account(data.account_id))
    },
    onError: (error, tab) => {
      tab.close()
      showError(error)
    },
  })
  if (!can('view_account_invites')) return null
  const open = () => {
    // During the click, because browsers block windows that are opened later.
    const tab = window.open('about:blank', '_blank')
    if (tab === null) toast.warning('Your browser blocked the new tab. Allow pop-ups for this page and try again.')
    else opening.mutate(tab)
  }
  return (
    <Button variant="default" leftSection={<IconEye size={16} aria-hidden />} {...button} loading={opening.isPending} onClick={open}>
      {label}
    </Button>
  )
}
