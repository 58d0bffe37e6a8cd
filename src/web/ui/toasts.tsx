import '@mantine/notifications/styles.layer.css'
import { Notifications } from '@mantine/notifications'
import classes from './toasts.module.css'
import { TOAST_MS, TOAST_STACK } from '#contract/limits.ts'

/** At the top, below the title of the page. Loaded lazily, because no page needs it for its first paint. */
const BELOW_HEADING = { root: classes['toasts'] ?? '' }

export function Toasts() {
  return <Notifications classNames={BELOW_HEADING} position="top-center" limit={TOAST_STACK} autoClose={TOAST_MS.info} zIndex={1200} />
}
