import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import { formatNumber } from '#contract/format.ts'
import type { ImportPatch } from '#contract/import-inputs.ts'
import { openMoney } from '#contract/imports.ts'
import { uuids } from '#server/access/scope.ts'
import type { Context, WriteContext } from '#server/engines/context.ts'
import { enqueue } from '#server/engines/jobs/define-job.ts'
import { transact } from '#server/engines/transaction/transact.ts'
import { columnOf } from '#server/engines/spreadsheet/sheet.ts'
import { conflict, invalid } from '#server/kernel/errors.ts'
import { changeMapping } from '#server/features/imports/pipeline/map/change-mapping.ts'
import { isMappingTarget } from '#server/features/imports/pipeline/map/propose-mapping.ts'
import { constantFields } from '#server/features/imports/pipeline/map/read-plan.ts'
import { isMainName } from '#server/features/imports/pipeline/read/sheet-names.ts'
import { chooseWords } from '#server/features/imports/staging/import-words.ts'
import { answeredColumns, assertColumnFactors, withUnmappedAnswer } from './answered-columns.ts'
import { NEXT_VERSION, changeImport, findImport, isRegisterChanged, loadImport, type ImportRecord } from './imports.queries.ts'
import { failImport, prepareImport, prepareImportJob } from './prepare.job.ts'
import { tryImportLock } from '#server/features/imports/staging/import-lock.ts'
import { applyRowAnswers } from '#server/features/imports/staging/row-answers.ts'
import { recheckRows, storedResults, type RowChange } from '#server/features/imports/staging/recheck-rows.ts'
import { fileText } from '#server/features/imports/staging/staged-rows.ts'
import { constantsAfter, withAnswers, withModeAnswer, withReopened } from './patched-answers.ts'
import { assertDivestedSheets, selectHeader, selectSheets, selectedSheets } from './selected-sheets.ts'

/** With more rows the new preview is made by a job. */
const SYNCHRONOUS_ROWS = 1_000

/** Changes how an import is read and what happens to its rows, and makes a new preview. */
export async function updateImport(ctx: Context, id: string, sent: ImportPatch): Promise<ImportRecord> {
  const seen = await findImport(ctx, id)
  const record = await transact(ctx, async (tx) => {
    const isIdle = await tryImportLock(tx.db, seen.id)
    await tx.db.selectFrom('imports').select('id').where('id', '=', seen.id).forUpdate().execute()
    const before = await loadImport(tx.db, seen.id)
    assertEditable(before)
    const patch = withReopened(before, withModeAnswer(withAnswers(before, sent)))
    const change = await changeRows(tx, before, patch)
    const isChecked = isIdle && before.state === 'validated' && changesRowsOnly(patch) && (await recheckRows(tx, before, change))
    return isChecked ? loadImport(tx.db, id) : changeReading(tx, before, patch, sent)
  })
  if (!isSmall(record)) return record
  try {
    await prepareImport(ctx, id)
  } catch (error) {
    await failImport(ctx, id, error)
  }
  return loadImport(ctx.db, id)
}

/** Whether the new preview is made before the response. A file is always read by a job. */
const isSmall = ({ state, counts }: ImportRecord) => state !== 'uploaded' && state !== 'validated' && counts.lastRow <= SYNCHRONOUS_ROWS

function assertEditable({ state, activity }: ImportRecord): void {
  if (activity === 'committing' || activity === 'undoing')
    throw conflict('This import is being written to the register. Please wait until it has finished.')
  if (state === 'committed' || state === 'undone') throw conflict('This import is already in the register. Start a new one to change more.')
  if (state === 'cancelled' || state === 'failed') throw conflict('This import has ended. Please start a new one.')
}

async function changeReading(tx: WriteContext, before: ImportRecord, named: ImportPatch, sent: ImportPatch): Promise<ImportRecord> {
  const patch = withUnmappedAnswer(before, named)
  const { header_row, mapping, mode, empty_clears, sold_sheets } = patch
  assertDivestedSheets(before, sold_sheets ?? [])
  if (patch.constants !== undefined) constantFields(patch.constants, tx.clock.now())
  await assertColumnFactors(tx.db, before, patch.constants ?? {})
  const other = selectSheets(before, { ...sheetAnswer(before, patch.constants), ...patch })
  const constants = constantsAfter(before, patch, other && sent)
  const header = other ?? (header_row === undefined ? undefined : selectHeader(before, header_row))
  if (other === undefined && header_row === undefined && repeatsReading(before, patch) && !(await isRegisterChanged(tx.db, before)))
    return confirmReading(tx, before, patch)
  const isMappedAgain = header_row !== undefined || before.state === 'parsed' || changesColumns(before.constants, constants)
  const state = other || before.state === 'uploaded' ? 'uploaded' : isMappedAgain ? 'parsed' : 'mapped'
  const activity = state === 'uploaded' ? 'reading' : 'validating'
  const answered = { ...mapping, ...answeredColumns(before, constants) }
  const isMapped = Object.keys(answered).length > 0
  if (constants !== undefined) await applyRowAnswers(tx.db, before, constants)
  const mapped = isMapped && (state === 'mapped' ? changeMapping(before, answered) : sentMapping(answered))
  // Cells, settings and another header change how columns are read; another mapping does not.
  const isReadAlike = state === 'mapped' && constants === undefined && !changesRows(patch)
  const changes = {
    state,
    counts: isReadAlike ? undefined : { ...before.counts, styles: null },
    activity,
    failure: null,
    progress_done: 0,
    constants,
    words: patch.words && (await chooseWords(tx, before, patch.words)),
    mode,
    sold_sheets,
    empty_clears,
    ...header,
    ...mapped,
  } as const
  await changeImport(tx.db, before.id, changes).set(NEXT_VERSION).execute()
  const record = await loadImport(tx.db, before.id)
  if (!isSmall(record)) await enqueue(tx, prepareImportJob, { importId: before.id }, { singletonKey: before.id })
  return record
}

