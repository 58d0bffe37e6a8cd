import type { PoolClient } from 'pg'
import type { Context } from '#server/engines/context.ts'
import { eventLoopYielder } from '#server/engines/jobs/event-loop.ts'
import { progressSaver, saveImport, type ImportRecord } from '#server/features/imports/imports.queries.ts'
import { fileSettings } from '#server/features/imports/pipeline/map/file-settings.ts'
import { checkedMapping } from '#server/features/imports/pipeline/map/propose-mapping.ts'
import { observeReadPlan, type ReadPlan } from '#server/features/imports/pipeline/map/read-plan.ts'
import { indexRegister } from '#server/features/imports/pipeline/match/register-index.ts'
import { importPipeline } from '#server/features/imports/pipeline/pipeline.ts'
import { leaveOut } from '#server/features/imports/pipeline/plan/plan-rows.ts'
import type { DivestedRow, DivestedSheet, DivestedSource } from '#server/features/imports/pipeline/plan/propose-divested.ts'
import { listedProperties } from '#server/features/imports/pipeline/plan/tally.ts'
import type { Cell } from '#server/features/imports/pipeline/read/cells.ts'
import { isMarkedEnded } from '#server/features/imports/pipeline/validate/marked-rows.ts'
import type { SourceRow, ValidatedRow } from '#server/features/imports/pipeline/validate/validate-rows.ts'
import { loadRegister } from '#server/features/imports/register.queries.ts'
import { mergesOf, rowNames, usedDivestedSheets } from '#server/features/imports/selected-sheets.ts'
import { figuresOf, headersOf, settingsOf, storedPlan, stylesOfToday } from './file-facts.ts'
import { sheetUnits, titlesOf } from './sheet-units.ts'
import { inTransaction } from './import-lock.ts'
import { previewFigures } from './preview-figures.ts'
import { DATA_ROWS, cellsOf, inOneBatch, stagedBatches } from './staged-rows.ts'
import { storePreview } from './store-preview.ts'
import { unmappedMoney } from './unmapped-columns.ts'

/** Validates all rows, matches them to the register as it is now, plans the commit, and stores the result as the preview. */
export async function previewImport(ctx: Context, client: PoolClient, record: ImportRecord): Promise<void> {
  const pause = eventLoopYielder()
  const now = ctx.clock.now()
  const { constants, mode, empty_clears: emptyClears } = record
  const { register_version, total, skipped } = await figuresOf(ctx.db, record)
  const { rowLabel } = rowNames(record)
  const { plan, unmapped, validated } = await readRows(ctx, client, record, { total, now, pause })
  const register = await loadRegister(ctx.db, record.account_id)
  await pause()
  const index = indexRegister(register)
  const settled = await importPipeline.findDivested(validated.filter(isDecided), index, pause)
  const isOut = (row: ValidatedRow) => row.leftOut !== undefined && !settled.has(row.number)
  const [leftOut, rows] = [validated.filter(isOut), validated.filter((row) => !isOut(row))]
  const isMarked = fileSettings(constants, now).marked === 'divest'
  // A row that is marked as ended keeps its property from the row that has its number now.
  const matches = await importPipeline.match(isMarked ? [...rows, ...leftOut.filter(isMarkedEnded)] : rows, index, pause)
  const planned = await importPipeline.plan(rows, matches, { mode, emptyClears, rowLabel }, pause)
  const listed = listedProperties(planned)
  const options = { constants, now, pause }
  const sheets = await importPipeline.planDivested(divestedSources(client, record), index, listed, options)
  const known = new Set([...listed, ...sheets.flatMap((sheet) => sheet.divested.map(({ property }) => property.id))])
  const marked = isMarked ? await importPipeline.planMarked(leftOut, index, known, options) : { divested: [], unclearDate: undefined }
  const divested = [...sheets, ...asSheet(marked.divested)]
  await pause()
  importPipeline.settleNumbers(planned, register, { mode, rowLabel, divested })
  const summary = importPipeline.summarize({ rows: planned, register, listed, mode, divested })
  await pause()

  const removals = divested.flatMap((sheet) => sheet.divested)
  const out = leftOut.map(leaveOut)
  await inTransaction(client, () => storePreview(client, record, [...planned, ...out], removals))
  const figures = {
    ...summary,
    plan,
    skipped: skipped + out.length - marked.divested.length,
    leftOut: out.filter(isDecided),
    merged: leftOut.length - leftOut.filter(isDecided).length,
    unmappedMoney: unmapped.found(),
    unclearEnd: marked.unclearDate,
    sold: sheets.map(({ divested: proposed, alreadyDivested, ...sheet }) => ({ ...sheet, found: proposed.length + alreadyDivested })),
  }
  const { counts, sums } = await previewFigures(ctx.db, record, figures)
  const styles = Object.fromEntries(plan.columns.map(({ column, style }) => [column, style]))
  await saveImport(ctx.db, record, {
    state: 'validated',
    activity: null,
    counts: { ...counts, sold: figures.sold, styles, validatedAt: now.toISOString() },
    sums,
    register_version,
    progress_done: total,
    progress_total: total,
  })
}

