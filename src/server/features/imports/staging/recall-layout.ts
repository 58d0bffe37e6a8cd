import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type { PoolClient } from 'pg'
import { columnOfFactor } from '#contract/column-factor.ts'
import type { Context } from '#server/engines/context.ts'
import { columnOf } from '#server/engines/spreadsheet/sheet.ts'
import { loadImport, type ImportRecord, type StoredColumn } from '#server/features/imports/imports.queries.ts'
import { TIV_PARTS } from '#contract/property-fields.ts'
import { columnsWithFactor } from '#server/features/imports/pipeline/map/column-style.ts'
import { ROW_ANSWERS, SETTINGS } from '#server/features/imports/pipeline/map/file-settings.ts'
import { cellText, parseNumber, type Cell } from '#server/features/imports/pipeline/read/cells.ts'
import { IDENTITY_FIELDS } from '#server/features/imports/pipeline/read/header-synonyms.ts'
import { factorOf } from '#server/features/imports/pipeline/read/amount-notation.ts'
import { normalizeHeader } from '#server/features/imports/pipeline/read/headers.ts'
import { textsAboutAll, unitNotes } from '#server/features/imports/pipeline/read/unit-notes.ts'
import { textsAskedByColumn } from './sheet-units.ts'
import { layoutOf } from './import-words.ts'
import { otherTables, struckRows } from './row-answers.ts'
import { fileText } from './staged-rows.ts'

/** How many earlier imports of the company are compared. */
const IMPORTS_COMPARED = 20
/** Below this value per square foot the values are probably in thousands. */
const VALUE_PER_SQUARE_FOOT_MIN = 2
/** A factor that makes the median property worth more is not used without a question. */
const RECALLED_VALUE_MAX = 200_000_000
/** The same for other values that are more than this many times the value of the building. */
const RECALLED_SHARE_MAX = 20

const RECALLED = Object.keys(SETTINGS).filter((name) => !ROW_ANSWERS.has(name))

/** How one client writes numbers says nothing about another one, although both use the schedule of the broker. */
const OF_ACCOUNT: ReadonlySet<string> = new Set<keyof typeof SETTINGS>(['dots', 'number_dates', 'date_order', 'area_unit'])

interface Earlier {
  id: string
  account_id: string
  columns: StoredColumn[]
  mapping: Record<string, string>
  constants: Record<string, string>
  titles: Cell[][]
}

interface Reading {
  columns: readonly StoredColumn[]
  mapping: Readonly<Record<string, string>>
  /** Sampled cells by column. */
  samples: readonly (readonly Cell[])[]
}

/** The newest committed import of the company with the same columns, years aside. */
async function earlierImportOf(ctx: Context, record: ImportRecord, columns: readonly StoredColumn[]): Promise<Earlier | undefined> {
  const { rows } = await sql<Earlier>`SELECT i.id, i.account_id, i.columns, i.mapping, i.constants, coalesce((
        SELECT jsonb_agg(r.cells) FROM import_rows r WHERE r.import_id = i.id AND r.kind = 'title'), '[]') AS titles
      FROM imports i JOIN accounts a ON a.id = i.account_id
      WHERE a.company_id = (SELECT company_id FROM accounts WHERE id = ${record.account_id})
        AND i.state = 'committed' AND i.storage_key IS NOT NULL AND i.id <> ${record.id}
      ORDER BY i.committed_at DESC LIMIT ${IMPORTS_COMPARED}`.execute(ctx.db)
  const layout = layoutOf(columns)
  return rows.find((earlier) => layoutOf(earlier.columns) === layout)
}

/**
 * What was decided about the newest committed import with the same columns: how the file is read, and, in the same account, which
 * rows are excluded. Marks these rows, and returns the settings.
 */
export async function recallLayout(
  ctx: Context,
  client: PoolClient,
  record: ImportRecord,
  reading: Reading,
): Promise<Record<string, string>> {
  const earlier = await earlierImportOf(ctx, record, reading.columns)
  if (!earlier) return record.constants
  if (earlier.account_id === record.account_id) await excludeAgain(ctx, client, record, earlier, reading.mapping)
  const titles = await client.query<{ cells: Cell[] }>(`SELECT cells FROM import_rows WHERE import_id = $1 AND kind = 'title'`, [record.id])
  const texts = titles.rows.map(({ cells }) => cells)
  const announced = announcedFactor(reading.columns, texts)
  const recalled = earlier.account_id === record.account_id ? RECALLED : RECALLED.filter((name) => !OF_ACCOUNT.has(name))
  const { factor, ...settings } = Object.fromEntries(
    recalled.flatMap((name) => (earlier.constants[name] === undefined ? [] : [[name, earlier.constants[name]]])),
  )
  const asked = await textsAskedByColumn(ctx.db, record)
  const isSameUnit =
    asked.length === 0 &&
    announced === announcedFactor(earlier.columns, earlier.titles) &&
    (announced > 1
      ? // That amounts are not in thousands, although the file says so, is true of one file only.
        factor !== '1' && !looksTooLarge(reading, Number(factor), textsOf(texts))
      : looksTooSmall(reading))
  const ofColumns = asked.length > 0 ? await recalledFactors(ctx, earlier, asked, reading) : {}
  return { ...settings, ...(factor !== undefined && isSameUnit ? { factor } : {}), ...ofColumns, ...record.constants }
}

