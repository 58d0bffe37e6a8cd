import type { Metric } from '#contract/metrics.ts'

type Action = Metric['counts'][number]['action']

/** One kind of record in a pie. */
export interface Slice {
  id: string
  name: string
  count: number
  tiv: number
}

export const NOT_ENOUGH_DATA = 'Not enough data to render chart.'

const SLICES_SHOWN = 7
/** Okabe and Ito's colours without black: told apart with every kind of colour vision. */
const COLORS = ['#0072B2', '#E69F00', '#009E73', '#CC79A7', '#56B4E9', '#D55E00', '#F0E442'] as const
const OTHER_COLOR = '#7A869A'
const NOT_STATED_COLOR = '#BDBDBD'

interface PieOptions {
  title: string
  empty: string
  slices: readonly Slice[]
  /** Records that say nothing; shown last and grey. */
  notStated: Slice | undefined
  /** "types", for "Other types (3)". */
  others: string
  /** The list behind a slice, by the ids it stands for; null when there is none to open. */
  action: (ids: readonly string[]) => Action
  color?: (slice: Slice, index: number) => string
}

const largestFirst = (one: Slice, other: Slice) => other.count - one.count || other.tiv - one.tiv || one.name.localeCompare(other.name)

/** A pie of the 7 largest slices, the rest as one, then those that say nothing (domain section 11). Without a stated slice it is empty. */
export function pie({
  title,
  empty,
  slices,
  notStated,
  others,
  action,
  color = (_slice, index) => COLORS[index] ?? OTHER_COLOR,
}: PieOptions): Metric {
  const stated = slices.toSorted(largestFirst)
  const shown = stated.slice(0, SLICES_SHOWN).map((slice, index) => ({ ...slice, color: color(slice, index), action: action([slice.id]) }))
  const rest = stated.slice(SLICES_SHOWN)
  const other =
    rest.length === 0
      ? []
      : [{ ...sum(rest, `Other ${others} (${rest.length})`), color: OTHER_COLOR, action: action(rest.map(({ id }) => id)) }]
  const silent =
    notStated === undefined || notStated.count === 0 ? [] : [{ ...notStated, color: NOT_STATED_COLOR, action: action([notStated.id]) }]
  const all = stated.length === 0 ? [] : [...shown, ...other, ...silent]
  return {
    title,
    empty,
    total: all.reduce((total, { count }) => total + count, 0),
    counts: all.map((slice) => ({ id: slice.id, name: slice.name, count: slice.count, tiv: slice.tiv, action: slice.action })),
    chart: {
      labels: all.map(({ name }) => name),
      datasets: [{ data: all.map(({ count }) => count), backgroundColor: all.map((slice) => slice.color) }],
    },
    statistics: [],
    icon: null,
  }
}

const sum = (slices: readonly Slice[], name: string): Slice => ({
  id: 'others',
  name,
  count: slices.reduce((total, { count }) => total + count, 0),
  tiv: slices.reduce((total, { tiv }) => total + tiv, 0),
})