/** Not the rows whose amounts are those of an earlier one. */
const isDecided = ({ leftOut }: ValidatedRow): boolean => leftOut === 'decided'

/** The rows of the schedule that are marked as ended, among the divested sheets. */
const MARKED_ROWS = -1

const asSheet = (divested: DivestedRow[]): DivestedSheet[] =>
  divested.length === 0 ? [] : [{ index: MARKED_ROWS, rows: divested.length, divested, stillListed: 0, alreadyDivested: 0 }]

interface Reading {
  total: number
  now: Date
  pause: () => Promise<void>
}

/** Decides how each column is read, and reads and validates all rows. */
async function readRows(ctx: Context, client: PoolClient, record: ImportRecord, { total, now, pause }: Reading) {
  const plan = await readPlan(ctx, client, record, now, pause)
  const unmapped = await unmappedMoney(ctx.db, record)
  const { repeats, marked, blankAddresses, headingStates, headingCities } = fileSettings(record.constants, now)
  const validated = await importPipeline.validate(observed(stagedBatches(client, record.id, DATA_ROWS), unmapped.add), plan, {
    merges: mergesOf(record),
    ...rowNames(record),
    repeats,
    marked,
    blankAddresses,
    headingStates,
    headingCities,
    onProgress: progressSaver(ctx.db, record, total),
    pause,
  })
  return { plan, unmapped, validated }
}

/** How the columns are read. Only columns that the last preview did not read are observed, since that takes another pass over the file. */
async function readPlan(ctx: Context, client: PoolClient, record: ImportRecord, now: Date, pause: () => Promise<void>): Promise<ReadPlan> {
  const known = stylesOfToday(record, now)
  const headers = headersOf(record)
  const mapping = Object.fromEntries(Object.entries(checkedMapping(record.mapping)).filter(([column]) => known?.[column] === undefined))
  const letters = Object.keys(mapping).filter((column) => mapping[column] !== 'ignore')
  const batches = known === null ? stagedBatches(client, record.id, DATA_ROWS) : inOneBatch(await cellsOf(ctx.db, record.id, letters))
  const headerOf = (column: string) => headers.get(column) ?? ''
  const settings = settingsOf(record, await titlesOf(ctx.db, record), now)
  const observed = await observeReadPlan(batches, mapping, headerOf, {}, settings, pause)
  const styles = Object.fromEntries(observed.columns.map(({ column, style }) => [column, style]))
  return storedPlan(record, { ...known, ...styles }, await sheetUnits(ctx.db, record), now)
}

/** The batches unchanged; `add` receives the cells of each row on the way. */
async function* observed(batches: AsyncIterable<SourceRow[]>, add: (cells: readonly Cell[]) => void): AsyncGenerator<SourceRow[]> {
  for await (const batch of batches) {
    for (const { cells } of batch) add(cells)
    yield batch
  }
}

async function* divestedSources(client: PoolClient, record: ImportRecord): AsyncGenerator<DivestedSource> {
  for (const { index, headerRow, merges } of usedDivestedSheets(record)) {
    const rows: SourceRow[] = []
    for await (const batch of stagedBatches(client, record.id, `kind = 'sold' AND sheet_index = ${index}`)) rows.push(...batch)
    yield { index, headerRow: headerRow ?? 0, merges, rows }
  }
}
