import { Button, Group, Modal, Text } from '@mantine/core'
import { useEffect, useState } from 'react'
import { IDLE_CHECK_MS, IDLE_LOGOUT_MS, IDLE_WARNING_MS, KEEP_ALIVE_EVERY_MS, SECOND_MS } from '#contract/limits.ts'
import { lastActiveAt, noteActivity, watchActivity } from '#web/data/activity-clock.ts'
import { lastCallAt } from '#web/data/client.ts'
import { pauseRealtime, resumeRealtime } from '#web/data/realtime.ts'
import { keepSession, signOut, useSession } from '#web/data/session.ts'
import { sentenceCase } from '#contract/format.ts'

/** What is due after `idle` ms without activity in any tab. */
export function dueAfter(idle: number): 'nothing' | 'warning' | 'logout' {
  if (idle >= IDLE_LOGOUT_MS) return 'logout'
  return idle >= IDLE_WARNING_MS ? 'warning' : 'nothing'
}

/** A person who works without any call (reading, typing) still keeps the session, at most every five minutes. */
export function isKeepDue(now: number, activeAt: number, calledAt: number): boolean {
  return now - calledAt >= KEEP_ALIVE_EVERY_MS && activeAt > calledAt
}

/** Checks every 30 s; asks at 58 minutes without activity and signs out at 60 (S0 §4). */
export function InactivityWatch() {
  const { config } = useSession()
  const [warned, setWarned] = useState(false)
  useEffect(() => (warned ? undefined : watchActivity()), [warned])
  useEffect(() => {
    const check = () => {
      const now = Date.now()
      const due = dueAfter(now - lastActiveAt())
      if (due === 'logout') void signOut(inactivityMessage(config.provider), 'inactive')
      else if (due === 'nothing' && isKeepDue(now, lastActiveAt(), lastCallAt())) void keepSession().catch(ignoreFailure)
      if (due === 'warning') pauseRealtime()
      if (due === 'nothing') resumeRealtime()
      setWarned(due === 'warning')
    }
    const timer = setInterval(check, warned ? SECOND_MS : IDLE_CHECK_MS)
    return () => clearInterval(timer)
  }, [config.provider, warned])
  const stay = () => {
    noteActivity()
    setWarned(false)
    resumeRealtime()
    void keepSession().catch(ignoreFailure)
  }
  return warned ? <StillThere onLogout={() => void signOut()} onContinue={stay} /> : null
}

/** A failing exchange shows itself in the next call; the client has already told the shell what it means. */
const ignoreFailure = () => undefined

export const inactivityMessage = (provider: string): string => `${sentenceCase(provider)} has logged you out due to inactivity.`

function StillThere({ onLogout, onContinue }: { onLogout: () => void; onContinue: () => void }) {
  const left = Math.max(0, Math.ceil((lastActiveAt() + IDLE_LOGOUT_MS - useNow()) / SECOND_MS))
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

function useNow(): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), SECOND_MS)
    return () => clearInterval(timer)
  }, [])
  return now
}
