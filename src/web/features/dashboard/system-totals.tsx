import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { queries } from '#web/data/queries.ts'
import { useSession } from '#web/data/session.ts'
import { MetricCard } from '#web/engines/metric/metric-card.tsx'
import { StatisticTiles } from '#web/engines/metric/statistics.tsx'

/** The company's name over what the person works with. */
export function SystemTotals({ action }: { action: ReactNode }) {
  const query = useQuery(queries.metric('systemTotals'))
  const { company } = useSession().auth_user
  return (
    <MetricCard query={query} title={company.name} skeleton="tiles" aside={action}>
      {({ statistics }) => <StatisticTiles statistics={statistics} />}
    </MetricCard>
  )
}
