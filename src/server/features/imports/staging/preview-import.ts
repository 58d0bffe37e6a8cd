import type { PoolClient } from 'pg'
import { addressKeys } from '#server/engines/address/address-keys.ts'
import type { Context } from '#server/engines/context.ts'
import { eventLoopYielder } from '#server/engines/jobs/event-loop.ts'
import { saveImport, saveProgress, type ImportRecord, type StoredColumn } from '#server/features/imports/imports.queries.ts'
import { fileSettings } from '#server/features/imports/pipeline/map/column-style.ts'
import { checkedMapping } from '#server/features/imports/pipeline/map/propose-mapping.ts'
import { constantFields, observeReadPlan, type ReadPlan } from '#server/features/imports/pipeline/map/read-plan.ts'
import { indexRegister } from '#server/features/imports/pipeline/match/match-rows.ts'
import { importPipeline } from '#server/features/imports/pipeline/pipeline.ts'
import { leaveOut, type PlannedRow } from '#server/features/imports/pipeline/plan/plan-rows.ts'
import type { DivestedRow, DivestedSource } from '#server/features/imports/pipeline/plan/propose-divested.ts'
import { openQuestions } from '#server/features/imports/pipeline/plan/open-questions.ts'
import { listedProperties } from '#server/features/imports/pipeline/plan/summarize.ts'
import { sumUnmapped } from '#server/features/imports/pipeline/plan/unmapped-money.ts'
import { cellText, type Cell } from '#server/features/imports/pipeline/read/cells.ts'
import { readRow, tivOf } from '#server/features/imports/pipeline/validate/read-row.ts'
import { hasError, type ReadRow } from '#server/features/imports/pipeline/validate/results.ts'
import type { SourceRow } from '#server/features/imports/pipeline/validate/validate-rows.ts'
import { loadRegister } from '#server/features/imports/register.queries.ts'
import { rowNames, selectedSheets, usedDivestedSheets } from '#server/features/imports/selected-sheets.ts'
import { columnWords } from './column-words.ts'
import { inTransaction } from './import-lock.ts'
import { wordCodes } from './import-words.ts'
import { DATA_ROWS, SKIPPED_ROWS, copyRows, stagedBatches } from './staged-rows.ts'

/** Validates all rows, matches them to the register as it is now, plans the commit, and stores the result as the preview. */
export async function previewImport(ctx: Context, client: PoolClient, record: ImportRecord): Promise<void> {
  const pause = eventLoopYielder()
  const now = ctx.clock.now()
  const { constants, mode } = record
  const { register_version, total, skipped } = await figuresOf(client, record)
  const headers = new Map(record.columns.map(({ column, header }) => [column, header]))
  const { rowLabel } = rowNames(record)
  const settings = fileSettings(constants, now)

  const readPlan = await observeReadPlan(
    stagedBatches(client, record.id, DATA_ROWS),
    checkedMapping(record.mapping),
    (column) => headers.get(column) ?? '',
    constantFields(constants, now),
    { ...settings, areaUnit: settings.areaUnit ?? areaUnitOf(record.columns) },
    pause,
  )
  const plan = { ...readPlan, words: wordCodes(record.words) }
  const unmapped = sumUnmapped(
    record.columns.flatMap(({ column, header }, index) => (record.mapping[column] === undefined ? [{ index, column, header }] : [])),
  )
  const validated = await importPipeline.validate(observed(stagedBatches(client, record.id, DATA_ROWS), unmapped.add), plan, {
    merges: new Map(selectedSheets(record).map(({ index, merges }) => [index, merges])),
    rowLabel,
    repeats: settings.repeats,
    onProgress: (done) => saveProgress(ctx.db, record, done, total),
    pause,
  })
  const [repeated, rows] = [validated.filter((row) => row.repeated), validated.filter((row) => !row.repeated)]
  const totals = await totalsRows(client, record.id, plan)

  const register = await loadRegister(ctx.db, record.account_id)
  await pause()
  const index = indexRegister(register)
  const matches = await importPipeline.match(rows, index, pause)

  const planned = await importPipeline.plan(rows, matches, register, { mode, emptyClears: record.empty_clears, rowLabel }, pause)
  const listed = listedProperties(planned)
  const divested = await importPipeline.planDivested(divestedSources(client, record), index, listed, { constants, now, pause })
  await pause()
  const left = skipped + repeated.length
  const summary = importPipeline.summarize({ rows: planned, register, listed, mode, divested, totals, skipped: left, headers })
  await pause()
  const questions = openQuestions({ constants, plan, titles: await titlesOf(client, record), rows, issues: summary.issues })

  const removals = divested.flatMap((sheet) => sheet.divested)
  await inTransaction(client, () => storePreview(client, record, [...planned, ...repeated.map(leaveOut)], removals))
  const words = await columnWords(client, record)
  const { sums, ...figures } = summary
  const sold = divested.map(({ divested: proposed, ...sheet }) => ({ ...sheet, found: proposed.length }))
  await saveImport(ctx.db, record, {
    state: 'validated',
    activity: null,
    counts: { ...record.counts, ...figures, sold, questions, words, unmappedMoney: unmapped.found(), validatedAt: now.toISOString() },
    sums,
    register_version,
    progress_done: total,
    progress_total: total,
  })
}

