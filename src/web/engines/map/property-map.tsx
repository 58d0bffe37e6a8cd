import { Center, Group, SegmentedControl, Text, Title, useComputedColorScheme } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useId, useState } from 'react'
import { MAP_HEIGHT_PX } from '#contract/limits.ts'
import type { PropertyMap as MapData } from '#contract/map.ts'
import { lazyPart } from '#web/engines/lazy-part.tsx'
import { Loaded } from '#web/engines/loaded.tsx'
import { metricLink } from '#web/engines/metric/metric-link.ts'
import { Logo } from '#web/ui/logo.tsx'
import { MarkerList } from './marker-list.tsx'
import classes from './property-map.module.css'

/** When its code cannot be loaded, the map fails like one without WebGL. */
const MapCanvas = lazyPart(async () => (await import('./map-canvas.tsx')).MapCanvas, {
  fallback: ({ loading }) => loading,
  failure: ({ failed }) => failed,
})

interface PropertyMapProps {
  query: UseQueryResult<MapData>
  onOpen: (propertyId: string) => void
  heightPx?: number
  /** At first shows all properties in place of the densest region. */
  showsAll?: boolean
}

type View = 'Map' | 'List'

/** Properties by place, on a map or as a list, with loading and error states. Collapsed while no property has a position; narrow screens reduce the height. */
export function PropertyMap({ query, onOpen, heightPx = MAP_HEIGHT_PX, showsAll = false }: PropertyMapProps) {
  const id = useId()
  const [view, setView] = useState<View>('Map')
  const { data } = query
  const isEmpty = data?.markers.length === 0
  const missingLink = metricLink(data?.missing?.action)
  return (
    <section className={classes['card']} aria-labelledby={id}>
      <Group gap="4px 16px" mih={52} px="md" py={10}>
        <Title id={id} order={2} size="h3" flex="1 0 auto">
          Map
        </Title>
        {data?.missing && (
          <Text size="sm" c="dimmed" className={classes['missing']}>
            {missingLink === undefined ? data.missing.text : <Link to={missingLink}>{data.missing.text}</Link>}
          </Text>
        )}
        {data !== undefined && data.markers.length > 0 && (
          <SegmentedControl size="xs" aria-label="Show the properties as" value={view} onChange={setView} data={['Map', 'List']} />
        )}
      </Group>
      {isEmpty ? (
        <p className={classes['none']}>No property has a position yet. Add latitude and longitude to see the properties on the map.</p>
      ) : (
        <div className={classes['body']} style={{ height: heightPx }}>
          <Loaded query={query} skeleton={<Loading />} failure="The map data could not be loaded.">
            {({ markers }) => <Places markers={markers} view={view} onOpen={onOpen} showsAll={showsAll} />}
          </Loaded>
        </div>
      )}
    </section>
  )
}

interface PlacesProps {
  markers: MapData['markers']
  view: View
  onOpen: (id: string) => void
  showsAll: boolean
}

/** The loaded properties on the map or in the list. */
function Places({ markers, view, onOpen, showsAll }: PlacesProps) {
  const scheme = useComputedColorScheme('light')
  const list = (
    <div className={classes['scroll']}>
      <MarkerList markers={markers} onOpen={onOpen} />
    </div>
  )
  if (view === 'List') return list
  return (
    <MapCanvas
      key={scheme}
      markers={markers}
      onOpen={onOpen}
      showsAll={showsAll}
      failed={
        <>
          <Text px="md" py="sm" c="dimmed">
            The map cannot be drawn, so here is the list.
          </Text>
          {list}
        </>
      }
      loading={<Loading />}
    />
  )
}

function Loading() {
  return (
    <Center className={classes['loading']} role="status">
      <Logo size={40} animated />
      Please wait while we gather the map data...
    </Center>
  )
}
