import { sql } from 'kysely'
import { MINUTE_MS } from '#contract/limits.ts'
import type { Context } from '#server/engines/context.ts'
import type { SearchedPhrase } from '#server/engines/search/text-query.ts'

/** The statistics of PostgreSQL change with the texts, and are only an estimate. */
const READ_EVERY_MS = 10 * MINUTE_MS
/** A word on a smaller share of the pages is rarely in enough of the newest documents. */
const SHARE_MIN = 0.05

interface Known {
  readAt: number
  /** The share of pages with each frequent word; undefined if PostgreSQL has no statistics yet. */
  shares: Promise<ReadonlyMap<string, number> | undefined>
}

/** By database, because a process of tests has several. */
const known = new WeakMap<Context['pool'], Known>()

async function readShares({ db }: Context): Promise<ReadonlyMap<string, number> | undefined> {
  const { rows } = await sql<{ words: string[] | null; shares: number[] | null }>`
    SELECT most_common_elems::text::text[] AS words, most_common_elem_freqs::float8[] AS shares
      FROM pg_stats WHERE schemaname = current_schema() AND tablename = 'document_pages' AND attname = 'words'`.execute(db)
  const [{ words, shares } = { words: null, shares: null }] = rows
  return words === null || shares === null ? undefined : new Map(words.map((word, at) => [word, shares[at] ?? 0]))
}

/** Whether a phrase may be on so many pages that the newest documents have enough of it: unless the statistics say that one of its words is rare. */
export async function mayBeFrequent(ctx: Context, { forms, isBeginning }: SearchedPhrase): Promise<boolean> {
  const now = ctx.clock.now().getTime()
  let read = known.get(ctx.pool)
  if (read === undefined || now - read.readAt > READ_EVERY_MS) {
    const shares = readShares(ctx)
    read = { readAt: now, shares }
    known.set(ctx.pool, read)
    // The next search asks again.
    void shares.catch(() => known.delete(ctx.pool))
  }
  const shares = await read.shares
  if (shares === undefined) return true
  const shareOf = (word: string, isPrefix: boolean): number => {
    if (!isPrefix) return shares.get(word) ?? 0
    let sum = 0
    for (const [other, share] of shares) if (other.startsWith(word)) sum += share
    return sum
  }
  return forms.some((words, form) =>
    words.every((word, at) => shareOf(word, isBeginning && form === 0 && at === words.length - 1) >= SHARE_MIN),
  )
}
