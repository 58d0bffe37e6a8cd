import { Box } from '@mantine/core'
import IconStarFilled from '@tabler/icons-react/dist/esm/icons/IconStarFilled.mjs'
import { Outlet } from '@tanstack/react-router'
import type { AccountRow } from '#contract/accounts.ts'
import type { CellRenderers } from '#web/engines/datatable/cells.tsx'
import { InvitedAccounts, useInvitations } from '#web/engines/account/invitations.tsx'
import { Datatable } from '#web/engines/datatable/datatable.tsx'
import { paths } from '#web/paths.ts'
import { useSearchParams } from '#web/search-params.ts'
import { usePageTitle } from '#web/ui/page-title.ts'
import { StatusDot } from '#web/ui/status-dot.tsx'

const STAR = { marginRight: 6, verticalAlign: -1 }

const accountCells: CellRenderers<AccountRow> = {
  name: ({ favorite, name }) => (
    <>
      {favorite && <IconStarFilled size={13} color="var(--brass-line)" style={STAR} role="img" aria-label="Favorite" />}
      {name.text}
    </>
  ),
  status: ({ status: { text, class: color } }) =>
    text === '' ? (
      <span aria-hidden>–</span>
    ) : (
      <span title={text}>
        <StatusDot color={color || 'var(--muted)'} name={text} />
      </span>
    ),
}

const HIDDEN_ON_PHONE = ['updated_at']

/** A favorite can only be removed from the favorites, any other account only added. */
const appliesTo = (action: string, row: { favorite: boolean } | null) =>
  row === null || action !== (row.favorite ? 'add-favorite' : 'remove-favorite')

const NO_OTHERS = 'You are invited to no other accounts than those above.'

/** Neither a search nor another filter hides accounts of the list. */
const onlyInvited = (params: Readonly<Record<string, string | undefined>>) =>
  Object.entries(params).every(
    ([name, value]) => !value || name === 'filter__invites' || (name !== 'search' && !name.startsWith('filter__')),
  )

export function AccountsPage() {
  usePageTitle('Accounts')
  const params = useSearchParams()
  const hasInvitations = useInvitations().length > 0 && params['filter__invites'] === '1'
  return (
    <>
      {hasInvitations && (
        <Box mb="md">
          <InvitedAccounts />
        </Box>
      )}
      <Datatable
        model="accounts"
        label="accounts"
        basePath={paths.accounts()}
        openIn="page"
        cells={accountCells}
        hiddenOnPhone={HIDDEN_ON_PHONE}
        createLabel="Start an Account"
        appliesTo={appliesTo}
        nothingFound={hasInvitations && onlyInvited(params) ? NO_OTHERS : undefined}
      />
      <Outlet />
    </>
  )
}
