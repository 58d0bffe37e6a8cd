import type { PoolClient } from 'pg'
import type { Context } from '#server/engines/context.ts'
import { eventLoopYielder } from '#server/engines/jobs/event-loop.ts'
import { saveImport, saveProgress, type ImportRecord, type StoredColumn } from '#server/features/imports/imports.queries.ts'
import { fileSettings } from '#server/features/imports/pipeline/map/column-style.ts'
import { checkedMapping } from '#server/features/imports/pipeline/map/propose-mapping.ts'
import { constantFields, observeReadPlan, type ReadPlan } from '#server/features/imports/pipeline/map/read-plan.ts'
import { indexRegister } from '#server/features/imports/pipeline/match/match-rows.ts'
import { importPipeline } from '#server/features/imports/pipeline/pipeline.ts'
import type { DivestedSource } from '#server/features/imports/pipeline/plan/propose-divested.ts'
import { listedProperties, openQuestions } from '#server/features/imports/pipeline/plan/summarize.ts'
import { cellText, type Cell } from '#server/features/imports/pipeline/read/cells.ts'
import { readRow } from '#server/features/imports/pipeline/validate/read-row.ts'
import type { ReadRow } from '#server/features/imports/pipeline/validate/results.ts'
import type { SourceRow } from '#server/features/imports/pipeline/validate/validate-rows.ts'
import { loadRegister } from '#server/features/imports/register.queries.ts'
import { rowLabeler, selectedSheets, usedDivestedSheets } from '#server/features/imports/selected-sheets.ts'
import { inTransaction } from './import-lock.ts'
import { DATA_ROWS, SKIPPED_ROWS, stagedBatches } from './staged-rows.ts'
import { storePreview } from './store-preview.ts'

/** Validates all rows, matches them to the register as it is now, plans the commit, and stores the result as the preview. */
export async function previewImport(ctx: Context, client: PoolClient, record: ImportRecord): Promise<void> {
  const pause = eventLoopYielder()
  const now = ctx.clock.now()
  const { constants, mode } = record
  const { register_version, total, skipped } = await figuresOf(client, record)
  const headers = new Map(record.columns.map(({ column, header }) => [column, header]))
  const rowLabel = rowLabeler(record)

  const plan = await readPlanOf(client, record, headers, now, pause)
  const rows = await importPipeline.validate(stagedBatches(client, record.id, DATA_ROWS), plan, {
    merges: new Map(selectedSheets(record).map(({ index, merges }) => [index, merges])),
    rowLabel,
    onProgress: (done) => saveProgress(ctx.db, record, done, total),
    pause,
  })
  const totals = await totalsRows(client, record.id, plan)

  const register = await loadRegister(ctx.db, record.account_id)
  await pause()
  const index = indexRegister(register)
  const matches = await importPipeline.match(rows, index, pause)

  const planned = await importPipeline.plan(rows, matches, register, { mode, emptyClears: record.empty_clears, rowLabel }, pause)
  const listed = listedProperties(planned)
  const divested = await importPipeline.planDivested(divestedSources(client, record), index, listed, { constants, now, pause })
  await pause()
  const summary = importPipeline.summarize({ rows: planned, register, listed, mode, divested, totals, skipped, headers })
  await pause()
  const questions = openQuestions({ constants, plan, titles: await titlesOf(client, record), rows })

  await inTransaction(client, () => storePreview(client, record, planned, divested))
  const { tabs, ticked, issues, sums } = summary
  const sold = divested.map(({ divested: proposed, ...sheet }) => ({ ...sheet, found: proposed.length }))
  await saveImport(ctx.db, record, {
    state: 'validated',
    activity: null,
    counts: { ...record.counts, tabs, ticked, sold, issues, questions, validatedAt: now.toISOString() },
    sums,
    register_version,
    progress_done: total,
    progress_total: total,
  })
}

interface Figures {
  /** Version of the register, read before its rows: a commit fails if it changes in between. */
  register_version: number
  total: number
  skipped: number
}

async function figuresOf(client: PoolClient, { id, account_id }: ImportRecord): Promise<Figures> {
  const { rows } = await client.query<Figures>(
    `SELECT (SELECT register_version FROM accounts WHERE id = $2) AS register_version,
      count(*) FILTER (WHERE ${DATA_ROWS})::int AS total, count(*) FILTER (WHERE ${SKIPPED_ROWS})::int AS skipped
      FROM import_rows WHERE import_id = $1`,
    [id, account_id],
  )
  return rows[0] ?? { register_version: 0, total: 0, skipped: 0 }
}

function readPlanOf(
  client: PoolClient,
  record: ImportRecord,
  headers: ReadonlyMap<string, string>,
  now: Date,
  pause: () => Promise<void>,
): Promise<ReadPlan> {
  const settings = fileSettings(record.constants, now)
  return observeReadPlan(
    stagedBatches(client, record.id, DATA_ROWS),
    checkedMapping(record.mapping),
    (column) => headers.get(column) ?? '',
    constantFields(record.constants, now),
    { ...settings, areaUnit: settings.areaUnit ?? areaUnitOf(record.columns) },
    pause,
  )
}

/** Exposure files have the unit of the floor area in its own column: 1 or m2, 11 or square feet. */
function areaUnitOf(columns: readonly StoredColumn[]): 'm2' | undefined {
  const { samples = [] } = columns.find(({ header }) => /^(floor ?)?area ?unit$/i.test(header.trim())) ?? {}
  return samples.length > 0 && samples.every((text) => /^(1(\.0)?|m2|sqm|sq ?m)$/i.test(text)) ? 'm2' : undefined
}

/** The last totals row of each sheet. Empty unless every sheet with locations has one, since the sums would be incomplete. */
async function totalsRows(client: PoolClient, importId: string, plan: ReadPlan): Promise<ReadRow[]> {
  const { rows } = await client.query<{ cells: Cell[] | null }>(
    `SELECT (array_agg(cells ORDER BY row_number DESC) FILTER (WHERE kind = 'total' AND NOT included))[1] AS cells FROM import_rows
      WHERE import_id = $1 AND kind IN ('data', 'total') GROUP BY sheet_index`,
    [importId],
  )
  const totals = rows.flatMap(({ cells }) => (cells === null ? [] : [readRow(cells, plan)]))
  return totals.length === rows.length ? totals : []
}

async function* divestedSources(client: PoolClient, record: ImportRecord): AsyncGenerator<DivestedSource> {
  for (const { index, headerRow, merges } of usedDivestedSheets(record)) {
    const rows: SourceRow[] = []
    for await (const batch of stagedBatches(client, record.id, `kind = 'sold' AND sheet_index = ${index}`)) rows.push(...batch)
    yield { index, headerRow: headerRow ?? 0, merges, rows }
  }
}

/** Texts above the header: a title may say that the values are in thousands. */
async function titlesOf(client: PoolClient, record: ImportRecord): Promise<string[]> {
  const { rows } = await client.query<{ cells: Cell[] }>(`SELECT cells FROM import_rows WHERE import_id = $1 AND kind = 'title'`, [
    record.id,
  ])
  return rows.flatMap(({ cells }) => cells.map(cellText).filter((text) => text !== ''))
}
