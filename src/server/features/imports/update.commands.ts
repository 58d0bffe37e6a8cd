import { sql } from 'kysely'
import type { ImportPatch } from '#contract/import-inputs.ts'
import type { Context, WriteContext } from '#server/engines/context.ts'
import { enqueue } from '#server/engines/jobs/define-job.ts'
import { transact } from '#server/engines/transaction/transact.ts'
import { conflict } from '#server/kernel/errors.ts'
import { assertSold, chosenHeader, chosenSheets } from './choose-sheets.ts'
import { loadImport, type ImportRecord } from './import-record.ts'
import { findImport } from './imports.queries.ts'
import { fieldsOfConstants } from './plan/constants.ts'
import { remapped } from './plan/remap.ts'
import { failImport, prepareImport } from './prepare-import.ts'
import { prepareImportJob } from './prepare.job.ts'
import { changeRows } from './rows.commands.ts'

/** Up to here a change is answered with its new preview; beyond, the preview is made in the background. */
const AT_ONCE_ROWS = 1_000

/** Changes how an import is read and what becomes of its rows, and makes the preview anew. */
export async function updateImport(ctx: Context, id: string, patch: ImportPatch): Promise<ImportRecord> {
  const seen = await findImport(ctx, id)
  const record = await transact(ctx, async (tx) => {
    await tx.db.selectFrom('imports').select('id').where('id', '=', seen.id).forUpdate().execute()
    const before = (await loadImport(tx.db, seen.id)) ?? seen
    assertOpen(before)
    await changeRows(tx, before, patch)
    return changeImport(tx, before, patch)
  })
  if (!isSmall(record)) return record
  try {
    await prepareImport(ctx, id)
  } catch (error) {
    await failImport(ctx, id, error)
  }
  return (await loadImport(ctx.db, id)) ?? record
}

/** A file that is already staged and small is checked at once; reading a file always happens in the background. */
const isSmall = ({ state, counts }: ImportRecord) => state !== 'uploaded' && counts.lastRow <= AT_ONCE_ROWS

function assertOpen({ state, activity }: ImportRecord): void {
  if (activity === 'committing' || activity === 'undoing')
    throw conflict('This import is being written to the register. Please wait until it is done.')
  if (state === 'committed' || state === 'undone') throw conflict('This import is in the register already. Start a new one to change more.')
  if (state === 'cancelled' || state === 'failed') throw conflict('This import has ended. Please start a new one.')
}

async function changeImport(tx: WriteContext, before: ImportRecord, patch: ImportPatch): Promise<ImportRecord> {
  const { header_row, mapping, constants, mode, empty_clears, sold_sheets } = patch
  assertSold(before, sold_sheets ?? [])
  if (constants !== undefined) fieldsOfConstants(constants, tx.clock.now())
  const other = chosenSheets(before, patch)
  const header = other ?? (header_row === undefined ? undefined : chosenHeader(before, header_row))
  const state =
    other || before.state === 'uploaded' ? 'uploaded' : header_row !== undefined || before.state === 'parsed' ? 'parsed' : 'mapped'
  const mapped = mapping === undefined ? before : remapped(before, mapping)
  await tx.db
    .updateTable('imports')
    .set({
      state,
      activity: state === 'uploaded' ? 'reading' : 'validating',
      failure: null,
      progress_done: 0,
      version: sql`version + 1`,
      updated_at: tx.clock.now(),
      ...(header ? { ...header, sheets: JSON.stringify(header.sheets) } : {}),
      ...(mapping === undefined ? {} : { mapping: JSON.stringify(mapped.mapping), columns: JSON.stringify(mapped.columns) }),
      ...(constants === undefined ? {} : { constants: JSON.stringify(constants) }),
      ...(mode === undefined ? {} : { mode }),
      ...(sold_sheets === undefined ? {} : { sold_sheets }),
      ...(empty_clears === undefined ? {} : { empty_clears }),
    })
    .where('id', '=', before.id)
    .execute()
  const record = (await loadImport(tx.db, before.id)) ?? before
  if (!isSmall(record)) await enqueue(tx, prepareImportJob, { importId: before.id }, { singletonKey: before.id })
  return record
}