const ROW_CHANGES: readonly string[] = ['edits', 'replace', 'exclusions', 'matches'] satisfies (keyof ImportPatch)[]

const changesRows = (patch: ImportPatch): boolean => Object.keys(patch).some((name) => ROW_CHANGES.includes(name))
const changesRowsOnly = (patch: ImportPatch): boolean => Object.keys(patch).every((name) => ROW_CHANGES.includes(name))

/** Whether a change of a finished preview repeats how the file is read already, such as the confirmation of a proposed mapping. */
function repeatsReading(before: ImportRecord, patch: ImportPatch): boolean {
  if (before.state !== 'validated' || changesRows(patch) || patch.words !== undefined) return false
  // Columns that are listed as missing no longer are after a user has left them out.
  if (openMoney(before.counts.unmappedMoney).some(({ letter }) => patch.mapping?.[letter] !== undefined)) return false
  const { mapping = {}, constants = before.constants, mode = before.mode, empty_clears = before.empty_clears, sold_sheets } = patch
  const sheets = sold_sheets === undefined ? before.sold_sheets : sold_sheets
  return (
    Object.entries(mapping).every(([column, target]) => (before.mapping[column] ?? null) === target) &&
    isDeepStrictEqual([constants, mode, empty_clears, sheets], [before.constants, before.mode, before.empty_clears, before.sold_sheets])
  )
}

/** Whether an answer decides which columns belong to the schedule. */
const changesColumns = (before: ImportRecord['constants'], after: ImportRecord['constants'] = before): boolean =>
  (before['side_table'] === 'include') !== (after['side_table'] === 'include')

/** Marks the columns as confirmed. The preview is still true, so no row is checked again. */
async function confirmReading(tx: WriteContext, before: ImportRecord, { mapping = {} }: ImportPatch): Promise<ImportRecord> {
  await changeImport(tx.db, before.id, changeMapping(before, mapping)).set(NEXT_VERSION).execute()
  return loadImport(tx.db, before.id)
}

/** A mapping for columns that are about to be read: it is applied to the next proposal, like one that is sent with the file. */
function sentMapping(mapping: Patch['mapping']): Pick<ImportRecord, 'mapping' | 'columns'> {
  const invalidTarget = Object.values(mapping).find((target) => target !== null && !isMappingTarget(target))
  if (typeof invalidTarget === 'string') throw invalid({ mapping: [`A column cannot be mapped to “${invalidTarget}”.`] })
  return { mapping: Object.fromEntries(Object.entries(mapping).map(([column, target]) => [column, target ?? 'ignore'])), columns: [] }
}

/** The answer that only the sheets with the name of a schedule are imported selects these. */
function sheetAnswer(before: ImportRecord, constants: ImportPatch['constants']): Pick<ImportPatch, 'sheets'> {
  if (constants?.['other_sheets'] !== 'exclude') return {}
  const all = selectedSheets(before)
  const names = all.map(({ name }) => name)
  const sheets = all.filter(({ name }) => isMainName(name, names))
  return sheets.length === 0 ? {} : { sheets: sheets.map(({ index }) => index) }
}

type Patch = { [K in keyof ImportPatch]-?: NonNullable<ImportPatch[K]> }

async function changeRows(tx: WriteContext, record: ImportRecord, patch: ImportPatch): Promise<RowChange> {
  const { edits, replace, exclusions, matches } = patch
  const matched = matches?.map(({ row }) => row) ?? []
  const former = matches === undefined ? [] : await storedResults(tx.db, record.id, matched)
  const edited = edits === undefined ? [] : await editCells(tx, record, edits)
  const replaced = replace === undefined ? [] : await replaceCells(tx, record, replace)
  const excluded = exclusions === undefined ? [] : await excludeRows(tx, record, exclusions)
  if (matches !== undefined) await matchByHand(tx, record, matches)
  const columns = [...(edits ?? []), ...(replace === undefined ? [] : [replace])].map(({ column }) => column)
  const rows = [...new Set([...edited, ...replaced, ...excluded, ...matched])]
  return { rows, columns: exclusions === undefined ? [...new Set(columns)] : undefined, former }
}

