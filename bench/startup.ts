import { setTimeout as pause } from 'node:timers/promises'
import type { Effort } from './stage.ts'
import { alternate, limitFigure, median, megabytes, milliseconds, ratioFigure, type Line } from './figures.ts'
import { startBareServer, startProduct } from './processes.ts'
import { openStage } from './stage.ts'

const READY_AT_MOST_MS = 600
const IDLE_AT_MOST_BYTES = 120 * 1024 ** 2
const IDLE_AFTER_MS = 5_000

/** Time from the start of the process to ready, and memory when idle. */
export async function measureStart({ lists, rounds }: Effort): Promise<Line[]> {
  const stage = await openStage(lists)
  try {
    const held: number[] = []
    const product = async () => {
      const started = await startProduct({ dataDir: stage.dataDir, databaseUrl: stage.databaseUrl })
      if (held.length < 3) {
        await pause(IDLE_AFTER_MS)
        held.push(started.samples.at(-1)?.rss ?? Number.NaN)
      }
      await started.stop()
      return started.readyMs
    }
    const bare = async () => {
      const started = await startBareServer(stage.databaseUrl)
      await started.stop()
      return started.readyMs
    }
    const starts = await alternate(rounds, product, bare)
    return [
      ratioFigure({ what: 'start to ready, database running', rounds: starts, unit: milliseconds, yardstick: 'bare server' }),
      limitFigure('start to ready, database running', median(starts.map((round) => round.product)), READY_AT_MOST_MS, milliseconds),
      limitFigure('memory held when idle', median(held), IDLE_AT_MOST_BYTES, megabytes),
    ]
  } finally {
    await stage.close()
  }
}
