import type { PoolClient } from 'pg'
import { addressKeys, type AddressKeys } from '#server/engines/address/address-keys.ts'
import { observeStyle, type StyleChoices } from '#server/features/imports/cells/column-style.ts'
import { normaliseHeader } from '#server/features/imports/headers/normalise-header.ts'
import type { ImportRecord } from '#server/features/imports/import-record.ts'
import { choicesOf, fieldsOfConstants } from '#server/features/imports/plan/constants.ts'
import { isMappingTarget } from '#server/features/imports/plan/mapping-target.ts'
import { fillsDown, type PlannedColumn, type ReadPlan } from '#server/features/imports/rows/read-plan.ts'
import { readRow } from '#server/features/imports/rows/read-row.ts'
import type { ReadRow } from '#server/features/imports/rows/row-fields.ts'
import { columnNumber, isFilled, type Cell, type Merge } from '#server/features/imports/sheet/sheet-row.ts'
import { takenSheets } from '#server/features/imports/sheet/taken-sheets.ts'
import { DATA_ROWS, stagedBatches, type StagedRow } from '#server/features/imports/staging/staged-rows.ts'

export interface PreviewRow extends ReadRow {
  number: number
  keys: AddressKeys
  matchedByHand: boolean
  propertyId: string | null
}

export interface ReadImport {
  plan: ReadPlan
  rows: PreviewRow[]
  /** The file's own totals rows, read like locations: the last one of each sheet. */
  totals: ReadRow[]
}

/** Reads every data row of an import: first how each column is written, then the cells. */
export async function readImport(
  client: PoolClient,
  record: ImportRecord,
  now: Date,
  yieldToEventLoop: () => Promise<void>,
  onRows: (done: number) => Promise<void>,
): Promise<ReadImport> {
  const plan = await planOf(client, record, now, yieldToEventLoop)
  const fill = fillDown(record, plan)
  const compact = compacting()
  const rows: PreviewRow[] = []
  for await (const batch of stagedBatches(client, record.id, DATA_ROWS)) {
    for (const staged of batch) {
      const read = readRow(fill(staged), plan)
      rows.push({
        ...compact(read),
        number: staged.number,
        keys: addressKeys(read.fields),
        matchedByHand: staged.matchedByHand,
        propertyId: staged.propertyId,
      })
      await yieldToEventLoop()
    }
    await onRows(rows.length)
  }
  return { plan, rows, totals: await totalsRows(client, record.id, plan) }
}

async function planOf(client: PoolClient, record: ImportRecord, now: Date, yieldToEventLoop: () => Promise<void>): Promise<ReadPlan> {
  const asked = choicesOf(record.constants, now)
  const choices: StyleChoices = { ...asked, areaUnit: asked.areaUnit ?? unitColumn(record) }
  const headers = new Map(record.columns.map(({ column, header }) => [column, header]))
  const mapped = Object.entries(record.mapping).flatMap(([column, target]) =>
    isMappingTarget(target) && target !== 'ignore' ? [{ column, target }] : [],
  )
  const observers = mapped.map(({ column }) => ({
    index: columnNumber(column) - 1,
    observer: observeStyle(normaliseHeader(headers.get(column) ?? '')),
  }))
  for await (const batch of stagedBatches(client, record.id, DATA_ROWS)) {
    for (const { cells } of batch) {
      for (const { index, observer } of observers) observer.see(cells[index])
      await yieldToEventLoop()
    }
  }
  const columns = mapped.map(({ column, target }, at): PlannedColumn => ({
    index: columnNumber(column) - 1,
    column,
    header: headers.get(column) ?? '',
    target,
    style: observers[at]?.observer.style(choices) ?? observeStyle(normaliseHeader('')).style(choices),
  }))
  return { columns: columns.sort((a, b) => a.index - b.index), constants: fieldsOfConstants(record.constants, now) }
}

/**
 * Rows as they are kept: a large file stays in memory until it is matched. Most rows have the same cells filled, so they share what says
 * which; and fields put in one by one take several times the room of a copy.
 */
function compacting(): (row: ReadRow) => ReadRow {
  let last: Pick<ReadRow, 'origin' | 'empty' | 'assumed'> | undefined
  let lastKey = ''
  return (row) => {
    const { origin, empty, assumed } = row
    const key = [Object.entries(origin).join(), empty.join(), assumed.join()].join('|')
    if (last === undefined || key !== lastKey) {
      last = { origin, empty, assumed }
      lastKey = key
    }
    return { ...row, ...last, fields: { ...row.fields } }
  }
}

/** Exposure files say the unit of the floor area in a column of its own: 1 or m2, 11 or square feet. */
function unitColumn({ columns }: ImportRecord): 'm2' | undefined {
  const column = columns.find(({ header }) => /^(floor ?)?area ?unit$/i.test(header.trim()))
  return column && column.samples.length > 0 && column.samples.every((text) => /^(1(\.0)?|m2|sqm|sq ?m)$/i.test(text)) ? 'm2' : undefined
}

/** A cell merged over several rows is meant for each of them, in columns of identity and place. */
function fillDown(record: ImportRecord, plan: ReadPlan): (row: StagedRow) => readonly Cell[] {
  const vertical = takenSheets(record).flatMap(({ index: sheet, merges }) =>
    merges.flatMap((merge) => {
      const column = plan.columns.find(({ index }) => index === merge.left - 1)
      return merge.left === merge.right && merge.bottom > merge.top && column && fillsDown(column.target)
        ? [{ sheet, merge, index: column.index }]
        : []
    }),
  )
  if (vertical.length === 0) return ({ cells }) => cells
  const tops = new Map<Merge, Cell>()
  const byColumn = Map.groupBy(vertical, ({ index }) => index)
  return (row) => {
    const cells = [...row.cells]
    for (const [index, ranges] of byColumn) {
      const range = ranges.find(
        ({ sheet, merge }) => sheet === row.sheet && row.sheetRow >= merge.top && row.sheetRow <= merge.bottom,
      )?.merge
      if (!range) continue
      const cell = cells[index] ?? null
      if (isFilled(cell)) tops.set(range, cell)
      else cells[index] = tops.get(range) ?? null
    }
    return cells
  }
}

/** None unless every sheet with locations has its totals row: a part of the sums would contradict the whole. */
async function totalsRows(client: PoolClient, importId: string, plan: ReadPlan): Promise<ReadRow[]> {
  const { rows } = await client.query<{ cells: Cell[] | null }>(
    `SELECT (array_agg(cells ORDER BY row_number DESC) FILTER (WHERE kind = 'total' AND NOT included))[1] AS cells FROM import_rows
      WHERE import_id = $1 AND kind IN ('data', 'total') GROUP BY sheet_index`,
    [importId],
  )
  const totals = rows.flatMap(({ cells }) => (cells === null ? [] : [readRow(cells, plan)]))
  return totals.length === rows.length ? totals : []
}
