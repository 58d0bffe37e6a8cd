import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useCallback } from 'react'
import { MAP_OVERVIEW_HEIGHT_PX } from '#contract/limits.ts'
import { queries } from '#web/data/queries.ts'
import { PropertyMap } from '#web/engines/map/property-map.tsx'
import { paths } from '#web/paths.ts'

/** Where the properties are; a marker opens its property over the overview. */
export function OverviewMap({ accountId }: { accountId: string }) {
  const query = useQuery(queries.propertyMap(accountId))
  const navigate = useNavigate()
  const open = useCallback(
    (propertyId: string) => void navigate({ to: paths.property(accountId, propertyId), search: { tab: 'overview' }, resetScroll: false }),
    [navigate, accountId],
  )
  return <PropertyMap query={query} onOpen={open} heightPx={MAP_OVERVIEW_HEIGHT_PX} />
}
