import { SECOND_MS } from '#contract/limits.ts'

const KEY = 'plumbline.active-at'
const EVENTS = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'scroll', 'touchstart'] as const
const NOTE_EVERY_MS = SECOND_MS

let noted = 0

/** When the person last did something, in any tab of this browser (decisions Q13), in ms. */
export function lastActiveAt(): number {
  return Math.max(noted, Number(window.localStorage.getItem(KEY) ?? 0))
}

export function noteActivity(now = Date.now()): void {
  if (now - noted < NOTE_EVERY_MS) return
  noted = now
  window.localStorage.setItem(KEY, String(now))
}

/** Notes pointer, key, scroll and touch until the returned function is called. */
export function watchActivity(): () => void {
  const note = () => noteActivity()
  for (const event of EVENTS) window.addEventListener(event, note, { passive: true, capture: true })
  noteActivity()
  return () => {
    for (const event of EVENTS) window.removeEventListener(event, note, { capture: true })
  }
}
