import { KEEP_ALIVE_EVERY_MS, SECOND_MS } from '#contract/limits.ts'

/** The time of the latest activity in any tab. Written by the tab with the activity, and new to the others until they read it. */
const MARK_KEY = 'plumbline.active-at'
const STORE_EVERY_MS = SECOND_MS

const readClocks = () => ({ wall: Date.now(), steady: performance.now() })
const readMark = () => Number(window.localStorage.getItem(MARK_KEY) ?? 0)

let seen = readClocks()
let seenMark = readMark()
/** Time that has passed on this page, in ms. Everything below is measured by it. */
let elapsed = 0
/** A page that is opened or reloaded continues the inactivity of the others. */
let activeAt = seenMark === 0 ? 0 : Math.min(0, seenMark - seen.wall)
let storedAt = activeAt
let reportedAt = activeAt

/**
 * The clock of the device jumps when it is set, and the steady clock stops while a device sleeps. So each step is the longer one of the
 * two, and never negative.
 */
function advance(): number {
  const now = readClocks()
  const step = Math.max(0, now.wall - seen.wall, now.steady - seen.steady)
  elapsed += step
  seen = now
  return step
}

/** Milliseconds without activity in any tab. */
export function idleMs(): number {
  const step = advance()
  const mark = readMark()
  if (mark !== seenMark) {
    seenMark = mark
    // Another tab was active since the last step. If the clock was set in between, its time says nothing.
    activeAt = Math.max(activeAt, elapsed - Math.min(step, Math.max(0, seen.wall - mark)))
  }
  return elapsed - activeAt
}

/** The user did something in this tab. */
export function markActive(): void {
  advance()
  activeAt = elapsed
  if (elapsed - storedAt < STORE_EVERY_MS && seenMark !== 0) return
  storedAt = elapsed
  seenMark = seen.wall
  window.localStorage.setItem(MARK_KEY, String(seenMark))
}

/** Call with the activity that a call reports, then with the result when the server has answered. */
export function reportActivity(): { idleSeconds: number; arrived(): void } {
  const idle = idleMs()
  const at = activeAt
  return { idleSeconds: Math.floor(idle / SECOND_MS), arrived: () => void (reportedAt = Math.max(reportedAt, at)) }
}

/** Whether the server does not know of activity of the last minutes, as when the user reads or types without any call. */
export function isReportDue(): boolean {
  idleMs()
  return activeAt > reportedAt && elapsed - reportedAt >= KEEP_ALIVE_EVERY_MS
}
