import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Account } from '#contract/accounts.ts'
import { plural } from '#contract/format.ts'
import { accountQueries } from '#web/data/account-queries.ts'
import { useCan } from '#web/data/session.ts'
import { Inviter } from '#web/engines/account/inviter.tsx'
import { paths } from '#web/paths.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Card } from './card.tsx'
import { DocumentsCard } from './documents-card.tsx'
import { Figures } from './figures.tsx'
import { useLastVisit } from './last-visit.ts'
import { LargestCard } from './largest-card.tsx'
import { LocationsCard } from './locations-card.tsx'
import classes from './overview.module.css'
import { SinceCard, useSince } from './since-card.tsx'
import { TypesCard } from './types-card.tsx'

const LARGEST = 8

/** What is insured, where, for how much, and what is new. */
export function GuestOverview({ account }: { account: Account }) {
  const { id, properties } = account
  const divested = account.divested_properties ?? 0
  const can = useCan()
  const seesProperties = can('view_account_properties') && properties !== null
  const hasProperties = seesProperties && properties > 0
  const visit = useLastVisit(account)
  const since = useSince(account, visit)
  const query = { filter__account_id: id, filter__status: 'active', sort: 'tiv', order: 'desc', paginate: String(LARGEST) }
  const largest = useQuery({ ...accountQueries.properties(query), enabled: hasProperties })
  return (
    <div className={classes['overview']}>
      {hasProperties && <Figures account={account} largest={largest.data} />}
      {seesProperties && !hasProperties && (
        <section className={classes['card']} aria-label="Properties">
          {divested > 0 ? (
            <EmptyState
              title="No active properties"
              action={<Link to={paths.divested(id)}>{plural(divested, 'divested property', 'divested properties')}</Link>}
            />
          ) : (
            <EmptyState title="No properties exist on this account." />
          )}
        </section>
      )}
      <div className={classes['columns']}>
        {hasProperties && (
          <div className={classes['stack']} data-wide>
            {can('view_property_locations_metric') && <LocationsCard accountId={id} />}
            <LargestCard account={account} query={largest} isNew={since.isNewProperty} />
          </div>
        )}
        <div className={classes['stack']}>
          {visit !== null && <SinceCard account={account} visit={visit} since={since} />}
          {account.files !== null && <DocumentsCard account={account} isNew={since.isNewDocument} />}
          {hasProperties && can('view_property_types_metric') && <TypesCard accountId={id} />}
          {account.invite !== null && (
            <Card title="Invited By" aside={account.invite.created_at_formatted}>
              <div className={classes['inviter']}>
                <Inviter invite={account.invite} />
              </div>
            </Card>
          )}
        </div>
      </div>
    </div>
  )
}
