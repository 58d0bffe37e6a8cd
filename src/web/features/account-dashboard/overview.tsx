import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useCallback } from 'react'
import type { Account } from '#contract/accounts.ts'
import { formatBytes, formatMoney, formatNumber } from '#contract/format.ts'
import { MAP_OVERVIEW_HEIGHT_PX } from '#contract/limits.ts'
import { queries } from '#web/data/queries.ts'
import { useCan } from '#web/data/session.ts'
import { PropertyMap } from '#web/engines/map/property-map.tsx'
import tile from '#web/engines/metric/metric.module.css'
import { PieMetric } from '#web/engines/metric/pie-metric.tsx'
import { StretchedLink } from '#web/engines/metric/stretched-link.tsx'
import { NoProperties } from '#web/engines/no-properties.tsx'
import { paths } from '#web/paths.ts'
import { CountUp } from '#web/ui/count-up.tsx'
import { AccountSidebar } from './account-sidebar.tsx'
import classes from './overview.module.css'
import { ReconciliationPanel } from './reconciliation-panel.tsx'

/** The figures, discrepancies, charts and map of an account, next to its activity and commands. */
export function Overview({ account }: { account: Account }) {
  return (
    <div className={classes['overview']}>
      <div className={classes['main']}>
        <Figures account={account} />
        {account.properties === 0 ? (
          <section className={classes['card']} aria-label="Properties">
            <NoProperties account={account} />
          </section>
        ) : (
          <Metrics accountId={account.id} />
        )}
      </div>
      <AccountSidebar account={account} />
    </div>
  )
}

function Figures({ account }: { account: Account }) {
  const { id, company, properties, divested_properties: divested, files, users, tiv } = account
  const can = useCan()
  const toProperties = can('view_account_properties') ? paths.accountTab(id, 'properties') : undefined
  const toFiles = can('view_account_files') ? paths.accountTab(id, 'files') : undefined
  const average = properties === 0 ? 'No properties yet' : `${formatMoney(Math.round(tiv / properties))} on average`
  const figures = [
    { label: 'Properties', count: properties, detail: `${formatNumber(divested)} divested`, to: toProperties },
    { label: 'Total insured value', count: tiv, format: formatMoney, detail: average, to: toProperties },
    { label: 'Documents', count: files.total, detail: formatBytes(files.size.total), to: toFiles },
    ...(users !== undefined && can('view_account_invites')
      ? [{ label: 'People with access', count: users, detail: company.name, to: undefined }]
      : []),
  ]
  return (
    <dl className={`${tile['tiles'] ?? ''} ${classes['figures'] ?? ''}`}>
      {figures.map(({ label, count, format = formatNumber, detail, to }) => (
        <div key={label} className={`${tile['tile'] ?? ''} ${classes['figure'] ?? ''}`}>
          <dt>
            <StretchedLink to={to}>{label}</StretchedLink>
          </dt>
          <dd className={`${tile['number'] ?? ''} ${classes['value'] ?? ''}`}>
            <CountUp name={label} value={count} format={format} money={format === formatMoney} />
          </dd>
          <dd className={classes['detail']}>{detail}</dd>
        </div>
      ))}
    </dl>
  )
}

/** Discrepancies, property types, locations and map, each for users with permission to see it. */
function Metrics({ accountId }: { accountId: string }) {
  const can = useCan()
  const seesTypes = can('view_property_types_metric')
  const seesLocations = can('view_property_locations_metric')
  const seesPie = can('view_property_types_pie_metric')
  const typesQuery = queries.accountMetric(seesTypes ? 'propertyTypes' : 'propertyTypesPie', accountId)
  const types = useQuery({ ...typesQuery, enabled: seesTypes || seesPie })
  const locations = useQuery({ ...queries.accountMetric('propertyLocations', accountId), enabled: seesLocations })
  return (
    <>
      {can('view_account_reconciliation_metric') && <ReconciliationPanel accountId={accountId} />}
      {(seesTypes || seesPie || seesLocations) && (
        <div className={classes['charts']}>
          {seesPie && <PieMetric query={types} shape="pie" unit="property" title="Property Types" />}
          {seesTypes && <PieMetric query={types} shape="doughnut" unit="property" title="Property Types" measure="tiv" />}
          {seesLocations && <PieMetric query={locations} shape="doughnut" unit="property" title="Property Locations" measure="tiv" />}
        </div>
      )}
      {can('view_account_properties') && <OverviewMap accountId={accountId} />}
    </>
  )
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
