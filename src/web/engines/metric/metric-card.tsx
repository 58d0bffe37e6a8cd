import { Skeleton, Title } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { useId, type ReactNode } from 'react'
import type { Metric } from '#contract/metrics.ts'
import { Loaded } from '../loaded.tsx'
import classes from './metric.module.css'

interface MetricCardProps {
  query: UseQueryResult<Metric>
  /** Shown until the metric has loaded its own. */
  title: string
  /** Next to the title. */
  aside?: ReactNode
  skeleton: 'pie' | 'list'
  /** Name of the step of the tour that shows the card. */
  tour?: string
  children: (metric: Metric) => ReactNode
}

/** The frame of a metric, with its title, loading and error states. It says when what it shows is being loaded again. */
export function MetricCard({ query, title, aside, skeleton, tour, children }: MetricCardProps) {
  const id = useId()
  const isUpdating = query.isFetching && query.data !== undefined
  return (
    <div className={classes['card']} role="group" aria-labelledby={id} aria-busy={isUpdating || undefined} data-tour={tour}>
      <div className={classes['head']}>
        <Title id={id} order={2} size="h3">
          {query.data?.title ?? title}
          {isUpdating && (
            <span className={classes['updating']} data-kind={skeleton} aria-hidden>
              Updating…
            </span>
          )}
        </Title>
        {aside}
      </div>
      <Loaded query={query} skeleton={<MetricSkeleton kind={skeleton} />}>
        {children}
      </Loaded>
    </div>
  )
}

function MetricSkeleton({ kind }: { kind: MetricCardProps['skeleton'] }) {
  return (
    <div className={classes['skeleton']} data-kind={kind} role="status" aria-label="Loading">
      {kind === 'pie' && <Skeleton circle height={168} />}
      <div className={classes['lines']}>
        {Array.from({ length: kind === 'pie' ? 4 : 7 }, (_, line) => (
          <Skeleton key={line} height={12} width={`${String(90 - ((line * 19) % 40))}%`} />
        ))}
      </div>
    </div>
  )
}
