import '@mantine/notifications/styles.layer.css'
import { Notifications } from '@mantine/notifications'
import { TOAST_MS, TOAST_STACK } from '#contract/limits.ts'

/** Loaded lazily, because no page needs it for its first paint. */
export function Toasts() {
  return <Notifications position="top-center" limit={TOAST_STACK} autoClose={TOAST_MS.info} zIndex={1200} />
}
