import { sql } from 'kysely'
import { z } from 'zod'
import { IMPORT_ISSUES, type ImportIssueCode } from '#contract/import-issues.ts'
import { type ImportRow, ROW_KINDS } from '#contract/import-rows.ts'
import type { ImportTab } from '#contract/imports.ts'
import type { PageMeta } from '#contract/datatable.ts'
import type { Context } from '#server/engines/context.ts'
import { pageMeta } from '#server/engines/datatable/index-list.ts'
import type { ImportRecord, StoredSheet } from './import-record.ts'
import { placesOf, removableOf, type Place, type Removable } from './places.queries.ts'
import { columnNumber } from './sheet/sheet-row.ts'
import { placesIn } from './sheet/taken-sheets.ts'

const codes = Object.keys(IMPORT_ISSUES) as [ImportIssueCode, ...ImportIssueCode[]] // the keys of a literal object
const Value = z.union([z.string(), z.number(), z.boolean(), z.null()])
const Stored = z.object({
  row_number: z.number(),
  sheet_index: z.number(),
  sheet_row: z.number(),
  kind: z.enum(ROW_KINDS),
  excluded: z.boolean(),
  included: z.boolean(),
  matched_by_hand: z.boolean(),
  hidden: z.boolean(),
  cells: z.array(z.union([Value, z.object({ formula: z.string() }).transform(({ formula }) => formula)])),
  edits: z.record(z.string(), z.union([z.string(), z.null()])),
  issues: z.array(
    z.object({
      column: z.string().nullable(),
      field: z.string().nullable(),
      code: z.enum(codes),
      severity: z.enum(['error', 'warning']),
      message: z.string(),
      value: z.string().nullable(),
      suggestion: z.union([z.string(), z.number()]).transform(String).optional(),
    }),
  ),
  property_id: z.string().nullable(),
  candidates: z.array(z.string()).nullable(),
  changes: z.record(z.string(), z.tuple([Value, Value])).nullable(),
  tab: z.string().nullable(),
  tiv: z.number().nullable(),
})
type Stored = z.output<typeof Stored>

interface Page {
  page: number
  paginate: number
  tab?: ImportTab | undefined
}

/** Rows of one tab, or of the sheet: there every row has its place, the blank ones too. */
export async function importRows(ctx: Context, record: ImportRecord, query: Page): Promise<{ rows: ImportRow[]; meta: PageMeta }> {
  const offset = (query.page - 1) * query.paginate
  if (query.tab === 'remove') return removedRows(ctx, record, query, offset)
  const condition =
    query.tab === undefined
      ? sql`row_number > ${offset} AND row_number <= ${Math.min(offset + query.paginate, record.counts.lastRow)}`
      : sql`tab = ${query.tab}`
  const page = query.tab === undefined ? sql`` : sql`LIMIT ${query.paginate} OFFSET ${offset}`
  const { rows: found } =
    await sql`SELECT row_number, sheet_index, sheet_row, kind, excluded, included, matched_by_hand, hidden, cells, edits, issues, property_id, candidates, changes, tab, tiv
    FROM import_rows WHERE import_id = ${record.id} AND ${condition} ORDER BY row_number ${page}`.execute(ctx.db)
  const stored = z.array(Stored).parse(found)
  const places = await placesOf(
    ctx,
    record.account_id,
    stored.flatMap(({ property_id, candidates }) => [...(property_id === null ? [] : [property_id]), ...(candidates ?? [])]),
  )
  const present = (row: Stored) => presentRow(row, record, places)
  if (query.tab !== undefined)
    return { rows: stored.map(present), meta: pageMeta(query, record.counts.tabs[query.tab] ?? 0, stored.length, offset) }
  const placeOf = placesIn(record)
  const byNumber = new Map(stored.map((row) => [row.row_number, row]))
  const numbers = Array.from(
    { length: Math.max(0, Math.min(query.paginate, record.counts.lastRow - offset)) },
    (_, index) => offset + index + 1,
  )
  return {
    rows: numbers.map((number) => present(byNumber.get(number) ?? blankAt(number, placeOf(number)))),
    meta: pageMeta(query, record.counts.lastRow, numbers.length, offset),
  }
}

