import { Button } from '@mantine/core'
import { useInfiniteQuery, type UseInfiniteQueryResult } from '@tanstack/react-query'
import { useEffect, useRef, type ReactNode, type UIEvent } from 'react'
import { formatAgo, formatExactTime } from '#contract/format.ts'
import { MODELS } from '#contract/models.ts'
import type { ActivityModel } from '#web/data/models.ts'
import { queries } from '#web/data/queries.ts'
import { useCan, useSession } from '#web/data/session.ts'
import { ScrollRegion } from '#web/ui/scroll-region.tsx'
import { SkeletonRows } from '#web/ui/skeleton-rows.tsx'
import { TitledSection } from '#web/ui/titled-section.tsx'
import { useNow } from '#web/ui/use-now.ts'
import classes from './activity-list.module.css'
import { Loaded } from './loaded.tsx'

const LOAD_BEFORE_END_PX = 160
const SKELETON_ROWS = 8

/** What happened to a record, newest first. Older lines load while the user scrolls, new ones appear at the top. */
export function ActivityList({ model, id }: { model: ActivityModel; id: string }) {
  const query = useInfiniteQuery(queries.activity(model, id))
  return (
    <Loaded
      query={query}
      skeleton={<SkeletonRows rows={SKELETON_ROWS} label="Loading recent activity" />}
      failure="The activity could not be loaded."
    >
      {({ pages }) => (
        <Timeline
          query={query}
          label="What happened, newest first"
          empty="No recent activity"
          lines={pages
            .flatMap(({ data }) => data)
            .map(({ id: line, message, datetime, class: kind }) => ({ id: line, content: message, at: datetime, kind }))}
        />
      )}
    </Loaded>
  )
}

/** The activity as a section of a side panel, for users who can see it. */
export function ActivitySection({ model, id }: { model: ActivityModel; id: string }) {
  const can = useCan()
  if (MODELS[model].visibility === 'account' && !can('view_account_activity')) return null
  return (
    <TitledSection title="Activity">
      <ActivityList model={model} id={id} />
    </TitledSection>
  )
}

interface TimelineLine {
  id: string
  content: ReactNode
  at: string
  kind?: string
}

interface TimelineProps {
  lines: readonly TimelineLine[]
  query: Pick<UseInfiniteQueryResult, 'hasNextPage' | 'isFetchingNextPage' | 'fetchNextPage'>
  label: string
  empty: string
}

/** Lines with their time. Further pages load while the user scrolls. */
export function Timeline({ lines, query: { hasNextPage, isFetchingNextPage, fetchNextPage }, label, empty }: TimelineProps) {
  const zone = useSession().auth_user.company.timezone
  const now = useNow()
  const box = useRef<HTMLDivElement>(null)
  const newest = lines[0]?.id
  useEffect(() => {
    // New lines are added at the top.
    if (box.current !== null) box.current.scrollTop = 0
  }, [newest])
  if (lines.length === 0) return <p className={classes['none']}>{empty}</p>
  const more = () => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage()
  }
  const onScroll = ({ currentTarget: { scrollHeight, scrollTop, clientHeight } }: UIEvent) => {
    if (scrollHeight - scrollTop - clientHeight < LOAD_BEFORE_END_PX) more()
  }
  return (
    <ScrollRegion ref={box} className={classes['scroll']} onScroll={onScroll} label={label}>
      <ol>
        {lines.map(({ id, content, at, kind }) => (
          <li key={id} className={classes['line']} data-class={kind}>
            <span className={classes['message']}>{content}</span>
            <time className={classes['time']} dateTime={at} title={formatExactTime(at, zone)}>
              {formatAgo(at, zone, now)}
            </time>
          </li>
        ))}
      </ol>
      {hasNextPage && (
        <Button variant="subtle" color="gray" size="compact-sm" fullWidth loading={isFetchingNextPage} onClick={more}>
          Show more
        </Button>
      )}
    </ScrollRegion>
  )
}
