import { sql } from 'kysely'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { PoolClient } from 'pg'
import { from } from 'pg-copy-streams'
import type { Reader } from '#server/access/viewer.ts'
import { eventLoopYielder } from '#server/engines/jobs/event-loop.ts'
import { columnOf } from '#server/engines/spreadsheet/sheet.ts'
import type { Cell } from '#server/features/imports/pipeline/read/cells.ts'
import type { SourceRow } from '#server/features/imports/pipeline/validate/validate-rows.ts'

interface StoredRow {
  row_number: number
  sheet_index: number
  sheet_row: number
  hidden: boolean
  cells: Cell[]
  edits: Record<string, string | null>
  matched_by_hand: boolean
  property_id: string | null
}

/** SQL: the text of a cell in the file, as the sheet shows it. `cells` is a column, and `at` the index of the cell in it, as SQL. */
export const fileText = (cells: string, at: string | number): string =>
  `CASE jsonb_typeof(${cells}->${at}) WHEN 'object' THEN coalesce(${cells}->${at}->>'literal', ${cells}->${at}->>'formula') ELSE ${cells}->>${at} END`

/** Small batches, so that the memory of one is freed before the next is read. */
const BATCH_ROWS = 250

/** The staged rows of an import in order, in batches, with the user's changes of cells applied. */
export async function* stagedBatches(client: PoolClient, importId: string, condition: string): AsyncGenerator<SourceRow[]> {
  const read = (after: number) =>
    client.query<StoredRow>(
      `SELECT row_number, sheet_index, sheet_row, hidden, cells, edits, matched_by_hand, property_id FROM import_rows
        WHERE import_id = $1 AND row_number > $2 AND ${condition} ORDER BY row_number LIMIT ${BATCH_ROWS}`,
      [importId, after],
    )
  let next: Promise<{ rows: StoredRow[] }> | undefined = read(0)
  try {
    while (next !== undefined) {
      const { rows }: { rows: StoredRow[] } = await next
      const last = rows.at(-1)
      // PostgreSQL reads the next batch while this one is worked on.
      next = last === undefined || rows.length < BATCH_ROWS ? undefined : read(last.row_number)
      if (last !== undefined) yield rows.map(sourceRow)
    }
  } finally {
    // A consumer that stops early leaves a batch that nothing waits for.
    await next?.catch(() => undefined)
  }
}

/** The staged rows of these numbers that meet the condition, by default locations, in order. */
export async function stagedRows(db: Reader, importId: string, numbers: Iterable<number>, condition = DATA_ROWS): Promise<SourceRow[]> {
  const { rows } = await sql<StoredRow>`SELECT row_number, sheet_index, sheet_row, hidden, cells, edits, matched_by_hand, property_id
    FROM import_rows WHERE import_id = ${importId} AND row_number = ANY(${[...numbers]}::integer[]) AND ${sql.raw(condition)}
    ORDER BY row_number`.execute(db)
  return rows.map(sourceRow)
}

/** The cells of these columns in all locations, each at its index. */
export async function cellsOf(db: Reader, importId: string, letters: readonly string[]): Promise<{ cells: Cell[] }[]> {
  if (letters.length === 0) return []
  const values = letters.map(
    (letter) => sql`CASE WHEN edits ? ${letter} THEN edits->${letter} ELSE cells->${sql.lit(columnOf(letter) - 1)} END`,
  )
  const { rows } = await sql<{ cells: Cell[] }>`SELECT jsonb_build_array(${sql.join(values)}) AS cells FROM import_rows
    WHERE import_id = ${importId} AND ${sql.raw(DATA_ROWS)} ORDER BY row_number`.execute(db)
  return rows.map(({ cells }) => {
    const placed: Cell[] = []
    letters.forEach((letter, at) => (placed[columnOf(letter) - 1] = cells[at] ?? null))
    return { cells: placed }
  })
}

export async function* inOneBatch<T>(rows: T[]): AsyncGenerator<T[]> {
  yield rows
}

const sourceRow = (row: StoredRow): SourceRow => ({
  number: row.row_number,
  sheet: row.sheet_index,
  sheetRow: row.sheet_row,
  hidden: row.hidden,
  cells: editedCells(row),
  matchedByHand: row.matched_by_hand,
  propertyId: row.property_id,
})

/** The cells of a row with the user's changes, which are stored by column letter. */
export function editedCells<C extends Cell>({ cells, edits }: { cells: readonly C[]; edits: StoredRow['edits'] }): (C | string | null)[] {
  const edited: (C | string | null)[] = [...cells]
  for (const [letter, value] of Object.entries(edits)) {
    const index = columnOf(letter) - 1
    while (edited.length <= index) edited.push(null)
    edited[index] = value
  }
  return edited
}

/** SQL condition: rows that are locations. */
export const DATA_ROWS = `(kind = 'data' OR included AND kind NOT IN ('blank', 'header', 'sold')) AND NOT excluded`

/** SQL condition: rows that are not imported, and that the user may want to include. */
export const SKIPPED_ROWS = `kind <> 'sold' AND (excluded OR kind NOT IN ('data', 'blank', 'header') AND NOT included)`

/** SQL condition: rows of the schedule, without the divested sheets. */
export const SCHEDULE_ROWS = `kind <> 'sold'`

type CopyValue = string | number | boolean | null

/** Writes rows to a table with COPY. Backpressure applies: lines are built as the server accepts them. */
export async function copyRows(
  client: PoolClient,
  target: string,
  rows: Iterable<readonly CopyValue[]> | AsyncIterable<readonly CopyValue[]>,
): Promise<void> {
  await pipeline(Readable.from(copyChunks(rows), { objectMode: false }), client.query(from(`COPY ${target} FROM STDIN`)))
}

const CHUNK_CHARACTERS = 64 * 1024

async function* copyChunks(rows: Iterable<readonly CopyValue[]> | AsyncIterable<readonly CopyValue[]>): AsyncGenerator<string> {
  const pause = eventLoopYielder()
  let chunk = ''
  for await (const row of rows) {
    await pause()
    chunk += `${row.map(copyText).join('\t')}\n`
    if (chunk.length < CHUNK_CHARACTERS) continue
    yield chunk
    chunk = ''
  }
  if (chunk !== '') yield chunk
}

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }

function copyText(value: CopyValue): string {
  if (value === null) return '\\N'
  return typeof value === 'string' ? value.replace(/[\\\t\n\r]/g, (character) => ESCAPES[character] ?? character) : String(value)
}
