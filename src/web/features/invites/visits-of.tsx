import { useQuery } from '@tanstack/react-query'
import { formatDateTime, formatNumber } from '#contract/format.ts'
import type { DataOf } from '#contract/route.ts'
import type { sharingCalls } from '#contract/sharing.ts'
import { grantQueries } from '#web/data/grant-queries.ts'
import { useSession } from '#web/data/session.ts'
import { Loaded } from '#web/engines/loaded.tsx'
import { SkeletonRows } from '#web/ui/skeleton-rows.tsx'
import classes from './invites.module.css'

type Visit = DataOf<typeof sharingCalls.visitsOf>[number]

const DONE = { opened: 'Opened the account', viewed: 'Viewed', downloaded: 'Downloaded' } as const satisfies Record<Visit['what'], string>

/** What was seen with one invitation or link, the latest first. */
export function VisitsOf({ accountId, grantId }: { accountId: string; grantId: string }) {
  const { timezone } = useSession().auth_user.company
  const query = useQuery(grantQueries.visitsOf(accountId, grantId))
  return (
    <Loaded query={query} skeleton={<SkeletonRows rows={3} label="Loading the visits" />}>
      {({ data: visits, total }) =>
        visits.length === 0 ? (
          <p className={classes['muted']}>Not opened yet.</p>
        ) : (
          <>
            <table className={classes['visits']}>
              <thead>
                <tr>
                  <th>Time</th>
                  <th>What</th>
                  <th>Who</th>
                </tr>
              </thead>
              <tbody>
                {visits.map(({ id, at, what, item, person, address }) => (
                  <tr key={id}>
                    <td>{formatDateTime(at, timezone)}</td>
                    <td>{item === null ? DONE[what] : `${DONE[what]} ${item}`}</td>
                    <td>
                      {person} <span className={classes['muted']}>{address}</span>
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
            {visits.length < total && (
              <p className={classes['muted']}>
                The last {formatNumber(visits.length)} of {formatNumber(total)} are shown. The downloaded list has all of them.
              </p>
            )}
          </>
        )
      }
    </Loaded>
  )
}
