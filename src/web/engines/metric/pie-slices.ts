import { arc, pie, type PieArcDatum } from 'd3-shape'
import { plural } from '#contract/format.ts'
import { CHART_COLORS, type Metric } from '#contract/metrics.ts'
import { statusColor } from '#web/ui/status-color.ts'
import { metricLink } from './metric-link.ts'

export type Measure = 'count' | 'tiv'

export interface Slice {
  id: string
  name: string
  count: number
  /** Undefined when the metric has no values. */
  tiv: number | undefined
  currency: string | null | undefined
  /** Share of the measure, 0 to 1. */
  share: number
  color: string
  /** Address of the list behind the slice. */
  to: string | undefined
}

const NO_COLOR = '#7A869A'

/** The color of the palette in the present scheme; other colors, such as those of statuses, come from the data. */
function inScheme(color: string): string {
  const index = CHART_COLORS.findIndex((one) => one === color)
  return index === -1 ? statusColor(color) : `var(--chart-${String(index + 1)})`
}

/** These come last, regardless of their size: records without a value, and what is not listed by itself. */
const LAST = ['', 'unknown', 'others']

const byPlace = (one: Pick<Slice, 'id'>, other: Pick<Slice, 'id'>) => LAST.indexOf(one.id) - LAST.indexOf(other.id)

/** Each color that came before is lighter, so that two statuses of one color can be distinguished. */
function withoutRepeats(slices: readonly Slice[]): Slice[] {
  const uses = new Map<string, number>()
  return slices.map((slice) => {
    const before = uses.get(slice.color) ?? 0
    uses.set(slice.color, before + 1)
    return before === 0 ? slice : { ...slice, color: `color-mix(in oklab, ${slice.color}, white ${String(100 - 100 * 0.58 ** before)}%)` }
  })
}

/**
 * The parts of a metric by a measure, largest first; a part without a value has the share 0. Without any value there are no
 * slices. Parts without records are left out.
 */
export function slicesOf(metric: Metric, measure: Measure): Slice[] {
  const colors = metric.chart.datasets[0]?.backgroundColor ?? []
  const total = metric.counts.reduce((sum, part) => sum + (part[measure] ?? 0), 0)
  if (total === 0) return []
  const slices = metric.counts
    .map((part, index) => {
      const { id, name, count, tiv, action } = part
      return {
        id,
        name,
        count,
        tiv,
        currency: metric.currency,
        share: (part[measure] ?? 0) / total,
        color: inScheme(colors[index] ?? NO_COLOR),
        to: metricLink(action),
      }
    })
    .filter(({ count }) => count > 0)
    .toSorted((one, other) => byPlace(one, other) || other.share - one.share)
  return withoutRepeats(slices)
}

/** The same slices, largest value first. */
export const byValue = (slices: readonly Slice[]): Slice[] =>
  slices.toSorted((one, other) => byPlace(one, other) || (other.tiv ?? 0) - (one.tiv ?? 0))

/**
 * One arc for each share, in a box from -1 to 1 in both directions, clockwise from the top. Tooltips point to the middle of an arc.
 * @param hole the inner radius; 0 for a pie
 */
export function arcsOf(shares: readonly number[], hole: number) {
  const shape = arc<PieArcDatum<number>>().innerRadius(hole).outerRadius(1).digits(4)
  const angles = pie<number>().sort(null)([...shares])
  return angles.map((angle) => {
    const [x, y] = shape.centroid(angle)
    return { path: shape(angle) ?? '', middle: { x, y } }
  })
}

const PLURALS: Readonly<Record<string, string>> = { property: 'properties' }
/** "3 properties" */
export const formatUnits = (count: number, unit: string): string => plural(count, unit, PLURALS[unit])
