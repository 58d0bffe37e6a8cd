import { useReducedMotion } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'
import { COUNT_UP_MS } from '#contract/limits.ts'
import { formatNumber } from '#contract/format.ts'

interface CountUpProps {
  value: number
  format?: (value: number) => string
}

/** A number that runs to its value; screen readers hear the value alone. */
export function CountUp({ value, format = formatNumber }: CountUpProps) {
  const still = useReducedMotion()
  const [shown, setShown] = useState(0)
  const from = useRef(0)
  useEffect(() => {
    if (still) return undefined
    const start = performance.now()
    const began = from.current
    let frame = requestAnimationFrame(function step(now) {
      const passed = Math.min(1, (now - start) / COUNT_UP_MS)
      from.current = began + (value - began) * (1 - (1 - passed) ** 3)
      setShown(Math.round(from.current))
      if (passed < 1) frame = requestAnimationFrame(step)
    })
    return () => cancelAnimationFrame(frame)
  }, [value, still])
  return (
    <span className="tabular">
      <span aria-hidden>{format(still ? value : shown)}</span>
      <span className="visually-hidden">{format(value)}</span>
    </span>
  )
}
