import IconStarFilled from '@tabler/icons-react/dist/esm/icons/IconStarFilled.mjs'
import { Outlet } from '@tanstack/react-router'
import type { AccountRow } from '#contract/accounts.ts'
import type { CellRenderers } from '#web/engines/datatable/cells.tsx'
import { Datatable } from '#web/engines/datatable/datatable.tsx'
import { paths } from '#web/paths.ts'
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

export function AccountsPage() {
  usePageTitle('Accounts')
  return (
    <>
      <Datatable
        model="accounts"
        label="accounts"
        basePath={paths.accounts()}
        openIn="page"
        cells={accountCells}
        hiddenOnPhone={HIDDEN_ON_PHONE}
        createLabel="Start an Account"
        appliesTo={appliesTo}
      />
      <Outlet />
    </>
  )
}
