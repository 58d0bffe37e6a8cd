import { sql } from 'kysely'
import { z } from 'zod'
import { HOUR_MS } from '#contract/limits.ts'
import { TEXT_READ_MAX_BYTES } from '#contract/reading-limits.ts'
import { Id } from '#contract/route.ts'
import type { Context, WriteContext } from '#server/engines/context.ts'
import { extractText, type ExtractedText } from '#server/engines/document-text/extract-text.ts'
import { defineJob, enqueue } from '#server/engines/jobs/define-job.ts'
import { withLocalCopy } from '#server/engines/storage/local-copy.ts'
import { emit } from '#server/engines/transaction/changes.ts'
import { transact } from '#server/engines/transaction/transact.ts'
import { AppError, tooLarge } from '#server/kernel/errors.ts'
import { unreadRows } from './unread-attachments.ts'

/** A document that ended this many processes is not read again. */
const ATTEMPTS_MAX = 3
/** A document that is not read by then has lost its job. */
const QUEUED_AGAIN_MS = HOUR_MS
/** Documents without a job of their own that wait in the queue at once, so that new documents do not wait long behind them. */
export const QUEUED_AT_ONCE = 100

interface UnreadFile {
  id: string
  storage_key: string
  original_file_name: string
  content_type: string
  size: number
}

/** Reads the text of one document. A document that was deleted meanwhile is skipped; who sees the document is decided by each search. */
export const readDocumentText = defineJob({
  name: 'read-document-text',
  input: z.object({ file_id: Id }),
  run: async (ctx, { file_id: id }, { signal }) => {
    const file = await beginReading(ctx, id)
    if (file === undefined) return
    try {
      await storeText(ctx, file, file.attempts > ATTEMPTS_MAX ? unread('failed', 'too_large') : await readFile(ctx, file, signal))
    } catch (error) {
      // It did not end the process, so it is no attempt.
      await ctx.db
        .updateTable('document_texts')
        .set({ state: 'waiting', attempts: sql`attempts - 1` })
        .where('file_id', '=', id)
        .where('state', '=', 'reading')
        .execute()
      throw error
    }
  },
})

async function beginReading({ db }: Context, id: string): Promise<(UnreadFile & { attempts: number }) | undefined> {
  const { rows } = await sql<UnreadFile & { attempts: number }>`UPDATE document_texts t SET state = 'reading', attempts = attempts + 1
    FROM account_files f WHERE t.file_id = ${id} AND f.id = t.file_id AND t.state IN ('waiting', 'reading')
    RETURNING f.id, f.storage_key, f.original_file_name, f.content_type, f.size, t.attempts`.execute(db)
  return rows[0]
}

const unread = (state: ExtractedText['state'], failure: ExtractedText['failure'] = null): ExtractedText => ({
  state,
  failure,
  parts: [],
  pages: null,
  pages_without_text: 0,
  is_cut: false,
  unreadAttachments: [],
})

const WITHOUT_TEXT = /^(image|video|audio)\//

/** Throws if the document cannot be read now, but perhaps later. */
async function readFile(ctx: Context, file: UnreadFile, signal: AbortSignal): Promise<ExtractedText> {
  if (WITHOUT_TEXT.test(file.content_type)) return unread('not_supported')
  if (file.size > TEXT_READ_MAX_BYTES) return unread('failed', 'too_large')
  let bytes = 0
  // The stored object can be larger than the registered size only by a mistake of the store.
  const onChunk = (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > TEXT_READ_MAX_BYTES) throw tooLarge('The document is too large to be read.')
  }
  try {
    return await withLocalCopy(ctx.storage, file.storage_key, onChunk, (path) =>
      extractText({ path, name: file.original_file_name }, { signal }),
    )
  } catch (error) {
    if (error instanceof AppError && error.kind === 'not_found') return unread('failed', 'missing')
    if (error instanceof AppError && error.kind === 'too_large') return unread('failed', 'too_large')
    throw error
  }
}

const ROWS_AT_ONCE = 100

/** Stores nothing if the document got another file while this one was read, which has a job of its own. */
async function storeText(
  ctx: Context,
  { id, storage_key }: UnreadFile,
  { parts, unreadAttachments, ...text }: ExtractedText,
): Promise<void> {
  await transact(ctx, async (tx) => {
    const file = await tx.db
      .selectFrom('account_files')
      .innerJoin('accounts', 'accounts.id', 'account_files.account_id')
      .select(['account_id', 'company_id'])
      .where('account_files.id', '=', id)
      .where('storage_key', '=', storage_key)
      .forShare('account_files')
      .executeTakeFirst()
    if (file === undefined) return
    // Two jobs can read the same document, and each replaces all of its pages.
    await tx.db.selectFrom('document_texts').select('file_id').where('file_id', '=', id).forUpdate().execute()
    await tx.db.deleteFrom('document_pages').where('file_id', '=', id).execute()
    const pages = parts.map(({ page, place, text: body }, part) => ({ part, page, place, body }))
    const rows = [...pages, ...unreadRows(unreadAttachments)].map((row) => ({ ...file, ...row, file_id: id }))
    for (let from = 0; from < rows.length; from += ROWS_AT_ONCE)
      await tx.db
        .insertInto('document_pages')
        .values(rows.slice(from, from + ROWS_AT_ONCE))
        .execute()
    const characters = parts.reduce((sum, part) => sum + part.text.length, 0)
    await tx.db
      .updateTable('document_texts')
      .set({ ...text, characters })
      .where('file_id', '=', id)
      .execute()
    // Nothing that a user did: the account does not move to the front of lists.
    emit(tx, { model: 'account_files', id, inAccount: file.account_id, scope: 'texts', isHidden: true })
  })
}

