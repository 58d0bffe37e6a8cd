import { Indicator, Popover, Skeleton } from '@mantine/core'
import IconBell from '@tabler/icons-react/dist/esm/icons/IconBell.mjs'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState, type PointerEvent } from 'react'
import { formatNumber } from '#contract/format.ts'
import { NOTIFICATIONS_HIDE_MS } from '#contract/limits.ts'
import { queries } from '#web/data/queries.ts'
import { lazyPart } from '#web/engines/lazy-part.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import classes from './notifications.module.css'

const NotificationList = lazyPart(async () => (await import('./notification-list.tsx')).NotificationList, {
  fallback: <Skeleton height={160} />,
})

const COUNT_MAX = 99

/** The number of notifications that were not dismissed, and the dropdown with them. It closes a second after the mouse has left it. */
export function NotificationBell() {
  const { data } = useQuery(queries.notifications())
  const [opened, setOpened] = useState(false)
  const leaving = useRef<number>(undefined)
  const stay = () => window.clearTimeout(leaving.current)
  useEffect(() => stay, [])
  const close = () => {
    stay()
    setOpened(false)
  }
  /** A finger leaves the screen with every tap. */
  const leave = ({ pointerType }: PointerEvent) => {
    stay()
    if (pointerType === 'mouse') leaving.current = window.setTimeout(() => setOpened(false), NOTIFICATIONS_HIDE_MS)
  }
  const count = data?.count ?? 0
  const shown = count > COUNT_MAX ? `${String(COUNT_MAX)}+` : formatNumber(count)
  return (
    <Popover position="bottom-end" width={380} opened={opened} onChange={setOpened} onDismiss={close} trapFocus returnFocus>
      <Indicator label={shown} size={18} offset={6} disabled={count === 0} classNames={{ indicator: classes['count'] ?? '' }} withBorder>
        <Popover.Target>
          <IconButton
            name={count === 0 ? 'Notifications' : `Notifications, ${shown} not dismissed`}
            size={36}
            hideTooltip={opened}
            onClick={() => {
              stay()
              setOpened(!opened)
            }}
            onPointerLeave={leave}
            onPointerEnter={stay}
          >
            <IconBell size={20} aria-hidden />
          </IconButton>
        </Popover.Target>
      </Indicator>
      <Popover.Dropdown className={classes['dropdown'] ?? ''} onPointerLeave={leave} onPointerEnter={stay}>
        <NotificationList onLeave={close} />
      </Popover.Dropdown>
    </Popover>
  )
}