type Numbers = { row_number: number }
const numbersOf = ({ rows }: { rows: Numbers[] }): number[] => rows.map(({ row_number }) => row_number)

const textOrEmpty = (at: string | number) => sql.raw(`coalesce(${fileText('r.cells', at)}, '')`)

/**
 * A cell changed to an empty text becomes empty (null). A cell changed back to the text of the file is no longer edited.
 * These functions return the numbers of the changed rows.
 */
async function editCells(tx: WriteContext, { id, columns }: ImportRecord, edits: Patch['edits']): Promise<number[]> {
  const last = Math.max(...columns.map(({ column }) => columnOf(column)))
  const other = edits.find(({ column }) => columns.length > 0 && columnOf(column) > last)
  if (other !== undefined) throw invalid({ edits: [`The sheet has no column ${other.column}.`] })
  const placed = edits.map((edit) => ({ ...edit, at: columnOf(edit.column) - 1 }))
  const changed = await sql<Numbers>`UPDATE import_rows r SET edits = (r.edits - e.letters) || e.cells FROM (
      SELECT r.row_number, array_agg(s."column") AS letters,
          coalesce(jsonb_object_agg(s."column", nullif(s.value, '')) FILTER (WHERE s.value <> ${textOrEmpty('s.at')}), '{}') AS cells
        FROM jsonb_to_recordset(${JSON.stringify(placed)}::jsonb) AS s ("row" integer, "column" text, value text, at integer)
        JOIN import_rows r ON r.import_id = ${id} AND r.row_number = s."row" GROUP BY r.row_number
    ) e WHERE r.import_id = ${id} AND r.row_number = e.row_number RETURNING r.row_number`.execute(tx.db)
  const rows = new Set(numbersOf(changed))
  const missing = edits.find(({ row }) => !rows.has(row))
  if (missing !== undefined) throw invalid({ edits: [`The file has no row ${formatNumber(missing.row)}.`] })
  return [...rows]
}

async function replaceCells(tx: WriteContext, { id }: ImportRecord, { column, from, to }: Patch['replace']): Promise<number[]> {
  const index = columnOf(column) - 1
  const changed = await sql<Numbers>`UPDATE import_rows r SET edits = CASE WHEN ${to}::text = ${textOrEmpty(index)}
      THEN edits - ${column}::text ELSE edits || jsonb_build_object(${column}::text, nullif(${to}::text, '')) END
    WHERE import_id = ${id} AND (kind = 'data' OR included) AND btrim(CASE WHEN edits ? ${column} THEN edits->>${column}
      ELSE ${sql.raw(fileText('cells', index))} END) = btrim(${from}::text) RETURNING row_number`.execute(tx.db)
  return numbersOf(changed)
}

/** Including a row that was not a location makes it one; `automatic` removes both choices. */
async function excludeRows(tx: WriteContext, { id }: ImportRecord, exclusions: Patch['exclusions']): Promise<number[]> {
  const changed = await sql<Numbers>`UPDATE import_rows r SET excluded = coalesce(s.excluded, false),
      included = NOT coalesce(s.excluded, true) AND r.kind NOT IN ('data', 'blank', 'header')
    FROM jsonb_to_recordset(${JSON.stringify(exclusions)}::jsonb) AS s ("row" integer, excluded boolean)
    WHERE r.import_id = ${id} AND r.row_number = s."row" AND r.kind <> 'sold' RETURNING r.row_number`.execute(tx.db)
  return numbersOf(changed)
}

async function matchByHand(tx: WriteContext, { id, account_id }: ImportRecord, matches: Patch['matches']): Promise<void> {
  const ids = [...new Set(matches.flatMap((match) => ('property_id' in match ? (match.property_id ?? []) : [])))]
  const { rows: known } = await sql`SELECT id FROM account_properties
    WHERE account_id = ${account_id} AND id = ANY(${uuids(ids)}) AND deleted_at IS NULL`.execute(tx.db)
  if (known.length !== ids.length) throw invalid({ matches: ['One of the properties is no longer in this account.'] })
  await sql`UPDATE import_rows r SET matched_by_hand = NOT coalesce(s.automatic, false), property_id = s.property_id
    FROM jsonb_to_recordset(${JSON.stringify(matches)}::jsonb) AS s ("row" integer, property_id uuid, automatic boolean)
    WHERE r.import_id = ${id} AND r.row_number = s."row" AND r.kind <> 'sold'`.execute(tx.db)
}
