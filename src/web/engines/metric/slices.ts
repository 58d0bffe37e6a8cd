import type { Metric } from '#contract/metrics.ts'
import { formatShare } from '#contract/format.ts'
import { metricLink } from './metric-link.ts'

export type Measure = 'count' | 'tiv'

export interface Slice {
  id: string
  name: string
  count: number
  /** In dollars; undefined where the metric has no values. */
  tiv: number | undefined
  /** Of the measure, 0 to 1. */
  share: number
  color: string
  to: string | undefined
}

const NO_COLOR = '#7A869A'

/** What gathers the rest or says nothing stays last, however large it is. */
const LAST = ['others', 'unknown', '']

/** The parts of a metric by a measure, largest first; parts of nothing are left out. */
export function slicesOf(metric: Metric, measure: Measure): Slice[] {
  const colors = metric.chart.datasets[0]?.backgroundColor ?? []
  const sized = metric.counts.map((part, index) => ({
    ...part,
    color: colors[index] ?? NO_COLOR,
    size: measure === 'count' ? part.count : (part.tiv ?? 0),
  }))
  const total = sized.reduce((sum, { size }) => sum + size, 0)
  return sized
    .filter(({ size }) => size > 0)
    .toSorted((one, other) => LAST.indexOf(one.id) - LAST.indexOf(other.id) || other.size - one.size)
    .map(({ id, name, count, tiv, action, color, size }) => ({ id, name, count, tiv, share: size / total, color, to: metricLink(action) }))
}

const hasValues = ({ counts }: Metric): boolean => counts.some(({ tiv }) => (tiv ?? 0) > 0)
/** What the parts of a metric can be measured by. */
export const measuresOf = (metric: Metric): readonly Measure[] => (hasValues(metric) ? ['count', 'tiv'] : ['count'])

const SMALLEST_SHOWN = 0.005
/** "<1%" instead of a share that would read as nothing. */
export const shareText = (share: number): string => (share > 0 && share < SMALLEST_SHOWN ? '<1%' : formatShare(share))
