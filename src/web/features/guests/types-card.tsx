import { useQuery } from '@tanstack/react-query'
import { accountQueries } from '#web/data/account-queries.ts'
import { Loaded } from '#web/engines/loaded.tsx'
import { Card, CardSkeleton } from './card.tsx'
import { Shares } from './shares.tsx'

const HEIGHT_PX = 240

export function TypesCard({ accountId }: { accountId: string }) {
  const query = useQuery(accountQueries.accountMetric('propertyTypes', accountId))
  return (
    <Card title="Property Types">
      <Loaded query={query} skeleton={<CardSkeleton heightPx={HEIGHT_PX} />}>
        {(data) => <Shares metric={data} what="Type" />}
      </Loaded>
    </Card>
  )
}
