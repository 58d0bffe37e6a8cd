import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { Metric } from '#contract/metrics.ts'
import { metricLink } from '#web/engines/metric/metric-link.ts'
import { formatNumber } from '#contract/format.ts'
import classes from './findings-by-check.module.css'

const SHOWN_FIRST = 6

/** Open findings by what was checked, the most frequent first; the others on request. */
export function FindingsByCheck({ counts }: { counts: Metric['counts'] }) {
  const [all, setAll] = useState(false)
  const sorted = counts.toSorted((one, other) => other.count - one.count)
  const shown = all ? sorted : sorted.slice(0, SHOWN_FIRST)
  return (
    <div className={classes['checks']}>
      <h3 className={classes['title']}>Findings by check</h3>
      <ul>
        {shown.map(({ id, name, count, action }) => {
          const to = metricLink(action)
          return (
            <li key={id}>
              <span className={classes['name']} title={name}>
                {to === undefined ? name : <Link to={to}>{name}</Link>}
              </span>
              <span className={classes['count']}>{formatNumber(count)}</span>
            </li>
          )
        })}
      </ul>
      {sorted.length > SHOWN_FIRST && (
        <Button variant="subtle" color="gray" size="compact-sm" onClick={() => setAll(!all)}>
          {all ? 'Show fewer' : `Show all ${formatNumber(sorted.length)}`}
        </Button>
      )}
    </div>
  )
}
