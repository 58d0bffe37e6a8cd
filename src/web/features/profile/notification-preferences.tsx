import { NativeSelect } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { optionsOf } from '#contract/form.ts'
import { DELIVERIES, notificationCalls, type Delivery, type NotificationPreference } from '#contract/notifications.ts'
import { api } from '#web/data/client.ts'
import { queries } from '#web/data/queries.ts'
import { Loaded } from '#web/engines/loaded.tsx'
import { showError } from '#web/engines/show-error.ts'
import { PageCard } from '#web/ui/page-card.tsx'
import { SkeletonRows } from '#web/ui/skeleton-rows.tsx'
import { toast } from '#web/ui/toast.tsx'
import classes from './profile.module.css'

const WAYS = optionsOf(DELIVERIES)
const isWay = (value: string): value is Delivery => Object.hasOwn(DELIVERIES, value)

/** How the user gets each kind of notification; saved with each choice. */
export function NotificationPreferences() {
  const client = useQueryClient()
  const options = queries.notificationPreferences()
  const query = useQuery(options)
  const saving = useMutation({
    mutationFn: ({ kind, delivery }: Pick<NotificationPreference, 'kind' | 'delivery'>) =>
      api(notificationCalls.savePreferences, { body: { preferences: { [kind]: delivery } } }),
    // Choices are saved in their order.
    scope: { id: 'notification-preferences' },
    onMutate: ({ kind, delivery }) => {
      client.setQueryData(options.queryKey, (known) => known?.map((one) => (one.kind === kind ? { ...one, delivery } : one)))
    },
    onSuccess: ({ message }) => toast.success(message),
    onError: (error) => {
      showError(error)
      void client.invalidateQueries({ queryKey: options.queryKey })
    },
  })
  // A user whose role gets no notifications has nothing to choose.
  if (query.data?.length === 0) return null
  return (
    <PageCard title="Notifications" wide>
      <p className={classes['hint']}>
        All but those that are off are also in the list at the bell. A daily email has what you have not dismissed by then.
      </p>
      <Loaded query={query} skeleton={<SkeletonRows rows={6} label="Loading your choices" />}>
        {(preferences) => (
          <ul className={classes['preferences']}>
            {preferences.map(({ kind, label, delivery }) => (
              <li key={kind}>
                <span id={`notify-${kind}`}>{label}</span>
                <NativeSelect
                  aria-labelledby={`notify-${kind}`}
                  data={WAYS}
                  value={delivery}
                  onChange={({ currentTarget: { value } }) => isWay(value) && saving.mutate({ kind, delivery: value })}
                />
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </PageCard>
  )
}