/** The answers about single columns, if the file says the same about units, unless one would make values those of towers. */
async function recalledFactors(
  ctx: Context,
  earlier: Earlier,
  asked: readonly string[],
  reading: Reading,
): Promise<Record<string, string>> {
  const before = await textsAskedByColumn(ctx.db, await loadImport(ctx.db, earlier.id))
  const answers = Object.entries(earlier.constants).flatMap(([name, value]) => {
    const letter = columnOfFactor(name)
    return letter === undefined ? [] : [{ name, value, letter }]
  })
  const isSame = isDeepStrictEqual(before, asked) && earlier.columns.every(({ column }, at) => reading.columns[at]?.column === column)
  const isPossible = ({ value, letter }: (typeof answers)[number]) =>
    (medianOf(reading, reading.mapping[letter] ?? '') ?? 0) * Number(value) <= RECALLED_VALUE_MAX
  return isSame && answers.every(isPossible) ? Object.fromEntries(answers.map(({ name, value }) => [name, value])) : {}
}

const announcedFactor = (columns: readonly Pick<StoredColumn, 'header'>[], titles: readonly (readonly Cell[])[]): number =>
  Math.max(1, ...columns.map(({ header }) => normalizeHeader(header).factor), ...textsOf(titles).map(factorOf))

/** Units of single columns are in the headers. */
function textsOf(titles: readonly (readonly Cell[])[]): string[] {
  const texts = titles.flat().map(cellText)
  return textsAboutAll(texts, (text) => text, unitNotes(texts))
}

/** With the words “in thousands” the factor of an earlier file is used unless the values would be those of towers: a title may be left over. */
function looksTooLarge(reading: Reading, factor: number, titles: readonly string[]): boolean {
  const isByHeader = columnsWithFactor(reading.columns, titles).length > 0
  const factorAt = (field: string) => {
    const { header = '' } = reading.columns.find(({ column }) => reading.mapping[column] === field) ?? {}
    return isByHeader ? Math.min(factor, normalizeHeader(header).factor) : factor
  }
  const valueOf = (field: string) => (medianOf(reading, field) ?? 0) * factorAt(field)
  const building = valueOf('building_value')
  const max = building > 0 ? Math.min(RECALLED_VALUE_MAX, building * RECALLED_SHARE_MAX) : RECALLED_VALUE_MAX
  return TIV_PARTS.some((field) => valueOf(field) > (field === 'building_value' ? RECALLED_VALUE_MAX : max))
}

/** Without the words “in thousands” the factor of an earlier file is used only if the values need one. */
function looksTooSmall(reading: Reading): boolean {
  const [value, area] = [medianOf(reading, 'building_value'), medianOf(reading, 'floor_area')]
  return value !== undefined && area !== undefined && value / area < VALUE_PER_SQUARE_FOOT_MIN
}

/** The median of the sampled amounts of a field. */
function medianOf({ columns, mapping, samples }: Reading, field: string): number | undefined {
  const index = columns.findIndex(({ column }) => mapping[column] === field)
  const numbers = (samples[index] ?? [])
    .map((cell) => parseNumber(cellText(cell).replace(/[$€]/g, ''), false) ?? 0)
    .filter((number) => number > 0)
  return numbers.sort((a, b) => a - b)[Math.floor(numbers.length / 2)]
}

/**
 * Excludes the rows that are identified by the same texts as rows that the user excluded. Two of the texts must be filled. Rows that a
 * question about the file concerns wait for its answer.
 */
async function excludeAgain(
  ctx: Context,
  client: PoolClient,
  record: ImportRecord,
  earlier: Earlier,
  mapping: Reading['mapping'],
): Promise<void> {
  const indexes = (targets: Readonly<Record<string, string>>, field: string) =>
    Object.keys(targets).flatMap((column) => (targets[column] === field ? [columnOf(column) - 1] : []))[0]
  const pairs = IDENTITY_FIELDS.flatMap((field) => {
    const [before, now] = [indexes(earlier.mapping, field), indexes(mapping, field)]
    return before === undefined || now === undefined ? [] : [[before, now] as const]
  })
  if (pairs.length < 2) return
  const texts = (row: string, columns: readonly number[]) =>
    columns.map((index) => `lower(btrim(coalesce(${fileText(`${row}.cells`, index)}, '')))`)
  const [before, now] = [
    texts(
      'e',
      pairs.map(([index]) => index),
    ),
    texts(
      'r',
      pairs.map(([, index]) => index),
    ),
  ]
  const others = [...(await otherTables(ctx.db, record.id)).flatMap(({ rows }) => rows), ...struckRows(record)]
  await client.query(
    `UPDATE import_rows r SET excluded = true FROM import_rows e
      WHERE e.import_id = $2 AND e.excluded AND e.kind = 'data' AND r.import_id = $1 AND r.kind = 'data' AND NOT r.included
        AND NOT r.hidden AND r.row_number <> ALL($3::integer[])
        AND ARRAY[${now.join(', ')}] = ARRAY[${before.join(', ')}] AND (${now.map((text) => `(${text} <> '')::int`).join(' + ')}) > 1`,
    [record.id, earlier.id, others],
  )
}
