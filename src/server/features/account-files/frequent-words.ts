import { sql } from 'kysely'
import type { Context } from '#server/engines/context.ts'
import type { SearchedPhrase } from '#server/engines/search/text-query.ts'

/** A word on a smaller share of the pages is rarely in enough of the newest documents. */
const SHARE_MIN = 0.05

async function readShares({ db }: Context): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ words: string[] | null; shares: number[] | null }>`
    SELECT most_common_elems::text::text[] AS words, most_common_elem_freqs::float8[] AS shares
      FROM pg_stats WHERE schemaname = current_schema() AND tablename = 'document_pages' AND attname = 'words'`.execute(db)
  const [{ words, shares } = { words: null, shares: null }] = rows
  return new Map(words?.map((word, at) => [word, shares?.[at] ?? 0]))
}

/**
 * Whether the newest documents may have enough pages with a phrase: unless the statistics of the database say that each of its forms has a rare
 * word.
 */
export async function mayBeFrequent(ctx: Context, { forms, isBeginning }: SearchedPhrase): Promise<boolean> {
  let shares = ctx.frequentWords.get('shares')
  if (shares === undefined) {
    shares = await readShares(ctx)
    ctx.frequentWords.set('shares', shares)
  }
  if (shares.size === 0) return true
  const isFrequent = (word: string, isPrefix: boolean) => (isPrefix ? shareOfPrefix(shares, word) : (shares.get(word) ?? 0)) >= SHARE_MIN
  return forms.some((words, form) => words.every((word, at) => isFrequent(word, isBeginning && form === 0 && at === words.length - 1)))
}

function shareOfPrefix(shares: ReadonlyMap<string, number>, prefix: string): number {
  let sum = 0
  for (const [word, share] of shares) if (word.startsWith(prefix)) sum += share
  return sum
}
