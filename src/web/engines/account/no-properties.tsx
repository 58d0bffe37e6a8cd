import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { Account } from '#contract/accounts.ts'
import { formatNumber } from '#contract/format.ts'
import { useCan } from '#web/data/session.ts'
import { paths } from '#web/paths.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'

/** The first steps of an account without properties. */
export function NoProperties({ account: { id, divested_properties, deleted_at: deletedAt } }: { account: Account }) {
  const divested = divested_properties ?? 0
  const can = useCan()
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
        <Button component={Link} to={paths.newProperty(id)} search={true} variant={mayImport ? 'default' : 'filled'}>
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
