import { useReducedMotion } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'
import { COUNT_UP_MS } from '#contract/limits.ts'
import { formatNumber } from '#contract/format.ts'

/** A number that counts up to its value. Screen readers get only the value. */
export function CountUp({ value, format = formatNumber }: { value: number; format?: (value: number) => string }) {
  const reducedMotion = useReducedMotion()
  const [shown, setShown] = useState(0)
  const latest = useRef(0)
  useEffect(() => {
    if (reducedMotion) return undefined
    const start = performance.now()
    const from = latest.current
    let frame = requestAnimationFrame(function step(now) {
      const progress = Math.min(1, (now - start) / COUNT_UP_MS)
      latest.current = from + (value - from) * (1 - (1 - progress) ** 3)
      setShown(Math.round(latest.current))
      if (progress < 1) frame = requestAnimationFrame(step)
    })
    return () => cancelAnimationFrame(frame)
  }, [value, reducedMotion])
  return (
    <span className="tabular">
      <span aria-hidden>{format(reducedMotion ? value : shown)}</span>
      <span className="visually-hidden">{format(value)}</span>
    </span>
  )
}
