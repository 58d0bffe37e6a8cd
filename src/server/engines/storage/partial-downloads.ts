import { sql } from 'kysely'
import type { Context, WriteContext } from '../context.ts'
import type { ByteRange } from './storage.ts'

interface Download {
  /** The id of an archive or the key of a stored file. */
  item: string
  userId: string
  /** Bytes of the whole file. */
  size: number
}

/** Adds bytes that a user was sent. True if the user has been sent the whole file with them; the next download starts from nothing. */
export async function addSent(tx: WriteContext, { item, userId, size }: Download, { start, end }: ByteRange): Promise<boolean> {
  const isWhole = start === 0 && end === size - 1
  if (!isWhole) {
    const { rows } = await sql<{ is_complete: boolean }>`INSERT INTO partial_downloads (item, user_id, sent, updated_at)
      VALUES (${item}, ${userId}, int8multirange(int8range(${start}, ${end + 1})), ${tx.clock.now()})
      ON CONFLICT (item, user_id) DO UPDATE SET sent = partial_downloads.sent + excluded.sent, updated_at = excluded.updated_at
      RETURNING sent @> int8range(0, ${size}) AS is_complete`.execute(tx.db)
    if (rows[0]?.is_complete !== true) return false
  }
  await tx.db.deleteFrom('partial_downloads').where('item', '=', item).where('user_id', '=', userId).execute()
  return true
}

/** Removes what is known of downloads that were not continued since this time. */
export async function removePartialDownloads({ db }: Context, before: Date): Promise<void> {
  await db.deleteFrom('partial_downloads').where('updated_at', '<', before).execute()
}
