import { sql } from 'kysely'
import type { Reader } from '#server/access/viewer.ts'
import { eventLoopYielder } from '#server/engines/jobs/event-loop.ts'
import type { ImportRecord } from '#server/features/imports/imports.queries.ts'
import type { ReadPlan } from '#server/features/imports/pipeline/map/read-plan.ts'
import { importPipeline } from '#server/features/imports/pipeline/pipeline.ts'
import { leaveOut } from '#server/features/imports/pipeline/plan/plan-rows.ts'
import type { PlannedRow } from '#server/features/imports/pipeline/plan/planned-row.ts'
import { mergesOf, rowNames } from '#server/features/imports/selected-sheets.ts'
import { rowsOfLeftOutTables } from './row-answers.ts'
import { inOneBatch, stagedRows } from './staged-rows.ts'

/** The locations that the user excluded, by hand or by an answer: those of the columns of the header row, and how many others there are. */
export async function excludedLocations(db: Reader, record: ImportRecord, plan: ReadPlan): Promise<{ read: PlannedRow[]; unread: number }> {
  const { rows: excluded } = await sql<{ number: number }>`SELECT row_number AS number FROM import_rows
    WHERE import_id = ${record.id} AND kind = 'data' AND excluded`.execute(db)
  if (excluded.length === 0) return { read: [], unread: 0 }
  const unread = new Set(await rowsOfLeftOutTables(db, record))
  const numbers = excluded.flatMap(({ number }) => (unread.has(number) ? [] : [number]))
  const batches = inOneBatch(await stagedRows(db, record.id, numbers, EXCLUDED_ROWS))
  const { rowLabel } = rowNames(record)
  const options = { merges: mergesOf(record), rowLabel, onProgress: noProgress, pause: eventLoopYielder() }
  const rows = await importPipeline.validate(batches, plan, options)
  const read = rows.filter(({ leftOut }) => leftOut === undefined).map(leaveOut)
  return { read, unread: excluded.length - numbers.length }
}

const EXCLUDED_ROWS = `kind = 'data' AND excluded`

const noProgress = () => Promise.resolve()