/** The batches unchanged; `add` receives the cells of each row on the way. */
async function* observed(batches: AsyncIterable<SourceRow[]>, add: (cells: readonly Cell[]) => void): AsyncGenerator<SourceRow[]> {
  for await (const batch of batches) {
    for (const { cells } of batch) add(cells)
    yield batch
  }
}

/** `register_version` is read before the register: a commit fails if it changes in between. */
async function figuresOf(client: PoolClient, { id, account_id }: ImportRecord) {
  const { rows } = await client.query<{ register_version: number; total: number; skipped: number }>(
    `SELECT (SELECT register_version FROM accounts WHERE id = $2) AS register_version,
      count(*) FILTER (WHERE ${DATA_ROWS})::int AS total, count(*) FILTER (WHERE ${SKIPPED_ROWS})::int AS skipped
      FROM import_rows WHERE import_id = $1`,
    [id, account_id],
  )
  return rows[0] ?? { register_version: 0, total: 0, skipped: 0 }
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

/** Stores the plan of every row with its staged cells, in one statement for all rows. */
async function storePreview(
  client: PoolClient,
  record: ImportRecord,
  rows: readonly PlannedRow[],
  removals: readonly DivestedRow[],
): Promise<void> {
  await client.query(`CREATE TEMP TABLE preview_rows (row_number integer, fields jsonb, issues jsonb, has_error boolean, tab text, property_id uuid,
    match_rule text, candidates uuid[], changes jsonb, tiv bigint) ON COMMIT DROP`)
  await copyRows(client, 'preview_rows', linesOf(record, rows))
  await client.query(
    `UPDATE import_rows SET tab = CASE WHEN ${SKIPPED_ROWS} THEN 'excluded' END, fields = '{}', issues = '[]',
        has_error = false, changes = NULL, candidates = NULL, tiv = NULL, match_rule = NULL, property_id = CASE WHEN matched_by_hand THEN property_id END
      WHERE import_id = $1 AND NOT (${DATA_ROWS})`,
    [record.id],
  )
  await client.query(
    `UPDATE import_rows r SET fields = p.fields, issues = p.issues, has_error = p.has_error, tab = p.tab, match_rule = p.match_rule,
        property_id = CASE WHEN r.matched_by_hand THEN r.property_id ELSE p.property_id END, candidates = p.candidates, changes = p.changes, tiv = p.tiv
      FROM preview_rows p WHERE r.import_id = $1 AND r.row_number = p.row_number`,
    [record.id],
  )
  const lines = removals.map(({ property, ...removal }) => ({ ...removal, property_id: property.id, tiv: tivOf(property.values) }))
  await client.query(
    `UPDATE import_rows r SET tab = 'remove', property_id = s.property_id, tiv = s.tiv,
        fields = jsonb_build_object('sold_on', s."divestedOn", 'exact', s.exact)
      FROM jsonb_to_recordset($2::jsonb) AS s (number integer, property_id uuid, tiv bigint, "divestedOn" text, exact boolean)
      WHERE r.import_id = $1 AND r.row_number = s.number`,
    [record.id, JSON.stringify(lines)],
  )
}

/** The cells that left their field empty, with their text, by field: the provenance of the empty field. */
function unreadCells({ number, fields, issues }: PlannedRow, cellReference: (letter: string, number: number) => string) {
  const unread = issues.flatMap(({ field, column, value }) =>
    field !== null && column !== null && value !== null && fields[field] === undefined
      ? [[field, `${cellReference(column, number)}: “${value}”`] as const]
      : [],
  )
  return Object.fromEntries(unread)
}

function* linesOf(record: ImportRecord, rows: readonly PlannedRow[]) {
  const { cellReference } = rowNames(record)
  for (const row of rows) {
    const { number, fields, custom, issues, tab, property, rule, candidates, changes = {}, tiv } = row
    const changed = Object.entries(changes).map(([name, [, value]]) => [name, value])
    // The register will store the address of the row merged with the one of the property.
    const keys = property ? addressKeys({ ...property.values, ...fields, ...Object.fromEntries(changed) }) : row.keys
    const origin = Object.fromEntries(Object.entries(row.origin).map(([name, letter]) => [name, cellReference(letter, number)]))
    yield [
      number,
      JSON.stringify({
        ...fields,
        custom,
        origin,
        unread: unreadCells(row, cellReference),
        address_key: keys.strong,
        weak_address_key: keys.weak,
      }),
      JSON.stringify(issues),
      hasError(issues),
      tab,
      property?.id ?? null,
      rule,
      candidates.length === 0 ? null : `{${candidates.map(({ id }) => id).join(',')}}`,
      changed.length === 0 ? null : JSON.stringify(changes),
      tiv,
    ] as const
  }
}
