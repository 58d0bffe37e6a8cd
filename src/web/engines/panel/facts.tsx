import type { ReactNode } from 'react'
import classes from './side-panel.module.css'

export interface Fact {
  label: string
  /** Null and '' read as a dash. */
  value: ReactNode
}

/** Labels and values of a record, one under the other. */
export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className={classes['facts']}>
      {facts.map(({ label, value }) => (
        <div key={label} className={classes['fact']}>
          <dt>{label}</dt>
          <dd>{value === null || value === '' ? '–' : value}</dd>
        </div>
      ))}
    </dl>
  )
}
