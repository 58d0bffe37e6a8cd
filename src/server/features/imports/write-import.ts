import { sql } from 'kysely'
import { requireVisibleAccount } from '#server/access/require.ts'
import { viewerName } from '#server/access/viewer.ts'
import type { Context, WriteContext } from '#server/engines/context.ts'
import { emit } from '#server/engines/transaction/changes.ts'
import { recordActivity } from '#server/engines/transaction/activity.ts'
import { transact } from '#server/engines/transaction/transact.ts'
import { requestReconciliation } from '../reconciliation/reconciliation.commands.ts'
import { conflict, notFound } from '#server/kernel/errors.ts'
import { loadImport, type ImportRecord } from './import-record.ts'
import { raiseNotifications } from './notify.ts'
import { withImportLock } from './staging/import-lock.ts'
import { addProperties, changeProperties, divestProperties, type Writing } from './register/write-properties.ts'
import { lockRegister } from './register/lock-register.ts'
import { movedSince } from './register/moved.ts'
import { rememberMapping } from './register/remember-mapping.ts'
import { renewPreview } from './register/renew-preview.ts'

const ROWS_A_STEP = 1_000

/**
 * Writes the preview of an import in one transaction: properties, history, mapping, notifications, reconciliation, all or nothing.
 * An import that is committed already stays as it is.
 * @throws AppError conflict when the register changed since the preview, after the preview was made anew.
 */
export async function writeImport(ctx: Context, importId: string, removals: readonly string[]): Promise<void> {
  const moved = await withImportLock(ctx, importId, async () => {
    const record = await loadImport(ctx.db, importId)
    if (!record) throw notFound('Import')
    if (record.state === 'committed') return undefined
    if (record.state !== 'validated') throw conflict('The preview is not ready any more. Please look at the new one.')
    return transact(ctx, (tx) => writeRegister(tx, ctx, record, removals)).catch((error: unknown) => {
      if (isTakenNumber(error)) return []
      throw error
    })
  })
  if (moved === undefined) return
  await renewPreview(ctx, importId)
  throw conflict('The register changed since this preview was made. Please look at the new preview before you import.', { moved })
}

/** A number that came into use since the preview without the register saying so. */
const isTakenNumber = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'constraint' in error && error.constraint === 'account_properties_location'

type Moved = Awaited<ReturnType<typeof movedSince>>

/** Undefined when it is written; otherwise nothing was written, and this is what moved. */
async function writeRegister(
  tx: WriteContext,
  outside: Context,
  record: ImportRecord,
  removals: readonly string[],
): Promise<Moved | undefined> {
  await requireVisibleAccount(tx.db, tx.viewer, record.account_id)
  const version = await lockRegister(tx, record)
  if (version !== record.register_version) return movedSince(tx, record)
  const writing: Writing = { tx, record, by: viewerName(tx.viewer, tx.config.product.name), at: tx.clock.now() }
  const numbers = await rowNumbers(tx, record.id)
  let added = 0
  let changed = 0
  for (let start = 0; start < numbers.length; start += ROWS_A_STEP) {
    const [from, to] = [numbers[start] ?? 0, numbers[Math.min(start + ROWS_A_STEP, numbers.length) - 1] ?? 0]
    changed += await changeProperties(writing, from, to)
    added += await addProperties(writing, from, to)
    await report(outside, record.id, Math.min(start + ROWS_A_STEP, numbers.length), numbers.length + removals.length)
  }
  const divested = await divestProperties(writing, removals)
  await finish(tx, record, { added, changed, divested })
  return undefined
}

async function rowNumbers(tx: WriteContext, importId: string): Promise<number[]> {
  const { rows } = await sql<{
    row_number: number
  }>`SELECT row_number FROM import_rows WHERE import_id = ${importId} AND tab IN ('add', 'change') ORDER BY row_number`.execute(tx.db)
  return rows.map(({ row_number }) => row_number)
}

/** On a connection of its own: the progress is seen while the transaction is still open. */
async function report(outside: Context, importId: string, done: number, total: number): Promise<void> {
  if (total > ROWS_A_STEP)
    await outside.db.updateTable('imports').set({ progress_done: done, progress_total: total }).where('id', '=', importId).execute()
}

interface Written {
  added: number
  changed: number
  divested: number
}

async function finish(tx: WriteContext, record: ImportRecord, { added, changed, divested }: Written): Promise<void> {
  const now = tx.clock.now()
  const counts = { ...record.counts, tabs: { ...record.counts.tabs, add: added, change: changed, remove: divested } }
  await tx.db
    .updateTable('imports')
    .set({
      state: 'committed',
      activity: null,
      failure: null,
      committed_at: now,
      updated_at: now,
      counts: JSON.stringify(counts),
      progress_done: added + changed + divested,
    })
    .where('id', '=', record.id)
    .execute()
  await rememberMapping(tx, record)
  await recordActivity(tx, {
    model: 'accounts',
    modelId: record.account_id,
    accountId: record.account_id,
    class: 'imported',
    message: `{user} imported ${record.file_name}: ${added} added, ${changed} changed, ${divested} divested`,
    ...(record.file_id === null ? {} : { fileIds: [record.file_id] }),
  })
  await raiseNotifications(
    tx,
    record,
    'properties_imported',
    `${record.file_name} was imported: ${added} added, ${changed} changed, ${divested} divested.`,
  )
  emit(tx, { model: 'account_properties', id: null, inAccount: record.account_id })
  await requestReconciliation(tx, record.account_id, 'import')
}
