import { setTimeout as pause } from 'node:timers/promises'
import { accountCalls } from '#contract/accounts.ts'
import { IMPORT_MAX_ROWS } from '#contract/limits.ts'
import { limitFigure, median, megabytes, type Line } from './figures.ts'
import { prepare, removeAccount, write } from './import.ts'
import { generatedSheet } from './sample-sheet.ts'
import { EFFORTS, openStage, type Stage } from './stage.ts'

const GROWN_AT_MOST_BYTES = 200 * 1024 ** 2
const HELD_AT_MOST_BYTES = 50 * 1024 ** 2
const IDLE_BEFORE_MS = 20_000
const GIVEN_BACK_MS = 60_000
const LOOK_EVERY_MS = 250
/** Ten a second. */
const RECENT_SAMPLES = 20

/** What the largest import with its checks takes, and what the process still has a minute later. What else is stored does not matter. */
export async function measureMemory(): Promise<Line[]> {
  const sheet = await generatedSheet(IMPORT_MAX_ROWS)
  const stage = await openStage(EFFORTS.small.lists)
  try {
    await pause(IDLE_BEFORE_MS)
    const idle = recent(stage)
    const from = stage.product.samples.length
    const { data: account } = await stage.broker(accountCalls.create, { body: { name: `Bench memory ${Date.now()}`, type: 'standard' } })
    await write(stage, await prepare(stage, account.id, sheet))
    await checked(stage, account.id)
    const grown = Math.max(...stage.product.samples.slice(from).map(({ rss }) => rss)) - idle
    await pause(GIVEN_BACK_MS)
    const held = recent(stage) - idle
    await removeAccount(stage, account.id)
    const rows = IMPORT_MAX_ROWS.toLocaleString('en-US')
    return [
      limitFigure(
        `memory grown during import and checks of ${rows} rows`,
        grown,
        GROWN_AT_MOST_BYTES,
        megabytes,
        `idle: ${megabytes(idle)}`,
      ),
      limitFigure('memory above idle 60 s after the checks', held, HELD_AT_MOST_BYTES, megabytes),
    ]
  } finally {
    await stage.close()
  }
}

const recent = ({ product }: Stage) => median(product.samples.slice(-RECENT_SAMPLES).map(({ rss }) => rss))

/** Resolves when the checks of the account have finished. */
async function checked({ database }: Stage, accountId: string): Promise<void> {
  for (;;) {
    const { rows } = await database.query<{ runs: number }>(
      `SELECT count(*)::int AS runs FROM pgboss.job WHERE name = 'reconcile' AND state < 'completed' AND data->>'accountId' = $1`,
      [accountId],
    )
    if (rows[0]?.runs === 0) return
    await pause(LOOK_EVERY_MS)
  }
}
