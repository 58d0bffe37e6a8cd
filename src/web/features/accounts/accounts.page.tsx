import { Outlet } from '@tanstack/react-router'
import { Datatable } from '#web/engines/datatable/datatable.tsx'
import { paths } from '#web/paths.ts'
import { usePageTitle } from '#web/ui/page-title.ts'
import { accountCells } from './account-cells.tsx'

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
        createLabel="Start an Account"
        appliesTo={appliesTo}
      />
      <Outlet />
    </>
  )
}

/** A favourite is offered to be removed only, any other account to be added only. */
const appliesTo = (action: string, row: { favorite: boolean } | null) =>
  row === null || (action !== 'add-favorite' && action !== 'remove-favorite') || row.favorite === (action === 'remove-favorite')
