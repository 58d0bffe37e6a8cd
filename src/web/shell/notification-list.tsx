import { Button } from '@mantine/core'
import IconArchive from '@tabler/icons-react/dist/esm/icons/IconArchive.mjs'
import IconBell from '@tabler/icons-react/dist/esm/icons/IconBell.mjs'
import IconFlag from '@tabler/icons-react/dist/esm/icons/IconFlag.mjs'
import IconFolder from '@tabler/icons-react/dist/esm/icons/IconFolder.mjs'
import IconLink from '@tabler/icons-react/dist/esm/icons/IconLink.mjs'
import IconPaperclip from '@tabler/icons-react/dist/esm/icons/IconPaperclip.mjs'
import IconScale from '@tabler/icons-react/dist/esm/icons/IconScale.mjs'
import IconShield from '@tabler/icons-react/dist/esm/icons/IconShield.mjs'
import IconUpload from '@tabler/icons-react/dist/esm/icons/IconUpload.mjs'
import IconUserPlus from '@tabler/icons-react/dist/esm/icons/IconUserPlus.mjs'
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { formatAgo, formatNumber } from '#contract/format.ts'
import { NOTIFICATION_REMOVE_MS, NOTIFICATIONS_SHOWN } from '#contract/limits.ts'
import { notificationAddress, notificationCalls, type Notification } from '#contract/notifications.ts'
import { api } from '#web/data/client.ts'
import { queries, type Notifications } from '#web/data/queries.ts'
import { useSession } from '#web/data/session.ts'
import { Loaded } from '#web/engines/loaded.tsx'
import { showError } from '#web/engines/show-error.ts'
import { DateText } from '#web/ui/date-text.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { toast } from '#web/ui/toast.tsx'
import { SkeletonRows } from '#web/ui/skeleton-rows.tsx'
import { useNow } from '#web/ui/use-now.ts'
import classes from './notifications.module.css'

const ICONS: Readonly<Record<Notification['icon'], typeof IconBell>> = {
  paperclip: IconPaperclip,
  archive: IconArchive,
  upload: IconUpload,
  flag: IconFlag,
  scale: IconScale,
  shield: IconShield,
  folder: IconFolder,
  'user-plus': IconUserPlus,
  link: IconLink,
  bell: IconBell,
}

/** How many older ones are added to the list at a time. */
const NOTIFICATIONS_MORE = 200

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Shows what was dismissed at this time again. */
function useRestore() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (dismissed_at: string) => api(notificationCalls.restore, { body: { dismissed_at } }),
    onSuccess: ({ message }) => toast.success(message),
    onError: (error) => showError(error),
    onSettled: () => client.invalidateQueries({ queryKey: ['notifications'] }),
  })
}

/** Dismisses one notification or, without an id, all that are shown; the toast brings them back. Rows fade for a moment before they are removed. */
function useDismiss() {
  const client = useQueryClient()
  const restore = useRestore()
  return useMutation({
    mutationFn: async (id: string | null) => {
      const newest = client.getQueryData(queries.notifications().queryKey)?.data[0]
      const body = id === null && newest !== undefined ? { until: newest.created_at } : {}
      const sent = api(notificationCalls.dismiss, { params: { one_or_all: id ?? 'all' }, body })
      const [answer] = await Promise.all([sent, wait(NOTIFICATION_REMOVE_MS)])
      return answer
    },
    onSuccess: ({ message, dismissed_at }, id) => {
      toast.success(message, { action: { label: 'Undo', onClick: () => restore.mutate(dismissed_at) } })
      client.setQueriesData<Notifications>({ queryKey: ['notifications'] }, (known) => known && without(known, id))
    },
    onError: (error) => showError(error),
    onSettled: () => Promise.all([client.invalidateQueries({ queryKey: ['notifications'] }), wait(NOTIFICATION_REMOVE_MS)]),
  })
}

function without({ data, count }: Notifications, id: string | null): Notifications {
  if (id === null) return { data: [], count: 0 }
  const rest = data.filter((notification) => notification.id !== id)
  return { data: rest, count: count - (data.length - rest.length) }
}

/** The notifications of the user that were not dismissed. */
export function NotificationList({ onLeave }: { onLeave: () => void }) {
  const [limit, setLimit] = useState(NOTIFICATIONS_SHOWN)
  const query = useQuery(queries.notifications(limit))
  const dismissAll = useDismiss()
  const list = useRef<HTMLDivElement>(null)
  return (
    <div ref={list} tabIndex={-1} className={classes['list']}>
      <div className={classes['head']}>
        <h2>Notifications</h2>
        {query.data !== undefined && query.data.count > 0 && (
          <Button
            variant="subtle"
            size="compact-sm"
            loading={dismissAll.isPending}
            onClick={() => {
              dismissAll.mutate(null)
              list.current?.focus()
            }}
          >
            Dismiss All
          </Button>
        )}
      </div>
      <Loaded query={query} skeleton={<SkeletonRows rows={3} label="Loading your notifications" />}>
        {({ data, count }) =>
          data.length === 0 ? (
            <p className={classes['empty']}>You have no Notifications!</p>
          ) : (
            <>
              <ul className={classes['items']}>
                {data.map((notification) => (
                  <Item
                    key={notification.id}
                    notification={notification}
                    leaving={dismissAll.isPending}
                    onLeave={onLeave}
                    onDismissed={() => list.current?.focus()}
                  />
                ))}
              </ul>
              {count > data.length && (
                <Button variant="subtle" fullWidth loading={query.isPlaceholderData} onClick={() => setLimit(limit + NOTIFICATIONS_MORE)}>
                  Show older ones ({formatNumber(count - data.length)})
                </Button>
              )}
            </>
          )
        }
      </Loaded>
    </div>
  )
}

interface ItemProps {
  notification: Notification
  /** All of them are being dismissed. */
  leaving: boolean
  onLeave: () => void
  onDismissed: () => void
}

function Item({ notification: { id, icon, message, link, created_at }, leaving, onLeave, onDismissed }: ItemProps) {
  const { timezone } = useSession().auth_user.company
  const now = useNow()
  const dismiss = useDismiss()
  const Icon = ICONS[icon]
  return (
    <li data-leaving={leaving || dismiss.isPending || undefined}>
      <Icon size={18} stroke={1.6} aria-hidden />
      <span className={classes['text']}>
        {link === null ? (
          <span>{message}</span>
        ) : (
          <Link to={notificationAddress(link)} onClick={onLeave}>
            {message}
          </Link>
        )}
        <DateText iso={created_at} zone={timezone}>
          {formatAgo(created_at, timezone, now)}
        </DateText>
      </span>
      <IconButton
        name={`Dismiss: ${message}`}
        size={28}
        disabled={dismiss.isPending}
        onClick={(event) => {
          // The next one, so that several can be dismissed with the keyboard.
          const buttons = [...(event.currentTarget.closest('ul')?.querySelectorAll('button') ?? [])]
          const index = buttons.indexOf(event.currentTarget)
          const next = buttons[index + 1] ?? buttons[index - 1]
          dismiss.mutate(id)
          if (next === undefined) onDismissed()
          else next.focus()
        }}
      >
        <IconX size={16} aria-hidden />
      </IconButton>
    </li>
  )
}
