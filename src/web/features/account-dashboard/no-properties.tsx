import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { Account } from '#contract/accounts.ts'
import { useCan } from '#web/data/session.ts'
import { paths } from '#web/paths.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import classes from './card.module.css'

/** The first steps of an account without properties. */
export function NoProperties({ account }: { account: Account }) {
  const can = useCan()
  const mayCreate = can('create_account_properties') && account.accessible_features.update
  const mayImport = can('bulk_upload_account_properties') && account.accessible_features.import
  return (
    <section className={classes['card']} aria-label="Properties">
      <EmptyState
        title="No properties exist on this account."
        action={
          <>
            {mayCreate && (
              <Button component={Link} to={paths.newProperty(account.id)} search={true}>
                Create your first property
              </Button>
            )}
            {mayImport && (
              <Button component={Link} to={paths.import(account.id)} variant="default">
                Import multiple properties
              </Button>
            )}
          </>
        }
      >
        {mayImport ? 'Import a statement of values to see values, types, places and what needs attention here.' : undefined}
      </EmptyState>
    </section>
  )
}
