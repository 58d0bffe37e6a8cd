import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useCallback } from 'react'
import type { Account } from '#contract/accounts.ts'
import { MAP_OVERVIEW_HEIGHT_PX } from '#contract/limits.ts'
import { queries } from '#web/data/queries.ts'
import { useCan } from '#web/data/session.ts'
import { PropertyMap } from '#web/engines/map/property-map.tsx'
import { PieMetric, PiePair } from '#web/engines/metric/pie-metric.tsx'
import { Inviter } from '#web/engines/account/inviter.tsx'
import { NoProperties } from '#web/engines/account/no-properties.tsx'
import { paths } from '#web/paths.ts'
import { AccountActions } from './account-actions.tsx'
import classes from './overview.module.css'
import { Figures } from './figures.tsx'
import { OpenImports } from './open-imports.tsx'
import { RecentActivity } from './recent-activity.tsx'
import { ReconciliationPanel } from './reconciliation-panel.tsx'

/** The figures, the state of the data, where and what the properties are, and what happened. */
export function Overview({ account }: { account: Account }) {
  const can = useCan()
  return (
    <div className={classes['overview']}>
      <Figures account={account} />
      <OpenImports account={account} />
      {account.properties === 0 ? (
        <div className={classes['row']}>
          <section className={classes['card']} aria-label="Properties">
            <NoProperties account={account} tab="overview" />
          </section>
          <Aside account={account} />
        </div>
      ) : (
        <>
          <div className={classes['row']}>
            {can('view_account_reconciliation_metric') && <ReconciliationPanel account={account} />}
            {can('view_property_locations_metric') && <Locations accountId={account.id} />}
          </div>
          <div className={classes['row']}>
            <Types accountId={account.id} />
            <Aside account={account} />
          </div>
          {can('view_account_properties') && <OverviewMap accountId={account.id} />}
        </>
      )}
      <AccountActions account={account} />
    </div>
  )
}

/** Who invited the viewer, and what happened. */
function Aside({ account: { id, invite } }: { account: Account }) {
  const seesActivity = useCan()('view_account_activity')
  if (invite === null && !seesActivity) return null
  return (
    <div className={classes['aside']}>
      {invite !== null && (
        <section className={classes['card']} aria-labelledby="invited-by">
          <h2 id="invited-by" className={classes['title']}>
            Invited By
          </h2>
          <Inviter invite={invite} />
        </section>
      )}
      {seesActivity && <RecentActivity accountId={id} />}
    </div>
  )
}

/** By number and by value for users with both permissions, else the one of their permission. */
function Types({ accountId }: { accountId: string }) {
  const can = useCan()
  const [pie, doughnut] = [can('view_property_types_pie_metric'), can('view_property_types_metric')]
  const query = useQuery({
    ...queries.accountMetric(doughnut ? 'propertyTypes' : 'propertyTypesPie', accountId),
    enabled: pie || doughnut,
  })
  if (pie && doughnut) return <PiePair query={query} unit="property" title="Property Types" />
  if (pie) return <PieMetric query={query} shape="pie" unit="property" title="Property Types" />
  return doughnut && <PieMetric query={query} shape="doughnut" unit="property" title="Property Types" measure="tiv" />
}

function Locations({ accountId }: { accountId: string }) {
  const query = useQuery(queries.accountMetric('propertyLocations', accountId))
  return <PieMetric query={query} shape="doughnut" unit="property" title="Property Locations" measure="tiv" />
}

/** A marker opens its property in a panel over the overview. */
function OverviewMap({ accountId }: { accountId: string }) {
  const query = useQuery(queries.propertyMap(accountId))
  const navigate = useNavigate()
  const open = useCallback(
    (propertyId: string) => void navigate({ to: paths.property(accountId, propertyId), search: { tab: 'overview' }, resetScroll: false }),
    [navigate, accountId],
  )
  return <PropertyMap query={query} onOpen={open} heightPx={MAP_OVERVIEW_HEIGHT_PX} />
}
