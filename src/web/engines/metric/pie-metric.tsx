import { SegmentedControl } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { useState } from 'react'
import { LEGEND_COLUMNS_ABOVE } from '#contract/limits.ts'
import type { Metric } from '#contract/metrics.ts'
import { CountUp } from '#web/ui/count-up.tsx'
import { formatMoneyShort } from '#contract/format.ts'
import { MetricCard } from './metric-card.tsx'
import { PieDrawing } from './pie-drawing.tsx'
import { PieLegend } from './pie-legend.tsx'
import classes from './pie.module.css'
import { countOf } from './slice-tooltip.tsx'
import { measuresOf, slicesOf, type Measure } from './slices.ts'
import { SlicesTable } from './slices-table.tsx'

interface PieMetricProps {
  query: UseQueryResult<Metric>
  shape: 'pie' | 'doughnut'
  /** Of one counted record, as "property". */
  unit: string
  /** While loading and when it failed; the metric brings its own. */
  title: string
  /** What the slices measure first, where the metric knows values; the reader may change it when this is given. */
  measure?: Measure
}

const MEASURES = { count: 'Count', tiv: 'Value' } as const satisfies Record<Measure, string>

/** Records by kind, as a pie or doughnut with its legend. Owns loading, empty and failed. */
export function PieMetric({ query, shape, unit, title, measure: first }: PieMetricProps) {
  const [chosen, setChosen] = useState<Measure>(first ?? 'count')
  const metric = query.data
  const measures = metric === undefined || first === undefined ? [] : measuresOf(metric)
  const measure = measures.includes(chosen) ? chosen : 'count'
  const choice = measures.length > 1 && (
    <SegmentedControl
      size="xs"
      classNames={{ label: classes['measure'] ?? '' }}
      aria-label={`Measure ${title} by`}
      value={measure}
      onChange={(value) => setChosen(value === 'tiv' ? 'tiv' : 'count')}
      data={measures.map((value) => ({ value, label: MEASURES[value] }))}
    />
  )
  return (
    <MetricCard query={query} title={title} aside={choice} skeleton="pie">
      {(loaded) => <Pie metric={loaded} measure={measure} shape={shape} unit={unit} />}
    </MetricCard>
  )
}

function Pie({ metric, measure, shape, unit }: { metric: Metric; measure: Measure; shape: 'pie' | 'doughnut'; unit: string }) {
  const [active, setActive] = useState<string | null>(null)
  const slices = slicesOf(metric, measure)
  if (slices.length === 0) return <p className={classes['empty']}>{metric.empty}</p>
  const tiv = slices.reduce((sum, slice) => sum + (slice.tiv ?? 0), 0)
  return (
    <div className={classes['pie']} data-many={slices.length > LEGEND_COLUMNS_ABOVE || undefined}>
      <PieDrawing slices={slices} shape={shape} unit={unit} active={active} onActive={setActive}>
        <span className={classes['total']}>
          <CountUp value={measure === 'count' ? metric.total : tiv} {...(measure === 'count' ? {} : { format: formatMoneyShort })} />
        </span>
        <span className={classes['unit']}>{measure === 'count' ? countOf(metric.total, unit).replace(/^[\d,]+ /, '') : 'insured'}</span>
      </PieDrawing>
      <PieLegend slices={slices} measure={measure} unit={unit} active={active} onActive={setActive} />
      <SlicesTable title={metric.title} slices={slices} />
    </div>
  )
}
