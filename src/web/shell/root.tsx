import { Button, FocusTrap, Portal, Text, Title } from '@mantine/core'
import { useDocumentTitle, useWindowEvent } from '@mantine/hooks'
import { Outlet, useRouter, type ErrorComponentProps } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { OFFLINE_PROBE_MS, TOAST_MS } from '#contract/limits.ts'
import { probe } from '#web/data/client.ts'
import { messageOf } from '#web/data/errors.ts'
import { worksInMaintenance } from '#web/data/maintenance.ts'
import { EXPIRED_MESSAGE, emitPageEvent, type PageEvents } from '#web/data/page-events.ts'
import { queryClient } from '#web/data/query-client.ts'
import { endSession, endVisit, knownSession, productName } from '#web/data/session.ts'
import { isVisit } from '#web/data/tokens.ts'
import { entryPath, paths, returnPath } from '#web/paths.ts'
import { Logo } from '#web/ui/logo.tsx'
import { useCurrentTitle } from '#web/ui/page-title.ts'
import { PendingScreen } from '#web/ui/pending-screen.tsx'
import { toast } from '#web/ui/toast.tsx'
import classes from './not-found.module.css'
import { usePageEvent } from './use-page-event.ts'

/** Surrounds every page, signed in or not. */
export function Root() {
  const title = useCurrentTitle()
  useDocumentTitle(title === '' ? productName() : `${title} · ${productName()}`)
  return (
    <>
      <SessionWatch />
      <ConnectionWatch />
      <Outlet />
    </>
  )
}

/** Shown while the session loads. */
export const InitializingOverlay = () => <PendingScreen>{`Initializing ${productName()} systems, please stand by.`}</PendingScreen>

/** Shown when a page could not render. */
export function PageFailure({ error }: ErrorComponentProps) {
  return (
    <div className={classes['inside']} role="alert">
      <Logo size={44} />
      <Title order={2}>This page could not be shown</Title>
      <Text c="dimmed">{messageOf(error)}</Text>
      <Button variant="default" onClick={() => window.location.reload()}>
        Retry
      </Button>
    </div>
  )
}

/** Other tabs of the session have forgotten its tokens already. */
function isGuestSession(): boolean {
  const user = knownSession()?.auth_user
  return user !== undefined && (user.via_invite || user.via_share_link)
}

/** Handles the page events of calls: the session ended, too many calls, maintenance. */
export function SessionWatch() {
  const router = useRouter()
  const leave = ({ reason, message = reason === 'expired' ? EXPIRED_MESSAGE : undefined }: PageEvents['session-ended']) => {
    const wasGuest = isVisit() || isGuestSession()
    const { pathname, href } = router.state.location
    if (wasGuest && entryPath(href) !== undefined) return endVisit({ reason, message })
    endSession({ reason, message })
    if (wasGuest) return void router.navigate({ to: reason === 'signed-out' ? paths.login() : paths.visitEnded() })
    // An inactive user comes back after any toast would have closed.
    const duration = reason === 'inactive' ? { ms: Infinity } : {}
    if (message !== undefined) toast.global(message, { id: 'session-ended', ...duration })
    if (pathname !== '/login') void router.navigate({ to: '/login', search: { r: reason === 'signed-out' ? undefined : returnPath(href) } })
  }
  usePageEvent('session-ended', leave)
  usePageEvent('throttled', ({ message }) => toast.warning(message, { ms: TOAST_MS.throttled, id: 'throttled' }))
  usePageEvent('maintenance', ({ message }) => {
    if (message !== undefined) toast.warning(message, { id: 'maintenance' })
    const { href } = router.state.location
    void router.navigate({ to: '/maintenance', search: { r: entryPath(href) } })
  })
  return null
}

/** After a call without an answer: probes the service and covers the page while it is unreachable. Then reloads it, or only its data. */
export function ConnectionWatch({ reload = () => window.location.reload() }: { reload?: () => void }) {
  const [offline, setOffline] = useState(false)
  const probing = useRef(false)
  const check = async () => {
    // While the page is covered, it probes at intervals.
    if (probing.current || offline) return
    probing.current = true
    const { state } = await probe()
    probing.current = false
    if (state === 'down') setOffline(true)
    if (state === 'maintenance' && !worksInMaintenance()) emitPageEvent('maintenance', { message: undefined })
  }
  usePageEvent('unreachable', () => void check())
  const continuePage = () => {
    if (isReloadSafe()) return reload()
    setOffline(false)
    void queryClient.invalidateQueries()
  }
  return offline ? <Offline onBack={continuePage} /> : null
}

/** Not with unsaved input or running uploads: they prevent this event, because a reload would lose them. */
const isReloadSafe = () => window.dispatchEvent(new Event('beforeunload', { cancelable: true }))

/** The focus stays on it, Escape does not close what is below, and an input that loses the focus to it has nowhere to save. */
const COVERS = { 'data-autofocus': true, 'data-mantine-stop-propagation': true, 'data-offline': true }

/** In a portal, because panels and dialogs have theirs: it covers them, too. */
function Offline({ onBack }: { onBack: () => void }) {
  const retry = () => void probe().then(({ state }) => state !== 'down' && onBack())
  const tick = useEffectEvent(retry)
  useEffect(() => {
    const timer = setInterval(tick, OFFLINE_PROBE_MS)
    return () => clearInterval(timer)
  }, [])
  useWindowEvent('online', retry)
  const [focused] = useState(() => document.activeElement)
  useEffect(() => () => void (focused instanceof HTMLElement && focused.focus({ preventScroll: true })), [focused])
  return (
    <Portal>
      <FocusTrap active>
        <PendingScreen kind="overlay" role="alertdialog" aria-modal="true" aria-label="Connection Error" tabIndex={-1} {...COVERS}>
          Connection Error - Please check your internet connection. Attempting to reconnect...
        </PendingScreen>
      </FocusTrap>
    </Portal>
  )
}
