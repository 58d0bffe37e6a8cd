import { Button } from '@mantine/core'
import { useInfiniteQuery, type UseInfiniteQueryResult } from '@tanstack/react-query'
import { useEffect, useRef, type UIEvent } from 'react'
import type { ActivityItem } from '#contract/activity.ts'
import { formatAgo, formatExactTime } from '#contract/format.ts'
import { queries } from '#web/data/queries.ts'
import { useSession } from '#web/data/session.ts'
import { Loaded } from '#web/engines/loaded.tsx'
import { SkeletonRows } from '#web/ui/skeleton-rows.tsx'
import { useNow } from '#web/ui/use-now.ts'
import { ScrollRegion } from '#web/ui/scroll-region.tsx'
import card from './overview.module.css'
import classes from './recent-activity.module.css'

const LOAD_BEFORE_END_PX = 160
const SKELETON_ROWS = 8

/** The activity on the account, newest first. Older lines load while the user scrolls. */
export function RecentActivity({ accountId }: { accountId: string }) {
  const query = useInfiniteQuery(queries.activity(accountId))
  return (
    <section className={card['card']} aria-labelledby="recent-activity">
      <h2 id="recent-activity" className={card['title']}>
        Recent Activity
      </h2>
      <Loaded
        query={query}
        skeleton={<SkeletonRows rows={SKELETON_ROWS} label="Loading recent activity" />}
        failure="The activity could not be loaded."
      >
        {({ pages }) => <ActivityList items={pages.flatMap(({ data }) => data)} query={query} />}
      </Loaded>
    </section>
  )
}

function ActivityList({ items, query }: { items: readonly ActivityItem[]; query: UseInfiniteQueryResult }) {
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = query
  const zone = useSession().auth_user.company.timezone
  const now = useNow()
  const box = useRef<HTMLDivElement>(null)
  const newest = items[0]?.id
  useEffect(() => {
    // New lines are added at the top.
    if (box.current !== null) box.current.scrollTop = 0
  }, [newest])
  if (items.length === 0) return <p className={classes['none']}>No recent activity</p>
  const more = () => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage()
  }
  const onScroll = ({ currentTarget: { scrollHeight, scrollTop, clientHeight } }: UIEvent) => {
    if (scrollHeight - scrollTop - clientHeight < LOAD_BEFORE_END_PX) more()
  }
  return (
    <ScrollRegion ref={box} className={classes['scroll']} onScroll={onScroll} label="What happened, newest first">
      <ol className={classes['list']}>
        {items.map(({ id, message, datetime, class: kind }) => (
          <li key={id} className={classes['line']} data-class={kind}>
            <span className={classes['message']}>{message}</span>
            <time className={classes['time']} dateTime={datetime} title={formatExactTime(datetime, zone)}>
              {formatAgo(datetime, zone, now)}
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
