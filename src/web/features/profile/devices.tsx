import { Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import IconDeviceDesktop from '@tabler/icons-react/dist/esm/icons/IconDeviceDesktop.mjs'
import { formatAgo, formatDate } from '#contract/format.ts'
import { profileCalls, type SignedInDevice } from '#contract/profile.ts'
import { api } from '#web/data/client.ts'
import { queries } from '#web/data/queries.ts'
import { useSession } from '#web/data/session.ts'
import { Loaded } from '#web/engines/loaded.tsx'
import { showError } from '#web/engines/show-error.ts'
import { DateText } from '#web/ui/date-text.tsx'
import { PageCard } from '#web/ui/page-card.tsx'
import { SkeletonRows } from '#web/ui/skeleton-rows.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useNow } from '#web/ui/use-now.ts'
import { deviceName } from './device-name.ts'
import classes from './profile.module.css'

/** Where the user is signed in, each with a button that signs it out. */
export function Devices() {
  const client = useQueryClient()
  const query = useQuery(queries.devices())
  const ending = useMutation({
    /** All others without an id. */
    mutationFn: (id: string | null) => (id === null ? api(profileCalls.endOthers) : api(profileCalls.endOne, { params: { id } })),
    onSuccess: ({ message }) => toast.success(message),
    onError: (error) => showError(error),
    onSettled: () => client.invalidateQueries({ queryKey: queries.devices().queryKey }),
  })
  const hasOthers = query.data?.some(({ current }) => !current) === true
  return (
    <PageCard
      title="Where you are signed in"
      wide
      action={
        hasOthers && (
          <Button variant="default" size="xs" loading={ending.isPending && ending.variables === null} onClick={() => ending.mutate(null)}>
            Sign out everywhere else
          </Button>
        )
      }
    >
      <Loaded query={query} skeleton={<SkeletonRows rows={2} label="Loading your devices" />}>
        {(devices) => (
          <ul className={classes['devices']}>
            {devices.map((device) => (
              <Device
                key={device.id}
                device={device}
                ending={ending.isPending && ending.variables === device.id}
                onEnd={() => ending.mutate(device.id)}
              />
            ))}
          </ul>
        )}
      </Loaded>
    </PageCard>
  )
}

function Device({ device, ending, onEnd }: { device: SignedInDevice; ending: boolean; onEnd: () => void }) {
  const { timezone } = useSession().auth_user.company
  const now = useNow()
  return (
    <li>
      <IconDeviceDesktop size={20} stroke={1.6} aria-hidden />
      <span className={classes['device']}>
        <strong>{deviceName(device.client)}</strong>
        <span>
          {device.address}, signed in {formatDate(device.signed_in_at, timezone)}, last used{' '}
          <DateText iso={device.last_used_at} zone={timezone}>
            {formatAgo(device.last_used_at, timezone, now)}
          </DateText>
        </span>
      </span>
      {device.current ? (
        <span className={classes['current']}>This device</span>
      ) : (
        <Button variant="default" size="xs" loading={ending} onClick={onEnd}>
          Sign out
        </Button>
      )}
    </li>
  )
}
