import { useMediaQuery } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Fragment, useCallback } from 'react'
import { registerTotals, type Account } from '#contract/accounts.ts'
import type { PageMeta } from '#contract/datatable.ts'
import { formatBytes, formatMoney, formatNumber } from '#contract/format.ts'
import { MAP_OVERVIEW_HEIGHT_PX } from '#contract/limits.ts'
import { shortType } from '#contract/property-vocabularies.ts'
import { queries } from '#web/data/queries.ts'
import { useCan } from '#web/data/session.ts'
import { PropertyMap } from '#web/engines/map/property-map.tsx'
import tile from '#web/engines/metric/metric.module.css'
import { PieMetric, PiePair } from '#web/engines/metric/pie-metric.tsx'
import { formatSliceShare, slicesOf } from '#web/engines/metric/pie-slices.ts'
import { StretchedLink } from '#web/engines/metric/stretched-link.tsx'
import { NoProperties } from '#web/engines/no-properties.tsx'
import { paths } from '#web/paths.ts'
import { CountUp } from '#web/ui/count-up.tsx'
import { AccountActions } from './account-actions.tsx'
import classes from './overview.module.css'
import { OpenImports } from './open-imports.tsx'
import { RecentActivity } from './recent-activity.tsx'
import { ReconciliationPanel } from './reconciliation-panel.tsx'

/** The figures, the state of the data, where and what the properties are, and what happened. */
export function Overview({ account }: { account: Account }) {
  const can = useCan()
  const activity = can('view_account_activity') && <RecentActivity accountId={account.id} />
  return (
    <div className={classes['overview']}>
      <Figures account={account} />
      <OpenImports account={account} />
      {account.properties === 0 ? (
        <div className={classes['row']}>
          <section className={classes['card']} aria-label="Properties">
            <NoProperties account={account} />
          </section>
          {activity}
        </div>
      ) : (
        <>
          <div className={classes['row']}>
            {can('view_account_reconciliation_metric') && <ReconciliationPanel account={account} />}
            {can('view_property_locations_metric') && <Locations accountId={account.id} />}
          </div>
          <div className={classes['row']}>
            <Types accountId={account.id} />
            {activity}
          </div>
          {can('view_account_properties') && <OverviewMap accountId={account.id} />}
        </>
      )}
      <AccountActions account={account} />
    </div>
  )
}

/** The totals of the list of active properties, without its rows. */
function useTotals(accountId: string): PageMeta | undefined {
  const enabled = useCan()('view_account_properties')
  const query = queries.index('account_properties', { filter__account_id: accountId, filter__status: 'active', paginate: '1' })
  return useQuery({ ...query, enabled }).data?.meta
}

/** The largest numbers of the account. The parts of the value add up to it. */
function Figures({ account }: { account: Account }) {
  const { id, company, files, users, currency } = account
  const can = useCan()
  const totals = useTotals(id)
  const toProperties = can('view_account_properties') ? paths.accountTab(id, 'properties') : undefined
  const toFiles = can('view_account_files') ? paths.accountTab(id, 'files') : undefined
  const money = (value: number) => formatMoney(value, currency)
  const hasRoom = useMediaQuery(TYPES_FROM, false, { getInitialValueInEffect: false })
  const register = registerTotals(account)
  const valued = totals?.valued?.['tiv']
  const ofRegister = register && [
    { label: 'Properties', count: register.active, detail: `${formatNumber(register.divested)} divested`, to: toProperties },
    {
      label: 'Total insured value',
      count: valued ? register.tiv : register.known,
      format: money,
      detail: averageText(register, currency, valued),
      to: toProperties,
      parts: register.active > 0,
    },
  ]
  const figures = [
    ...(ofRegister ?? []),
    { label: 'Documents', count: files.total, detail: formatBytes(files.size.total), to: toFiles },
    ...(users !== undefined && can('view_account_invites')
      ? [{ label: 'Added users', count: users, detail: `plus ${company.name}`, to: undefined }]
      : []),
  ]
  return (
    <dl className={`${tile['tiles'] ?? ''} ${classes['figures'] ?? ''}`}>
      {figures.map(({ label, count, format = formatNumber, detail, to, parts }) => (
        <Fragment key={label}>
          <div className={`${tile['tile'] ?? ''} ${classes['figure'] ?? ''}`}>
            <dt>
              <StretchedLink to={to}>{label}</StretchedLink>
            </dt>
            <dd className={classes['value']}>
              {count === null ? '–' : <CountUp name={label} value={count} format={format} money={format === money} />}
            </dd>
            <dd className={classes['detail']}>{detail}</dd>
            {parts && totals && <ValueParts totals={totals} currency={currency} />}
          </div>
          {parts && hasRoom && can('view_property_types_metric') && <TypesByValue accountId={id} />}
        </Fragment>
      ))}
    </dl>
  )
}

/** The average of the properties with a value, since the others are unknown, not 0. Without their number there is no average. */
function averageText({ active, tiv }: { active: number; tiv: number }, currency: string | null, valued: number | undefined): string {
  if (active === 0) return 'No properties yet'
  if (valued === 0 || (valued === undefined && tiv === 0)) return 'No property has a value'
  if (currency === null) return 'Not added up'
  if (valued === undefined) return ''
  const average = `${formatMoney(Math.round(tiv / valued), currency)} on average`
  return valued < active ? `${average} of the ${formatNumber(valued)} with a value` : average
}

const PARTS = [
  ['building_value', 'Building'],
  ['contents_value', 'Contents'],
  ['bi_value', 'Business income'],
] as const

function ValueParts({ totals: { totals, valued }, currency }: { totals: PageMeta; currency: string | null }) {
  if (totals === undefined || currency === null) return null
  return (
    <dd className={classes['parts']}>
      {PARTS.map(([name, label]) => (
        <span key={name}>
          <span>{label}</span> <span>{valued?.[name] === 0 ? '–' : formatMoney(totals[name] ?? 0, currency)}</span>
        </span>
      ))}
    </dd>
  )
}

/** From this width on there is room between the total and the documents. */
const TYPES_FROM = '(min-width: 1360px)'
const TYPES_NAMED = 3

/** The types of the properties as one bar, the largest in words; nothing if values are unknown or in several currencies. */
function TypesByValue({ accountId }: { accountId: string }) {
  const { data } = useQuery(queries.accountMetric('propertyTypes', accountId))
  const slices = data === undefined ? [] : slicesOf(data, 'tiv')
  if (slices.length === 0) return null
  return (
    <div className={`${tile['tile'] ?? ''} ${classes['figure'] ?? ''}`} data-types>
      <dt>Types by value</dt>
      <dd className={classes['bar']} aria-hidden>
        {slices.map(({ id, name, share, color }) => (
          <span key={id} title={`${name} ${formatSliceShare(share)}`} style={{ flexGrow: share, background: color }} />
        ))}
      </dd>
      <dd className={classes['detail']}>
        {slices.slice(0, TYPES_NAMED).map(({ id, name, share }, index) => (
          <Fragment key={id}>
            {index > 0 && ', '}
            <span>
              <b>{shortType(name)}</b> {formatSliceShare(share)}
            </span>
          </Fragment>
        ))}
      </dd>
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
