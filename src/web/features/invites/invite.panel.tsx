import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import type { Invite } from '#contract/account-invites.ts'
import { grantQueries } from '#web/data/grant-queries.ts'
import { useCan, useSession } from '#web/data/session.ts'
import { Facts } from '#web/engines/panel/facts.tsx'
import { PanelContent } from '#web/engines/panel/panel-states.tsx'
import { RoutePanel, useClosePanel } from '#web/engines/panel/route-panel.tsx'
import { TitledSection } from '#web/ui/titled-section.tsx'
import { paths } from '#web/paths.ts'
import { CopyField } from '#web/ui/copy-field.tsx'
import { DateText } from '#web/ui/date-text.tsx'
import { COPIED, InviteLinkDialog } from './invite-link-dialog.tsx'
import classes from './invites.module.css'
import { InviteCommands } from './invite-commands.tsx'
import { useInviteFailure } from './use-invite-failure.ts'
import { VisitsOf } from './visits-of.tsx'

/** One invitation: its person, its link, what was seen with it, and what can be done with it. */
export function InvitePanel({ id, invite_id: inviteId }: { id: string; invite_id: string }) {
  const query = useQuery(grantQueries.invite(inviteId))
  const close = useClosePanel(paths.account(id))
  const mayShare = useCan()('update_account_sharing')
  const [again, setAgain] = useState<Invite | null>(null)
  const [ended, setEnded] = useState(false)
  const failed = useEffectEvent(useInviteFailure())
  const { error } = query
  useEffect(() => {
    if (error !== null && !ended) failed(error)
  }, [error, ended])
  if (again !== null) return <InviteLinkDialog invite={again} onClose={close} />
  return (
    <RoutePanel title={query.data?.name ?? 'Invitation'} size="small" closeTo={paths.account(id)}>
      <PanelContent query={query}>
        {(invite) => (
          <>
            <InviteFacts invite={invite} />
            {invite.status === 'Active' && (
              <div className={classes['copy']}>
                <CopyField label="Invitation link" value={invite.link} copied={COPIED} />
              </div>
            )}
            <InviteCommands
              invite={invite}
              onRevoke={() => setEnded(true)}
              onKept={() => setEnded(false)}
              onRevoked={close}
              onInvitedAgain={setAgain}
            />
            {mayShare && (
              <TitledSection title="What they saw">
                <VisitsOf accountId={id} grantId={inviteId} />
              </TitledSection>
            )}
          </>
        )}
      </PanelContent>
    </RoutePanel>
  )
}

function InviteFacts({ invite }: { invite: Invite }) {
  const { timezone } = useSession().auth_user.company
  const date = (iso: string | null, otherwise: string) => (iso === null ? otherwise : <DateText iso={iso} zone={timezone} />)
  return (
    <Facts
      facts={[
        { label: 'Email', value: invite.email },
        { label: 'Company', value: invite.company },
        { label: 'May', value: invite.role_label },
        { label: 'Status', value: invite.status },
        { label: invite.status === 'Expired' ? 'Access ended' : 'Access ends', value: invite.expires_at.human },
        { label: 'Invited by', value: invite.invited_by },
        { label: 'Invited on', value: date(invite.created_at, '') },
        { label: 'Mailed', value: date(invite.sent_at, 'Not yet') },
        { label: 'Accepted', value: date(invite.accepted_at, 'Not yet') },
        { label: 'Last visit', value: date(invite.last_used_at, 'None yet') },
      ]}
    />
  )
}
