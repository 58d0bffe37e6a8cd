/** One line of the report. */
export interface Figure {
  what: string
  measured: string
  /** The cost of the same work in another program, measured in the same run. */
  yardstick?: string
  /** Product divided by yardstick; a goal applies to this ratio. */
  ratio?: string
  goal?: string
  /** Absent without a goal. */
  ok?: boolean
}

interface Skipped {
  what: string
  skipped: string
}

export type Line = Figure | Skipped

export const median = (values: readonly number[]): number => percentile(values, 50)

/** The percentile of the values; NaN if there are none. */
export function percentile(values: readonly number[], hundredth: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * hundredth) / 100))] ?? Number.NaN
}

export interface Round {
  product: number
  yardstick: number
}

/** Runs both sides alternately and changes the order each round, so that a slow minute of the machine affects both. */
export async function alternate(rounds: number, product: () => Promise<number>, yardstick: () => Promise<number>): Promise<Round[]> {
  const taken: Round[] = []
  for (let round = 0; round < rounds; round += 1) {
    if (round % 2 === 0) {
      const first = await product()
      taken.push({ product: first, yardstick: await yardstick() })
    } else {
      const first = await yardstick()
      taken.push({ product: await product(), yardstick: first })
    }
  }
  return taken
}

/** Medians of both sides, and of the ratios of each round. */
const compare = (rounds: readonly Round[]) => ({
  product: median(rounds.map(({ product }) => product)),
  yardstick: median(rounds.map(({ yardstick }) => yardstick)),
  ratio: median(rounds.map(({ product, yardstick }) => product / yardstick)),
})

interface Goal {
  what: string
  rounds: readonly Round[]
  unit: (value: number) => string
  yardstick: string
  atLeast?: number
  atMost?: number
}

/** A figure with a goal for the ratio, or without a goal. */
export function ratioFigure({ what, rounds, unit, yardstick, atLeast, atMost }: Goal): Figure {
  const { product, yardstick: other, ratio } = compare(rounds)
  const goal = atLeast === undefined ? (atMost === undefined ? undefined : `≤ ${atMost}`) : `≥ ${atLeast}`
  const line = { what, measured: unit(product), yardstick: `${yardstick}: ${unit(other)}`, ratio: ratio.toFixed(2) }
  if (goal === undefined) return line
  return { ...line, goal, ok: atLeast === undefined ? ratio <= (atMost ?? Infinity) : ratio >= atLeast }
}

/** A figure with a goal for the value itself. */
export const limitFigure = (what: string, value: number, atMost: number, unit: (value: number) => string, yardstick?: string): Figure => ({
  what,
  measured: unit(value),
  ...(yardstick === undefined ? {} : { yardstick }),
  goal: `≤ ${unit(atMost)}`,
  ok: value <= atMost,
})

export const perSecond = (value: number): string => `${Math.round(value).toLocaleString('en-US')}/s`
export const milliseconds = (value: number): string => (value < 10 ? `${value.toFixed(2)} ms` : `${Math.round(value)} ms`)
export const seconds = (value: number): string => `${value.toFixed(2)} s`
export const megabytes = (bytes: number): string => `${(bytes / 1024 ** 2).toFixed(0)} MB`
export const kilobytes = (bytes: number): string => `${(bytes / 1_000).toFixed(1)} KB`

const verdict = (line: Line): string => ('skipped' in line ? 'skipped' : line.ok === undefined ? '' : line.ok ? 'ok' : 'NOT')

/** The report as a Markdown table that is also readable in a terminal. */
export function table(lines: readonly Line[]): string {
  const cells = lines.map((line) =>
    'skipped' in line
      ? [line.what, `– (${line.skipped})`, '', '', '', 'skipped']
      : [line.what, line.measured, line.yardstick ?? '', line.ratio ?? '', line.goal ?? '', verdict(line)],
  )
  const head = ['figure', 'measured', 'yardstick', 'ratio', 'goal', '']
  const widths = head.map((title, column) => Math.max(title.length, 3, ...cells.map((row) => row[column]?.length ?? 0)))
  const row = (items: readonly string[]) => `| ${items.map((item, column) => item.padEnd(widths[column] ?? 0)).join(' | ')} |`
  return [row(head), `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`, ...cells.map(row)].join('\n')
}
