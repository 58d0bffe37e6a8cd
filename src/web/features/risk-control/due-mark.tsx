import type { Recommendation } from '#contract/recommendations.ts'
import { SeverityShape } from '#web/ui/severity-shape.tsx'
import classes from './report.module.css'

/** Overdue or due soon, in words with a shape; nothing for other recommendations. */
export function DueMark({ due, children }: { due: Recommendation['due']; children: string }) {
  if (due === null) return null
  return (
    <span className={classes[due]}>
      <SeverityShape severity={due === 'overdue' ? 'critical' : 'warning'} /> {children}
    </span>
  )
}
