import { CHART_COLORS, type Metric } from '#contract/metrics.ts'

type Count = Metric['counts'][number]

/** A metric with a chart: one part for each of these counts. */
export const chartOf = (title: string, icon: string, parts: readonly (Count & { color: string })[]): Metric => ({
  title,
  empty: 'Not enough data to render chart.',
  total: sumOf(parts, ({ count }) => count),
  counts: [...parts],
  chart: {
    labels: parts.map(({ name }) => name),
    datasets: [{ data: parts.map(({ count }) => count), backgroundColor: parts.map(({ color }) => color) }],
  },
  statistics: [],
  icon: { icon, type: 'none' },
})

/** One group of records in a pie. */
export interface Slice {
  id: string
  name: string
  count: number
  tiv: number
}

const SLICES_SHOWN = 7
const OTHER_COLOR = CHART_COLORS[7]
const NOT_STATED_COLOR = '#BDBDBD'

interface PieOptions {
  title: string
  /** Its name in the set of Tabler icons. */
  icon: string
  slices: readonly Slice[]
  /** The id of the slice of records without a value: the last one, in gray. */
  notStated: string
  /** "types", for "Other types (3)". */
  others: string
  /** Opens the records of these slice ids; null if that is not possible. */
  action: (ids: readonly string[]) => Count['action']
}

const mostFirst = (one: Slice, other: Slice) => other.count - one.count || other.tiv - one.tiv || one.name.localeCompare(other.name)

/** The largest slices by number or by value, because one metric is shown by both; the most records first. */
function largest(slices: readonly Slice[], shown: number): { large: Slice[]; rest: Slice[] } {
  const [count, tiv] = [sumOf(slices, (slice) => slice.count), sumOf(slices, (slice) => slice.tiv)]
  const shareOf = (slice: Slice) => Math.max(slice.count / count, tiv === 0 ? 0 : slice.tiv / tiv)
  const byShare = slices.toSorted((one, other) => shareOf(other) - shareOf(one) || mostFirst(one, other))
  return { large: byShare.slice(0, shown).sort(mostFirst), rest: byShare.slice(shown) }
}

/** A pie of the 7 largest slices, the rest as one slice if there are several, and the records without a value. Empty if no record has a value. */
export function pie({ title, icon, slices, notStated, others, action }: PieOptions): Metric {
  const stated = slices.filter(({ id }) => id !== notStated)
  if (stated.length === 0) return chartOf(title, icon, [])
  const part = (slice: Slice, color: string, ids = [slice.id]) => ({ ...slice, color, action: action(ids) })
  // A rest of one has its own name.
  const { large, rest } = largest(stated, stated.length === SLICES_SHOWN + 1 ? stated.length : SLICES_SHOWN)
  const other = {
    id: 'others',
    name: `Other ${others} (${rest.length})`,
    count: sumOf(rest, ({ count }) => count),
    tiv: sumOf(rest, ({ tiv }) => tiv),
  }
  const restIds = rest.map(({ id }) => id)
  return chartOf(title, icon, [
    ...large.map((slice, index) => part(slice, CHART_COLORS[index] ?? OTHER_COLOR)),
    ...(rest.length === 0 ? [] : [part(other, OTHER_COLOR, restIds)]),
    ...slices.filter(({ id }) => id === notStated).map((slice) => part(slice, NOT_STATED_COLOR)),
  ])
}

export const sumOf = <T>(items: readonly T[], value: (item: T) => number): number => items.reduce((sum, item) => sum + value(item), 0)
