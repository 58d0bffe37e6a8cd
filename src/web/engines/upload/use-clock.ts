import { useEffect, useState } from 'react'
import { SECOND_MS } from '#contract/limits.ts'

/** The time, told anew each second while something counts down. */
export function useClock(running: boolean): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    if (!running) return undefined
    const timer = setInterval(() => setNow(Date.now()), SECOND_MS)
    return () => clearInterval(timer)
  }, [running])
  return now
}
