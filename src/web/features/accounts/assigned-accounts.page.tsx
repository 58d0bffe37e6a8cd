import { Anchor } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { queries } from '#web/data/queries.ts'
import { useSession } from '#web/data/session.ts'
import { Loaded } from '#web/engines/loaded.tsx'
import { paths } from '#web/paths.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { plural } from '#contract/format.ts'
import { usePageTitle } from '#web/ui/page-title.ts'
import { SkeletonRows } from '#web/ui/skeleton-rows.tsx'
import classes from './assigned-accounts.module.css'

/** The accounts of a user who has no list of accounts, only those assigned to them. */
export function AssignedAccountsPage() {
  usePageTitle('Your accounts')
  const query = useQuery(queries.assignedAccounts())
  const skeleton = <SkeletonRows rows={3} label="Loading your accounts" />
  return (
    <Loaded query={query} skeleton={skeleton} failure="The accounts could not be loaded.">
      {({ data: accounts }) =>
        accounts.length === 0 ? (
          <NoneAssigned />
        ) : (
          <ul className={classes['cards']}>
            {accounts.map(({ id, name, account_number: number, company, documents }) => (
              <li key={id} className={classes['card']}>
                <Link to={paths.account(id)} className={classes['name']}>
                  {name.text}
                </Link>
                <span>{[company.text, number.text].filter(Boolean).join(' · ')}</span>
                <span>{documents.value === 0 ? 'No documents yet' : plural(Number(documents.value), 'document')}</span>
              </li>
            ))}
          </ul>
        )
      }
    </Loaded>
  )
}

function NoneAssigned() {
  const { config } = useSession()
  return (
    <EmptyState title="No accounts are assigned to you yet.">
      Accounts appear here as soon as you get access to them.
      {config.support_email !== '' && (
        <>
          {' '}
          If you expected one, write to{' '}
          <Anchor href={`mailto:${config.support_email}`} underline="always">
            {config.support_email}
          </Anchor>
          .
        </>
      )}
    </EmptyState>
  )
}
