import { Button, Skeleton } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { useId, type ReactNode } from 'react'
import type { Metric } from '#contract/metrics.ts'
import { messageOf } from '#web/data/errors.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import classes from './metric-card.module.css'

interface MetricCardProps {
  query: UseQueryResult<Metric>
  title: string
  /** Beside the title. */
  aside?: ReactNode
  skeleton: keyof typeof SKELETONS
  children: (metric: Metric) => ReactNode
}

/** The frame of a metric: its title, a skeleton while it loads, another try when it failed. */
export function MetricCard({ query, title, aside, skeleton, children }: MetricCardProps) {
  const id = useId()
  const { data: metric } = query
  const Waiting = SKELETONS[skeleton]
  return (
    <div className={classes['card']} role="group" aria-labelledby={id}>
      <div className={classes['head']}>
        <h2 id={id} className={classes['title']}>
          {metric?.title ?? title}
        </h2>
        {aside}
      </div>
      {metric !== undefined && children(metric)}
      {metric === undefined && query.isError && (
        <EmptyState
          title="This could not be loaded."
          action={
            <Button variant="default" onClick={() => void query.refetch()}>
              Retry
            </Button>
          }
        >
          {messageOf(query.error)}
        </EmptyState>
      )}
      {metric === undefined && query.isPending && <Waiting />}
    </div>
  )
}

function PieSkeleton() {
  return (
    <div className={classes['pie']} role="status" aria-label="Loading">
      <Skeleton circle height={168} />
      <div className={classes['lines']}>
        <Lines count={4} />
      </div>
    </div>
  )
}

function TilesSkeleton() {
  return (
    <div className={classes['tiles']} role="status" aria-label="Loading">
      <Skeleton height={30} />
    </div>
  )
}

function ListSkeleton() {
  return (
    <div className={classes['lines']} role="status" aria-label="Loading">
      <Lines count={7} />
    </div>
  )
}

const Lines = ({ count }: { count: number }) =>
  Array.from({ length: count }, (_, line) => <Skeleton key={line} height={12} width={`${String(90 - ((line * 19) % 40))}%`} />)

const SKELETONS = { pie: PieSkeleton, list: ListSkeleton, tiles: TilesSkeleton } as const
