import { Button, Group, Modal, Text } from '@mantine/core'
import { useCallback, useEffect, useRef, useState } from 'react'
import { sentenceCase } from '#contract/format.ts'
import { IDLE_CHECK_MS, IDLE_LOGOUT_MS, IDLE_WARNING_MS, SECOND_MS } from '#contract/limits.ts'
import { idleMs, isReportDue, markActive } from '#web/data/activity.ts'
import { pauseRealtime, resumeRealtime } from '#web/data/realtime.ts'
import { extendSession, signOut, useSession } from '#web/data/session.ts'
import { useNow } from '#web/ui/use-now.ts'

const ACTIVITY_EVENTS = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'scroll', 'touchstart'] as const
/** A page that comes back, as after the sleep of a device, is checked at once. */
const RETURN_EVENTS = ['focus', 'pageshow', 'visibilitychange'] as const

/** What is due after `idle` ms without activity in any tab. */
export function dueAfter(idle: number): 'nothing' | 'warning' | 'logout' {
  if (idle >= IDLE_LOGOUT_MS) return 'logout'
  return idle >= IDLE_WARNING_MS ? 'warning' : 'nothing'
}

/**
 * Checks every 30 s; warns at 58 minutes without activity and signs out at 60. From the warning on, only Continue counts as activity. What
 * the user does is checked first, because it may be the first thing after the sleep of a device.
 */
export function InactivityWatch() {
  const { provider } = useSession().config
  const [warned, setWarned] = useState(false)
  const leaving = useRef(false)
  const check = useCallback(
    (isActive = false) => {
      const due = dueAfter(idleMs())
      if (due === 'logout' && !leaving.current) {
        leaving.current = true
        void signOut(inactivityMessage(provider), 'inactive')
      }
      if (due === 'warning') pauseRealtime()
      if (due === 'nothing') resumeRealtime()
      if (due === 'nothing' && isActive) markActive()
      if (due === 'nothing' && !isActive && isReportDue()) void extendSession().catch(ignoreFailure)
      setWarned(due === 'warning')
    },
    [provider],
  )
  useEffect(() => {
    const stop = new AbortController()
    const options = { passive: true, capture: true, signal: stop.signal }
    for (const event of ACTIVITY_EVENTS) window.addEventListener(event, () => check(true), options)
    for (const event of RETURN_EVENTS) window.addEventListener(event, () => check(), options)
    const first = setTimeout(check)
    return () => {
      clearTimeout(first)
      stop.abort()
    }
  }, [check])
  useEffect(() => {
    const timer = setInterval(() => check(), warned ? SECOND_MS : IDLE_CHECK_MS)
    return () => clearInterval(timer)
  }, [check, warned])
  const stay = () => {
    // Also after the sleep of a device, before the next check.
    if (dueAfter(idleMs()) === 'logout') return check()
    markActive()
    check()
    void extendSession().catch(ignoreFailure)
  }
  return warned ? <StillThere onLogout={() => void signOut()} onContinue={stay} /> : null
}

/** A failing exchange shows in the next call, and the client has already emitted its page event. */
const ignoreFailure = () => undefined

export const inactivityMessage = (provider: string): string => `${sentenceCase(provider)} has logged you out due to inactivity.`

function StillThere({ onLogout, onContinue }: { onLogout: () => void; onContinue: () => void }) {
  useNow(SECOND_MS)
  const left = Math.max(0, Math.ceil((IDLE_LOGOUT_MS - idleMs()) / SECOND_MS))
  const clock = `${String(Math.floor(left / 60))}:${String(left % 60).padStart(2, '0')}`
  return (
    <Modal opened onClose={onContinue} title="Are you still there?" withCloseButton={false} closeOnClickOutside={false}>
      <Text>You will be logged out because of inactivity in</Text>
      <Text fz={32} lh="48px" fw={600} className="tabular" role="timer">
        {clock}
      </Text>
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={onLogout}>
          Logout
        </Button>
        <Button onClick={onContinue} data-autofocus>
          Continue
        </Button>
      </Group>
    </Modal>
  )
}
