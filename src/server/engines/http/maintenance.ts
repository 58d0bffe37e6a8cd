import { MAINTENANCE_PROBE_MS, SECOND_MS } from '#contract/limits.ts'
import { MAINTENANCE_PERMISSION } from '#contract/maintenance.ts'
import type { Call } from '#contract/route.ts'
import { can, type Viewer } from '#server/access/viewer.ts'
import { AppError } from '#server/kernel/errors.ts'
import type { Services } from '../context.ts'

/** Throws during maintenance, except for the calls that are needed to end it. */
export function requireNoMaintenance({ maintenance }: Services, { duringMaintenance }: Call, viewer: Viewer): void {
  const message = maintenance.message()
  if (message === undefined || duringMaintenance === true || can(viewer, MAINTENANCE_PERMISSION)) return
  throw new AppError('maintenance', message, { retryAfterSeconds: MAINTENANCE_PROBE_MS / SECOND_MS })
}

/** Reads from the database whether the product is in maintenance. If this fails, the process keeps its last state. */
export async function readMaintenance({ db, maintenance, log }: Services): Promise<void> {
  const read = async () => {
    const period = db.selectFrom('maintenance_periods').select('message').where('ended_at', 'is', null)
    return (await period.executeTakeFirst())?.message
  }
  await maintenance.update(read).catch((error: unknown) => log.warn({ err: error }, 'Whether there is maintenance could not be read'))
}
