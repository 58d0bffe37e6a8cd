import { sql } from 'kysely'
import { expect, vi } from 'vitest'
import type { WriteContext } from '#server/engines/context.ts'
import { transact } from '#server/engines/transaction/transact.ts'
import type { TestApp } from './app.ts'

/** Starts `call` while the transaction of `change` is open and commits once the call waits for one of its locks. */
export async function callDuringChange<T>({ system }: TestApp, change: (tx: WriteContext) => Promise<unknown>, call: () => Promise<T>) {
  const waiting = sql`SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
  const { calling } = await transact(system, async (tx) => {
    await change(tx)
    const calling = call()
    await vi.waitFor(async () => expect((await waiting.execute(system.db)).rows, 'calls that wait').not.toEqual([]), 5_000)
    return { calling }
  })
  return calling
}
