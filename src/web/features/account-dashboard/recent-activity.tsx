import { ActivityList } from '#web/engines/activity-list.tsx'
import card from './overview.module.css'

/** The activity on the account. */
export const RecentActivity = ({ accountId }: { accountId: string }) => (
  <section className={card['card']} aria-labelledby="recent-activity">
    <h2 id="recent-activity" className={card['title']}>
      Recent Activity
    </h2>
    <ActivityList model="accounts" id={accountId} />
  </section>
)
