import { useQuery } from '@tanstack/react-query'
import type { Account } from '#contract/accounts.ts'
import { queries } from '#web/data/queries.ts'
import { useCan } from '#web/data/session.ts'
import { PieMetric } from '#web/engines/metric/pie-metric.tsx'
import classes from './overview-metrics.module.css'
import { OverviewMap } from './overview-map.tsx'
import { ReconciliationPanel } from './reconciliation-panel.tsx'

const UNIT = 'property'

/** What is wrong, of which type, where: each for those who may see it. */
export function OverviewMetrics({ account: { id } }: { account: Account }) {
  const can = useCan()
  const seesTypes = can('view_property_types_metric')
  const seesLocations = can('view_property_locations_metric')
  const seesPie = can('view_property_types_pie_metric')
  const types = useQuery({ ...queries.accountMetric(seesTypes ? 'propertyTypes' : 'propertyTypesPie', id), enabled: seesTypes || seesPie })
  const locations = useQuery({ ...queries.accountMetric('propertyLocations', id), enabled: seesLocations })
  return (
    <>
      {can('view_account_reconciliation_metric') && <ReconciliationPanel accountId={id} />}
      {(seesTypes || seesPie || seesLocations) && (
        <div className={classes['charts']}>
          {seesPie && <PieMetric query={types} shape="pie" unit={UNIT} title="Property Types" />}
          {seesTypes && <PieMetric query={types} shape="doughnut" unit={UNIT} title="Property Types" measure="tiv" />}
          {seesLocations && <PieMetric query={locations} shape="doughnut" unit={UNIT} title="Property Locations" measure="tiv" />}
        </div>
      )}
      {can('view_account_properties') && <OverviewMap accountId={id} />}
    </>
  )
}
