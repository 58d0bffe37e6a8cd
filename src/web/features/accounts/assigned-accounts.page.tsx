import { Anchor, Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { queries } from '#web/data/queries.ts'
import { useSession } from '#web/data/session.ts'
import { messageOf } from '#web/data/errors.ts'
import { paths } from '#web/paths.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { plural } from '#contract/format.ts'
import { usePageTitle } from '#web/ui/page-title.ts'
import { SkeletonRows } from '#web/ui/skeleton-rows.tsx'
import classes from './assigned-accounts.module.css'

const SKELETON_CARDS = 3

/** The accounts of a user who has no list of accounts, only those assigned to them. */
export function AssignedAccountsPage() {
  usePageTitle('Your accounts')
  const accounts = useQuery(queries.assignedAccounts())
  if (accounts.isPending) return <SkeletonRows rows={SKELETON_CARDS} label="Loading your accounts" />
  if (accounts.data === undefined) {
    return (
      <EmptyState title="The accounts could not be loaded." action={<Button onClick={() => void accounts.refetch()}>Retry</Button>}>
        {messageOf(accounts.error)}
      </EmptyState>
    )
  }
  if (accounts.data.data.length === 0) return <NoneAssigned />
  return (
    <ul className={classes['cards']}>
      {accounts.data.data.map(({ id, name, account_number: number, company, documents }) => (
        <li key={id} className={classes['card']}>
          <Link to={paths.account(id)} className={classes['name']}>
            {name.text}
          </Link>
          <span>{[company.text, number.text].filter((text) => text !== '').join(' · ')}</span>
          <span>{documents.value === 0 ? 'No documents yet' : plural(Number(documents.value), 'document')}</span>
        </li>
      ))}
    </ul>
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
