import '@mantine/notifications/styles.layer.css'
import { Notifications } from '@mantine/notifications'
import classes from './toasts.module.css'
import { TOAST_MS, TOAST_STACK } from '#contract/limits.ts'

/** At the bottom next to the sidebar, where they cover neither a title nor the buttons of a panel. Loaded lazily, because no page needs it for its first paint. */
const ABOVE_FOOTERS = { root: classes['toasts'] ?? '' }

export function Toasts() {
  return <Notifications classNames={ABOVE_FOOTERS} position="bottom-left" limit={TOAST_STACK} autoClose={TOAST_MS.info} zIndex={1200} />
}
