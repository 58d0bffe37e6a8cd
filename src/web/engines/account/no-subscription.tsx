import { useSession } from '#web/data/session.ts'
import { Notice } from '#web/ui/notice.tsx'

const NONE = '0'

/** Whether the company can start accounts. */
export const useHasSubscription = (): boolean => useSession().auth_user.subscription.id !== NONE

/** Says why no account can be started; empty while the company has a subscription. */
export const NoSubscription = () =>
  useHasSubscription() ? null : <Notice kind="warning">Your company does not have a valid Subscription.</Notice>
