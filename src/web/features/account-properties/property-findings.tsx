import type { Property } from '#contract/account-properties.ts'
import { SEVERITIES, SEVERITY_LABELS } from '#contract/checks.ts'
import { SeverityShape } from './finding-mark.tsx'
import classes from './property.module.css'

/** What is wrong with a property, worst first. */
export function PropertyFindings({ findings }: { findings: Property['findings'] }) {
  const sorted = findings.toSorted((left, right) => SEVERITIES.indexOf(right.severity) - SEVERITIES.indexOf(left.severity))
  return (
    <section className={classes['section']} aria-label="Findings">
      <h3>Findings</h3>
      {sorted.length === 0 ? (
        <p className={classes['quiet']}>No open findings.</p>
      ) : (
        <ul className={classes['findings']}>
          {sorted.map((finding) => (
            <li key={finding.id}>
              <span className={classes['severity']}>
                <SeverityShape severity={finding.severity} /> {SEVERITY_LABELS[finding.severity]}
              </span>
              <span>{finding.message}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
