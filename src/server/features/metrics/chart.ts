import type { Metric } from '#contract/metrics.ts'

type Action = Metric['counts'][number]['action']

/** One group of records in a pie. */
export interface Slice {
  id: string
  name: string
  count: number
  tiv: number
}

export const NOT_ENOUGH_DATA = 'Not enough data to render chart.'

const SLICES_SHOWN = 7
/** The palette of Okabe and Ito without black: distinguishable with every kind of color vision. */
const COLORS = ['#0072B2', '#E69F00', '#009E73', '#CC79A7', '#56B4E9', '#D55E00', '#F0E442'] as const
const OTHER_COLOR = '#7A869A'
const NOT_STATED_COLOR = '#BDBDBD'

interface PieOptions {
  title: string
  slices: readonly Slice[]
  /** Records without a value: the last slice, in gray. */
  notStated: Slice | undefined
  /** "types", for "Other types (3)". */
  others: string
  /** Opens the records of these slice ids; null if that is not possible. */
  action: (ids: readonly string[]) => Action
}

const largestFirst = (one: Slice, other: Slice) => other.count - one.count || other.tiv - one.tiv || one.name.localeCompare(other.name)

/** A pie of the 7 largest slices, the rest as one slice, and the records without a value. Empty if no record has a value. */
export function pie({ title, slices, notStated, others, action }: PieOptions): Metric {
  const sorted = slices.toSorted(largestFirst)
  const shown = sorted.slice(0, SLICES_SHOWN).map((slice, index) => ({ ...slice, ids: [slice.id], color: COLORS[index] ?? OTHER_COLOR }))
  const rest = sorted.slice(SLICES_SHOWN)
  const other = { ...sum(rest, `Other ${others} (${rest.length})`), ids: rest.map(({ id }) => id), color: OTHER_COLOR }
  const gray = notStated === undefined ? [] : [{ ...notStated, ids: [notStated.id], color: NOT_STATED_COLOR }]
  const all = sorted.length === 0 ? [] : [...shown, other, ...gray].filter(({ count }) => count > 0)
  return {
    title,
    empty: NOT_ENOUGH_DATA,
    total: all.reduce((total, { count }) => total + count, 0),
    counts: all.map(({ id, name, count, tiv, ids }) => ({ id, name, count, tiv, action: action(ids) })),
    chart: {
      labels: all.map(({ name }) => name),
      datasets: [{ data: all.map(({ count }) => count), backgroundColor: all.map(({ color }) => color) }],
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
