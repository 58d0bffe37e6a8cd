import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useCallback, useState } from 'react'
import { MAP_OVERVIEW_HEIGHT_PX } from '#contract/limits.ts'
import { accountQueries } from '#web/data/account-queries.ts'
import { useCan } from '#web/data/session.ts'
import { lazyPart } from '#web/engines/lazy-part.tsx'
import { Loaded } from '#web/engines/loaded.tsx'
import { StatesMap } from '#web/engines/map/states-map.tsx'
import { paths } from '#web/paths.ts'
import { Card, CardSkeleton } from './card.tsx'
import classes from './overview.module.css'
import { Shares } from './shares.tsx'

const PropertyMap = lazyPart(async () => (await import('#web/engines/map/property-map.tsx')).PropertyMap)
const HEIGHT_PX = 400

const scrollTo = (element: HTMLElement | null) => element?.scrollIntoView({ block: 'nearest' })

/** Where the properties are: drawn at once, and on request a map that can be moved. */
export function LocationsCard({ accountId }: { accountId: string }) {
  const seesMap = useCan()('view_account_properties')
  const metric = useQuery(accountQueries.accountMetric('propertyLocations', accountId))
  const map = useQuery({ ...accountQueries.propertyMap(accountId), enabled: seesMap })
  /** The map that can be moved, from the densest region or from all properties. */
  const [opened, setOpened] = useState<'fitted' | 'all' | null>(null)
  const navigate = useNavigate()
  const open = useCallback(
    (id: string) => void navigate({ to: paths.property(accountId, id), search: { tab: 'overview' }, resetScroll: false }),
    [navigate, accountId],
  )
  const markers = map.data?.markers ?? []
  const hasMap = seesMap && (map.isPending || markers.length > 0)
  const toggle = (
    <Button
      size="compact-sm"
      variant="subtle"
      color="gray"
      aria-expanded={opened !== null}
      onClick={() => setOpened(opened === null ? 'fitted' : null)}
    >
      {opened === null ? 'Open the large map' : 'Close the large map'}
    </Button>
  )
  return (
    <>
      <Card title="Property Locations" aside={markers.length > 0 ? toggle : undefined}>
        <div className={classes['places']} data-map={hasMap || undefined}>
          {map.data === undefined && hasMap && (
            <p className={classes['gathering']} role="status">
              Please wait while we gather the map data...
            </p>
          )}
          {markers.length > 0 && <StatesMap markers={markers} onShowAll={() => setOpened('all')} />}
          <Loaded query={metric} skeleton={<CardSkeleton heightPx={HEIGHT_PX} />}>
            {(data) => <Shares metric={data} what="Location" />}
          </Loaded>
        </div>
      </Card>
      {opened !== null && (
        <div key={opened} ref={scrollTo} style={{ minHeight: MAP_OVERVIEW_HEIGHT_PX }}>
          <PropertyMap query={map} onOpen={open} heightPx={MAP_OVERVIEW_HEIGHT_PX} showsAll={opened === 'all'} />
        </div>
      )}
    </>
  )
}
