import type { ActivityItem } from '#contract/activity.ts'
import { useSession } from '#web/data/session.ts'
import { formatAgo, formatDateTime } from '#contract/format.ts'
import { useNow } from '#web/ui/use-now.ts'
import classes from './recent-activity.module.css'

/** One thing that happened, and when. */
export function ActivityLine({ item }: { item: ActivityItem }) {
  const zone = useSession().auth_user.company.timezone
  const now = useNow()
  return (
    <li className={classes['line']} data-class={item.class}>
      <span className={classes['message']}>{item.message}</span>
      <time className={classes['time']} dateTime={item.datetime} title={formatDateTime(item.datetime, zone)}>
        {formatAgo(item.datetime, zone, now)}
      </time>
    </li>
  )
}
