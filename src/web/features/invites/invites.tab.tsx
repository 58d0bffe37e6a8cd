import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { useMemo } from 'react'
import IconCopy from '@tabler/icons-react/dist/esm/icons/IconCopy.mjs'
import type { InviteRow } from '#contract/account-invites.ts'
import type { Account } from '#contract/accounts.ts'
import { grantQueries } from '#web/data/grant-queries.ts'
import { useCan } from '#web/data/session.ts'
import { ViewAsRole } from '#web/engines/account/view-as.tsx'
import { CellText, type CellRenderers } from '#web/engines/datatable/cells.tsx'
import { Datatable } from '#web/engines/datatable/datatable.tsx'
import { paths } from '#web/paths.ts'
import { copyText } from '#web/ui/copy-text.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { COPIED } from './invite-link-dialog.tsx'
import classes from './invites.module.css'
import { Visits } from './visits.tsx'

/** On a phone, the panel of the invitation has it. */
const HIDDEN_ON_PHONE = ['login_link', 'invited_by', 'sent_at']

const cells: CellRenderers<InviteRow> = {
  login_link: ({ login_link: { text }, invited_user: user }) =>
    text === '' ? (
      <CellText cell={{ value: null, text }} />
    ) : (
      <span className={classes['link']}>
        <span title={text}>{text}</span>
        <IconButton name={`Copy the link of ${user.text}`} size={24} onClick={() => void copyText(text, COPIED)}>
          <IconCopy size={16} aria-hidden />
        </IconButton>
      </span>
    ),
}

const NO_ROLES: readonly never[] = []

const isActive = ({ accessible_features: features }: InviteRow): boolean => features?.update === true

/** The people outside who were invited to the account, and what they and the visitors of its links have seen. */
export function InvitesTab({ account: { id } }: { account: Account }) {
  const fixed = useMemo(() => ({ account_id: id }), [id])
  const can = useCan()
  const mayShare = can('update_account_sharing')
  const searchIsOfForm = useLocation().pathname === `${paths.invites(id)}/create`
  const roles = useQuery({ ...grantQueries.roles(), enabled: can('create_account_invites') }).data ?? NO_ROLES
  return (
    <>
      <Datatable
        model="account_invites"
        label="invitations"
        basePath={paths.invites(id)}
        openIn="panel"
        fixed={fixed}
        cells={cells}
        hiddenOnPhone={HIDDEN_ON_PHONE}
        isSelectable={isActive}
        hasForm={false}
        createLabel="Invite someone"
        searchIsOfForm={searchIsOfForm}
        toolbarEnd={<ViewAsRole accountId={id} roles={roles} />}
        empty={
          <EmptyState title="No invitations yet.">
            The people you invite get a link to this account and see nothing else. You can end their access at any time.
          </EmptyState>
        }
      />
      {mayShare && <Visits accountId={id} />}
    </>
  )
}
