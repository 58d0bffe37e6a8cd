import { Button, Group, Modal, Text } from '@mantine/core'
import { useEffect, useState } from 'react'
import { sentenceCase } from '#contract/format.ts'
import { IDLE_CHECK_MS, IDLE_LOGOUT_MS, IDLE_WARNING_MS, KEEP_ALIVE_EVERY_MS, SECOND_MS } from '#contract/limits.ts'
import { lastCallAt } from '#web/data/client.ts'
import { pauseRealtime, resumeRealtime } from '#web/data/realtime.ts'
import { extendSession, signOut, useSession } from '#web/data/session.ts'
import { useNow } from '#web/ui/use-now.ts'

const ACTIVE_AT_KEY = 'plumbline.active-at'
const ACTIVITY_EVENTS = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'scroll', 'touchstart'] as const
const STORE_EVERY_MS = SECOND_MS

let activeAt = 0

/** When the user was last active in any tab of this browser, in ms. */
const lastActiveAt = () => Math.max(activeAt, Number(window.localStorage.getItem(ACTIVE_AT_KEY) ?? 0))

function storeActivity(): void {
  const now = Date.now()
  if (now - activeAt < STORE_EVERY_MS) return
  activeAt = now
  window.localStorage.setItem(ACTIVE_AT_KEY, String(now))
}

/** Stores pointer, key, scroll and touch activity until the returned function is called. */
function watchActivity(): () => void {
  const stop = new AbortController()
  const options = { passive: true, capture: true, signal: stop.signal }
  for (const event of ACTIVITY_EVENTS) window.addEventListener(event, storeActivity, options)
  storeActivity()
  return () => stop.abort()
}

/** What is due after `idle` ms without activity in any tab. */
export function dueAfter(idle: number): 'nothing' | 'warning' | 'logout' {
  if (idle >= IDLE_LOGOUT_MS) return 'logout'
  return idle >= IDLE_WARNING_MS ? 'warning' : 'nothing'
}

/** A user who is active without any call, as when reading or typing, still extends the session, at most every five minutes. */
export function isExtensionDue(now: number, activeAt: number, calledAt: number): boolean {
  return now - calledAt >= KEEP_ALIVE_EVERY_MS && activeAt > calledAt
}

/** Checks every 30 s; warns at 58 minutes without activity and signs out at 60. */
export function InactivityWatch() {
  const { config } = useSession()
  const [warned, setWarned] = useState(false)
  useEffect(() => (warned ? undefined : watchActivity()), [warned])
  useEffect(() => {
    const check = () => {
      const now = Date.now()
      const due = dueAfter(now - lastActiveAt())
      if (due === 'logout') void signOut(inactivityMessage(config.provider), 'inactive')
      else if (due === 'nothing' && isExtensionDue(now, lastActiveAt(), lastCallAt())) void extendSession().catch(ignoreFailure)
      if (due === 'warning') pauseRealtime()
      if (due === 'nothing') resumeRealtime()
      setWarned(due === 'warning')
    }
    const timer = setInterval(check, warned ? SECOND_MS : IDLE_CHECK_MS)
    return () => clearInterval(timer)
  }, [config.provider, warned])
  const stay = () => {
    storeActivity()
    setWarned(false)
    resumeRealtime()
    void extendSession().catch(ignoreFailure)
  }
  return warned ? <StillThere onLogout={() => void signOut()} onContinue={stay} /> : null
}

/** A failing exchange shows in the next call, and the client has already emitted its page event. */
const ignoreFailure = () => undefined

export const inactivityMessage = (provider: string): string => `${sentenceCase(provider)} has logged you out due to inactivity.`

function StillThere({ onLogout, onContinue }: { onLogout: () => void; onContinue: () => void }) {
  const left = Math.max(0, Math.ceil((lastActiveAt() + IDLE_LOGOUT_MS - useNow(SECOND_MS)) / SECOND_MS))
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
