import { alternate, limitFigure, milliseconds, percentile, ratioFigure, type Line } from './figures.ts'
import { load, type Loaded, type Request } from './load.ts'
import type { Started } from './processes.ts'
import type { Effort } from './stage.ts'

const CONNECTIONS = 16

/** The request with this number. */
export type Side = (number: number) => Request

interface SearchLimits {
  effort: Effort
  atMostMs: number
  /** What the bare server is in the report. */
  yardstick: string
  mayFindNothing: boolean
}

/** Response times of searches at 16 connections, compared with the bare server in the same run. */
export async function measureP95(what: string, product: [Started, Side], bare: [Started, Side], limits: SearchLimits): Promise<Line[]> {
  const { effort, atMostMs, yardstick, mayFindNothing } = limits
  const p95 =
    ([{ address }, request]: [Started, Side]) =>
    async () =>
      p95Of(await load({ address, connections: CONNECTIONS, seconds: effort.seconds, request, mayFindNothing }))
  await p95(product)()
  const rounds = await alternate(effort.rounds, p95(product), p95(bare))
  const figure = ratioFigure({
    what: `${what}: p95 at ${CONNECTIONS} connections`,
    rounds,
    unit: milliseconds,
    yardstick,
    atMost: 1,
  })
  const median = percentile(
    rounds.map((round) => round.product),
    50,
  )
  return [figure, limitFigure(`${what}: the same`, median, atMostMs, milliseconds)]
}

const p95Of = ({ latencies }: Loaded): number => percentile(latencies, 95)
