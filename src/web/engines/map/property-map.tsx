import { Button, SegmentedControl, useComputedColorScheme } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useId, useState, type ReactNode } from 'react'
import { MAP_HEIGHT_PX } from '#contract/limits.ts'
import type { PropertyMap as MapData } from '#contract/map.ts'
import { messageOf } from '#web/data/errors.ts'
import { useSession } from '#web/data/session.ts'
import { metricLink } from '#web/engines/metric/metric-link.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Mark } from '#web/ui/mark.tsx'
import type { MapCanvasProps } from './map-canvas.tsx'
import { MarkerList } from './marker-list.tsx'
import classes from './property-map.module.css'

/** Without its code, as after a lost connection, the map is as little drawable as without WebGL; the page lives on. */
const withoutCode = () => ({ default: ({ failed }: MapCanvasProps) => failed })
const MapCanvas = lazy(() => import('./map-canvas.tsx').then(({ MapCanvas: component }) => ({ default: component }), withoutCode))

interface PropertyMapProps {
  query: UseQueryResult<MapData>
  onOpen: (propertyId: string) => void
  heightPx?: number
}

type View = 'map' | 'list'

/**
 * Properties by place, on a map or as a list; choosing one opens it. Owns loading, empty and failed.
 * @param heightPx of the map; narrow screens lower it
 */
export function PropertyMap({ query, onOpen, heightPx = MAP_HEIGHT_PX }: PropertyMapProps) {
  const id = useId()
  const [view, setView] = useState<View>('map')
  const { data } = query
  return (
    <section className={classes['card']} aria-labelledby={id}>
      <div className={classes['head']}>
        <h2 id={id} className={classes['title']}>
          Map
        </h2>
        {data?.missing && <Missing missing={data.missing} />}
        {data !== undefined && data.markers.length > 0 && (
          <SegmentedControl
            size="xs"
            aria-label="Show the properties as"
            value={view}
            onChange={(value) => setView(value === 'list' ? 'list' : 'map')}
            data={[
              { value: 'map', label: 'Map' },
              { value: 'list', label: 'List' },
            ]}
          />
        )}
      </div>
      <div className={classes['body']} style={{ height: heightPx }}>
        <Content query={query} view={view} onOpen={onOpen} />
      </div>
    </section>
  )
}

function Content({ query, view, onOpen }: { query: UseQueryResult<MapData>; view: View; onOpen: (id: string) => void }) {
  const scheme = useComputedColorScheme('light')
  const { config } = useSession()
  const { data } = query
  if (data === undefined) return query.isError ? <Failed error={query.error} onRetry={() => void query.refetch()} /> : <Gathering />
  if (data.markers.length === 0)
    return (
      <EmptyState title="No property has a position yet.">
        Add latitude and longitude, or a complete address, to see where the values are.
      </EmptyState>
    )
  const list = (
    <div className={classes['scroll']}>
      <MarkerList markers={data.markers} onOpen={onOpen} />
    </div>
  )
  if (view === 'list') return list
  const services = { styleUrl: config.map_style_url, tileUrl: config.map_tile_url }
  return (
    <Suspense fallback={<Gathering />}>
      <MapCanvas
        key={scheme}
        markers={data.markers}
        services={services}
        onOpen={onOpen}
        failed={<Undrawable>{list}</Undrawable>}
        waiting={<Gathering />}
      />
    </Suspense>
  )
}

const Undrawable = ({ children }: { children: ReactNode }) => (
  <>
    <p className={classes['undrawable']}>This browser cannot draw the map, so here is the list.</p>
    {children}
  </>
)

function Gathering() {
  return (
    <div className={classes['gathering']} role="status">
      <Mark size={40} swinging />
      Please wait while we gather the map data...
    </div>
  )
}

const Failed = ({ error, onRetry }: { error: unknown; onRetry: () => void }) => (
  <EmptyState title="The map data could not be loaded." action={<Button onClick={onRetry}>Retry</Button>}>
    {messageOf(error)}
  </EmptyState>
)

function Missing({ missing: { text, action } }: { missing: NonNullable<MapData['missing']> }) {
  const to = metricLink(action)
  return <p className={classes['missing']}>{to === undefined ? text : <Link to={to}>{text}</Link>}</p>
}
