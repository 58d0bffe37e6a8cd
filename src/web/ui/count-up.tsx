import { useReducedMotion } from '@mantine/hooks'
import { createContext, use, useEffect, useState, type ReactNode } from 'react'
import { COUNT_UP_MS } from '#contract/limits.ts'
import { formatNumber } from '#contract/format.ts'

interface Visit {
  /** Names of the numbers that have counted up. */
  counted: Set<string>
}

const VisitContext = createContext<Visit | null>(null)

/** One visit of a page: each number in it counts up once, also when its tab is opened again. */
export function CountUpVisit({ children }: { children: ReactNode }) {
  const [visit] = useState(() => ({ counted: new Set<string>() }))
  return <VisitContext value={visit}>{children}</VisitContext>
}

interface CountUpProps {
  /** Unique in the page. */
  name: string
  value: number
  format?: (value: number) => string
  /** Money does not count up: a wrong amount, even for a moment, is worse than no animation. */
  money?: boolean
}

/** A number that counts up to its value once. Screen readers get only the value. */
export function CountUp({ name, value, format = formatNumber, money = false }: CountUpProps) {
  const visit = use(VisitContext)
  const reducedMotion = useReducedMotion(false, { getInitialValueInEffect: false })
  const [isFirst] = useState(() => visit?.counted.has(name) !== true && !money)
  const runs = isFirst && !reducedMotion
  const [progress, setProgress] = useState(0)
  useEffect(() => {
    if (!runs) return undefined
    visit?.counted.add(name)
    // The time of a frame can be before that of the script that requested it, so the first frame is the start.
    let start: number | undefined
    let frame = requestAnimationFrame(function step(now) {
      start ??= now
      const next = Math.min(1, (now - start) / COUNT_UP_MS)
      setProgress(next)
      if (next < 1) frame = requestAnimationFrame(step)
    })
    return () => cancelAnimationFrame(frame)
  }, [runs, visit, name])
  const shown = runs && progress < 1 ? Math.round(value * (1 - (1 - progress) ** 3)) : value
  return (
    <span className="tabular">
      <span aria-hidden>{format(shown)}</span>
      <span className="visually-hidden">{format(value)}</span>
    </span>
  )
}
