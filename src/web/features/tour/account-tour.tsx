import { Button } from '@mantine/core'
import IconRoute from '@tabler/icons-react/dist/esm/icons/IconRoute.mjs'
import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { useState } from 'react'
import type { Account } from '#contract/accounts.ts'
import { carriesUploadOnly } from '#contract/default-roles.ts'
import { accountQueries } from '#web/data/account-queries.ts'
import { useLiveChat } from '#web/data/live-chat.ts'
import { useCan, useSession } from '#web/data/session.ts'
import { lazyPart } from '#web/engines/lazy-part.tsx'
import { paths } from '#web/paths.ts'
import { InTools } from '#web/ui/page-title.ts'
import { hasSeenTour, rememberTour } from './seen-tour.ts'
import { tourSteps } from './steps.ts'

const Tour = lazyPart(async () => (await import('./tour.tsx')).Tour)

interface AccountTourProps {
  id: string
  /** Whether the guest works on the account, on the page of members. */
  works: boolean
}

/** For guests who do not only upload: a tour of the account, which opens by itself on their first visit but not in a preview, and a button for it. */
export function AccountTour({ id, works }: AccountTourProps) {
  const { via_invite, via_share_link, roles } = useSession().auth_user
  const { pathname } = useLocation()
  // Panels over the account have addresses of their own.
  const isHere = pathname.replace(/\/$/, '') === paths.account(id)
  const isGuest = (via_invite || via_share_link) && !carriesUploadOnly(roles)
  const account = useQuery({ ...accountQueries.account(id), enabled: isGuest }).data
  return isGuest && isHere && account !== undefined && <TourOf key={id} account={account} works={works} />
}

const isCollecting = ({ type, status }: Account) => type === 'managed' && (status?.state === 'uploading' || status?.state === 'processing')

function TourOf({ account, works }: { account: Account; works: boolean }) {
  const can = useCan()
  const { auth_user } = useSession()
  const chat = useLiveChat()
  const collecting = isCollecting(account)
  const [opened, setOpened] = useState(() => !collecting && !auth_user.via_preview && !hasSeenTour())
  const steps = tourSteps({
    can,
    hasBell: !auth_user.via_invite && !auth_user.via_share_link,
    hasChat: chat !== undefined,
    hasDiscrepancies: works,
    collecting: collecting && !can('manage_simple_accounts'),
  })
  const close = () => {
    rememberTour()
    setOpened(false)
  }
  return (
    <>
      <InTools>
        <Button
          variant="subtle"
          color="gray"
          px={10}
          c="var(--ink)"
          fz={14}
          fw={500}
          leftSection={<IconRoute size={18} aria-hidden />}
          aria-label="View Tour"
          onClick={() => setOpened(true)}
        >
          <span className="mantine-visible-from-sm">View Tour</span>
        </Button>
      </InTools>
      {opened && <Tour account={account} steps={steps} onClose={close} />}
    </>
  )
}
