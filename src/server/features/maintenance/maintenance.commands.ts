import { sql } from 'kysely'
import type { Maintenance } from '#contract/maintenance.ts'
import { viewerId } from '#server/access/viewer.ts'
import type { Context } from '#server/engines/context.ts'
import { readMaintenance } from '#server/engines/http/maintenance.ts'
import { transact } from '#server/engines/transaction/transact.ts'

/** Null while there is no maintenance. */
export async function currentMaintenance({ db }: Context): Promise<Maintenance | null> {
  const period = await db
    .selectFrom('maintenance_periods')
    .leftJoin('users', 'users.id', 'maintenance_periods.started_by')
    .select(['message', 'started_at', 'users.full_name'])
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  if (period === undefined) return null
  return { message: period.message, started_at: period.started_at.toISOString(), started_by: period.full_name }
}

/** Other processes are notified at commit. This one reads at once, so that the next call finds it changed. */
export async function startMaintenance(ctx: Context, message: string): Promise<Maintenance> {
  const maintenance = await transact(ctx, async (tx) => {
    await sql`INSERT INTO maintenance_periods (message, started_by, started_at)
      VALUES (${message}, ${viewerId(ctx.viewer)}, ${ctx.clock.now()})
      ON CONFLICT ((true)) WHERE ended_at IS NULL DO UPDATE SET message = excluded.message`.execute(tx.db)
    return currentMaintenance(tx)
  })
  if (maintenance === null) throw new Error('The maintenance that was just stored is not there.')
  await readMaintenance(ctx)
  ctx.log.warn({ by: viewerId(ctx.viewer), message }, 'Maintenance was started, or its message changed')
  return maintenance
}

export async function endMaintenance(ctx: Context): Promise<void> {
  const end = { ended_at: ctx.clock.now(), ended_by: viewerId(ctx.viewer) }
  await transact(ctx, (tx) => tx.db.updateTable('maintenance_periods').set(end).where('ended_at', 'is', null).execute())
  await readMaintenance(ctx)
  ctx.log.warn({ by: viewerId(ctx.viewer) }, 'Maintenance was ended')
}
