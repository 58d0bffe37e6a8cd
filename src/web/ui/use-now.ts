import { useEffect, useState } from 'react'
import { MINUTE_MS } from '#contract/limits.ts'

/** The current time in ms, updated every `everyMs`; null stops the updates. */
export function useNow(everyMs: number | null = MINUTE_MS): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    if (everyMs === null) return undefined
    const update = () => setNow(Date.now())
    update()
    const timer = setInterval(update, everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return now
}