const blankAt = (row_number: number, { sheet, row }: { sheet: StoredSheet | undefined; row: number }): Stored => ({
  row_number,
  sheet_index: sheet?.index ?? 0,
  sheet_row: row,
  kind: 'blank',
  excluded: false,
  included: false,
  matched_by_hand: false,
  hidden: false,
  cells: [],
  edits: {},
  issues: [],
  property_id: null,
  candidates: null,
  changes: null,
  tab: null,
  tiv: null,
})

async function removedRows(
  ctx: Context,
  record: ImportRecord,
  query: Page,
  offset: number,
): Promise<{ rows: ImportRow[]; meta: PageMeta }> {
  const removable = await removableOf(ctx, record, query.paginate, offset)
  const rows = removable.map((removal): ImportRow => {
    const { id, name, full_address, tiv, row_number, sheet_row, exact } = removal
    const sheet = record.sheets.find(({ index }) => index === removal.sheet_index)
    return {
      ...presentRow(blankAt(row_number ?? 0, { sheet, row: sheet_row ?? 0 }), record, new Map()),
      kind: 'data',
      reason: removalReason(removal, sheet?.name),
      property: { id, name, full_address },
      tiv,
      ticked: exact !== false,
    }
  })
  return { rows, meta: pageMeta(query, record.counts.tabs.remove ?? 0, rows.length, offset) }
}

const DAY = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' })

function removalReason({ sheet_row, sold_on, exact }: Removable, sheet: string | undefined): string {
  if (sheet === undefined) return 'Not in the file'
  const date = sold_on === null ? '' : `, sold on ${DAY.format(new Date(sold_on))}`
  return `Row ${sheet_row} of “${sheet}”${date}${exact === true ? '' : ': probably this property, please check'}`
}

const REASONS: Readonly<Record<Stored['kind'], string>> = {
  data: 'A location to import',
  blank: 'Blank row',
  header: 'The header row',
  repeated_header: 'The header again',
  title: 'Stands above the header',
  section: 'Title of a section',
  subtotal: 'Subtotal of rows above',
  total: 'Total of rows above',
  note: 'Note',
}

function presentRow(row: Stored, record: ImportRecord, places: ReadonlyMap<string, Place>): ImportRow {
  const headers = new Map(record.columns.map(({ column, header }) => [column, header]))
  const place = row.property_id === null ? undefined : places.get(row.property_id)
  return {
    row: row.row_number,
    sheet: record.sheets.find(({ index }) => index === row.sheet_index)?.name ?? '',
    sheet_row: row.sheet_row,
    kind: row.included ? 'data' : row.kind,
    excluded: row.excluded || row.tab === 'excluded',
    choice: row.excluded ? 'excluded' : row.included ? 'included' : null,
    reason: reasonOf(row),
    matched_by_hand: row.matched_by_hand,
    hidden: row.hidden,
    cells: editedCells(row),
    issues: row.issues.map(({ suggestion = null, ...issue }) => ({
      row: row.row_number,
      header: issue.column === null ? null : (headers.get(issue.column) ?? null),
      ...issue,
      suggestion,
    })),
    property: place ?? null,
    candidates: (row.candidates ?? []).flatMap((id) => places.get(id) ?? []),
    changes: Object.entries(row.changes ?? {}).map(([field, [before, after]]) => ({ field, before, after })),
    tiv: row.tiv,
    ticked: false,
  }
}

function reasonOf({ excluded, included, kind, tab }: Stored): string | null {
  if (excluded) return 'Excluded by hand'
  if (included) return `Included by hand; read as: ${REASONS[kind]}`
  if (kind !== 'data') return REASONS[kind]
  return tab === 'excluded' ? 'New, and the mode only updates' : null
}

function editedCells({ cells, edits }: Stored): ImportRow['cells'] {
  const edited = [...cells]
  for (const [letter, value] of Object.entries(edits)) {
    const index = columnNumber(letter) - 1
    while (edited.length <= index) edited.push(null)
    edited[index] = value
  }
  return edited
}
