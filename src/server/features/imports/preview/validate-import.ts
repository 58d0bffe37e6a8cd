import type { PoolClient } from 'pg'
import type { Context } from '#server/engines/context.ts'
import { saveImport, type ImportRecord } from '#server/features/imports/import-record.ts'
import { loadRegister } from '#server/features/imports/match/load-register.ts'
import { matchRows } from '#server/features/imports/match/match-rows.ts'
import { indexRegister } from '#server/features/imports/match/register-index.ts'
import { findDuplicates } from '#server/features/imports/rows/find-duplicates.ts'
import { cellText, type Cell } from '#server/features/imports/sheet/sheet-row.ts'
import { rowNames } from '#server/features/imports/sheet/taken-sheets.ts'
import { inTransaction } from '#server/features/imports/staging/import-lock.ts'
import { DATA_ROWS } from '#server/features/imports/staging/staged-rows.ts'
import { eventLoopYielder } from '#server/engines/jobs/event-loop.ts'
import { proposeDivested } from './propose-divested.ts'
import { questionsOf } from './questions.ts'
import { readImport } from './read-rows.ts'
import { refuseCollisions, settleRow, type SettledRow } from './settle-tabs.ts'
import { storePreview } from './store-preview.ts'
import { countsOf, listedProperties, removalsOf, sumsOf } from './summarise.ts'

/** Reads, checks and matches every row against the register as it is now, and stores what a commit would do. */
export async function validateImport(ctx: Context, client: PoolClient, record: ImportRecord): Promise<void> {
  const yieldToEventLoop = eventLoopYielder()
  const registerVersion = await versionOf(client, record.account_id)
  const total = await dataRows(client, record.id)
  const onRows = (done: number) => report(ctx, record, done, total)
  const { plan, rows, totals } = await readImport(client, record, ctx.clock.now(), yieldToEventLoop, onRows)
  const register = await loadRegister(ctx.db, record.account_id)
  const chosen = new Map(
    rows.flatMap(({ number, matchedByHand, propertyId }) => (matchedByHand ? [[number, propertyId ?? 'new'] as const] : [])),
  )
  const rowName = rowNames(record)
  const duplicates = findDuplicates(rows, rowName)
  for (const row of rows) {
    const issue = duplicates.get(row.number)
    if (issue) row.issues.push({ ...issue, column: issue.field === null ? null : (row.origin[issue.field] ?? null) })
  }
  await yieldToEventLoop()
  const index = indexRegister(register)
  await yieldToEventLoop()
  const matches = await matchRows(rows, index, chosen, yieldToEventLoop)
  const settled: SettledRow[] = []
  for (const row of rows) {
    settled.push(settleRow(row, matches.get(row.number) ?? { kind: 'new' }, record.mode, record.empty_clears))
    await yieldToEventLoop()
  }
  refuseCollisions(settled, register, rowName)
  await yieldToEventLoop()
  const listed = listedProperties(settled)
  const sold = await proposeDivested({ client, record, now: ctx.clock.now(), yieldToEventLoop }, index, listed)
  const removals = removalsOf(listed, register, record.mode, sold)
  await yieldToEventLoop()
  const counts = await countsOf(
    client,
    record,
    settled,
    removals,
    ctx.clock.now(),
    questionsOf(record, plan, await titlesOf(client, record), rows),
  )
  await yieldToEventLoop()
  const sums = sumsOf(settled, register, removals, totals)
  await inTransaction(client, () => storePreview(client, record, settled, sold))
  await saveImport(ctx.db, record, {
    state: 'validated',
    activity: null,
    counts,
    sums,
    register_version: registerVersion,
    progress_done: total,
    progress_total: total,
  })
}

async function versionOf(client: PoolClient, accountId: string): Promise<number> {
  const { rows } = await client.query<{ register_version: number }>('SELECT register_version FROM accounts WHERE id = $1', [accountId])
  return rows[0]?.register_version ?? 0
}

async function dataRows(client: PoolClient, importId: string): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM import_rows WHERE import_id = $1 AND ${DATA_ROWS}`,
    [importId],
  )
  return rows[0]?.count ?? 0
}

async function report(ctx: Context, { id, version }: ImportRecord, done: number, total: number): Promise<void> {
  await ctx.db
    .updateTable('imports')
    .set({ progress_done: done, progress_total: total })
    .where('id', '=', id)
    .where('version', '=', version)
    .execute()
}

/** Texts above the header: a title may say that the values are in thousands. */
async function titlesOf(client: PoolClient, record: ImportRecord): Promise<string[]> {
  const { rows } = await client.query<{ cells: Cell[] }>(`SELECT cells FROM import_rows WHERE import_id = $1 AND kind = 'title'`, [
    record.id,
  ])
  return rows.flatMap(({ cells }) => cells.map(cellText).filter((text) => text !== ''))
}