const EVERY_TEN_MINUTES = '*/10 * * * *'
/** Between two batches of documents without a job of their own. */
const NEXT_BATCH_MS = 10_000

/** Only this many waiting documents are counted, the latest first, so that a long queue does not slow down uploads. */
const WAITING_COUNTED = 1_000
/** Those that are queued are chosen from this many documents without a job. */
const FORGOTTEN_COUNTED = 5_000

const isUnread = sql`state IN ('waiting', 'reading')`

/**
 * Queues documents whose text is not read and that no job will read: those that were added before texts were read, and those whose job was
 * lost. Accounts take turns. A limited number waits at once, behind all new documents.
 */
export const queueUnreadTexts = defineJob({
  name: 'queue-unread-texts',
  input: z.object({}),
  schedule: EVERY_TEN_MINUTES,
  run: (ctx) =>
    transact(ctx, async (tx) => {
      const now = tx.clock.now()
      const before = new Date(now.getTime() - QUEUED_AGAIN_MS)
      const isForgotten = sql`${isUnread} AND (queued_at IS NULL OR queued_at < ${before})`
      const { rows: chosen } = await sql<{ file_id: string; turn: number }>`WITH forgotten AS (
          SELECT file_id, queued_at FROM document_texts WHERE ${isForgotten} ORDER BY queued_at NULLS FIRST, file_id DESC LIMIT ${FORGOTTEN_COUNTED}::int
        )
        SELECT file_id, row_number() OVER (PARTITION BY f.account_id ORDER BY queued_at NULLS FIRST, file_id DESC)::int AS turn
          FROM forgotten JOIN account_files f ON f.id = file_id ORDER BY turn, queued_at NULLS FIRST, file_id DESC
          LIMIT greatest(0, ${QUEUED_AT_ONCE}::int - (SELECT count(*) FROM document_texts WHERE ${isUnread} AND queued_at >= ${before}))`.execute(
        tx.db,
      )
      const { rows } = await sql<{ file_id: string }>`UPDATE document_texts SET queued_at = ${now} WHERE file_id IN (
          SELECT file_id FROM document_texts WHERE file_id = ANY(${chosen.map(({ file_id }) => file_id)}::uuid[]) AND ${isForgotten}
          FOR UPDATE SKIP LOCKED)
        RETURNING file_id`.execute(tx.db)
      const queued = new Set(rows.map(({ file_id }) => file_id))
      for (const { file_id, turn } of chosen.filter((one) => queued.has(one.file_id)))
        await enqueue(tx, readDocumentText, { file_id }, { singletonKey: file_id, priority: -WAITING_COUNTED - turn })
      const others = await sql`SELECT 1 FROM document_texts WHERE ${isForgotten} LIMIT 1`.execute(tx.db)
      if (others.rows.length > 0) await enqueue(tx, queueUnreadTexts, {}, { singletonKey: 'next', delayMs: NEXT_BATCH_MS })
    }),
})

const UNKNOWN = { state: 'waiting', failure: null, pages: null, pages_without_text: 0, characters: 0, is_cut: false, attempts: 0 } as const

/** Queues the text of a new document, or of one with another file, whose text is not known until then. */
export async function queueText(tx: WriteContext, id: string): Promise<void> {
  await tx.db.deleteFrom('document_pages').where('file_id', '=', id).execute()
  const { turn } = await tx.db
    .updateTable('document_texts')
    .set({ ...UNKNOWN, queued_at: tx.clock.now() })
    .where('file_id', '=', id)
    .returning(turnOf(id).as('turn'))
    .executeTakeFirstOrThrow()
  await enqueue(tx, readDocumentText, { file_id: id }, { singletonKey: id, priority: -turn })
}

/**
 * How many rounds of reading, with one document of each account, come before this one: a document waits behind those of its own account
 * only. Each other account of the company with waiting documents is one more round, so that many accounts are no advantage.
 */
const turnOf = (id: string) => sql<number>`(
  SELECT count(*) FILTER (WHERE others.account_id = own.account_id)
    + count(DISTINCT others.account_id) FILTER (WHERE others.account_id <> own.account_id)
  FROM (SELECT f.account_id, a.company_id FROM account_files f JOIN accounts a ON a.id = f.account_id WHERE f.id = ${id}) own
    CROSS JOIN (SELECT file_id FROM document_texts WHERE ${isUnread} AND queued_at IS NOT NULL AND file_id <> ${id}
      ORDER BY queued_at DESC NULLS LAST, file_id LIMIT ${WAITING_COUNTED}::int) waiting
    JOIN account_files others ON others.id = waiting.file_id
    JOIN accounts ON accounts.id = others.account_id AND accounts.company_id = own.company_id)::int`
