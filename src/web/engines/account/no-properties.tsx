import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { Account } from '#contract/accounts.ts'
import { formatNumber } from '#contract/format.ts'
import { useCan } from '#web/data/session.ts'
import { paths, withQuery } from '#web/paths.ts'
import { useSearchParams } from '#web/search-params.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import type { Tab } from './account-tab.ts'

/** The first steps of an account without properties, on the tab that stays behind the form. */
export function NoProperties({ account: { id, divested_properties, deleted_at: deletedAt }, tab }: { account: Account; tab: Tab }) {
  const divested = divested_properties ?? 0
  const can = useCan()
  const params = useSearchParams()
  const isLive = deletedAt === null
  const mayImport = can('bulk_upload_account_properties') && isLive
  const mayCreate = can('create_account_properties') && isLive
  const steps = (
    <>
      {mayImport && (
        <Button component={Link} to={paths.import(id)}>
          Import multiple properties
        </Button>
      )}
      {mayCreate && (
        <Button component={Link} to={withQuery(paths.newProperty(id), { ...params, tab })} variant={mayImport ? 'default' : 'filled'}>
          {divested > 0 ? 'Create property' : 'Create your first property'}
        </Button>
      )}
    </>
  )
  return (
    <EmptyState
      title={divested > 0 ? `No active properties: ${formatNumber(divested)} divested.` : 'No properties exist on this account.'}
      action={steps}
    >
      {mayImport ? 'Import a statement of values to see values, types, places and what needs attention here.' : undefined}
    </EmptyState>
  )
}
