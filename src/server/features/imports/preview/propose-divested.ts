import type { PoolClient } from 'pg'
import { addressKeys } from '#server/engines/address/address-keys.ts'
import { styleOf } from '#server/features/imports/cells/column-style.ts'
import { readDate } from '#server/features/imports/cells/date.ts'
import { normaliseHeader } from '#server/features/imports/headers/normalise-header.ts'
import { scoreHeader } from '#server/features/imports/headers/score-header.ts'
import type { ImportRecord, StoredSheet } from '#server/features/imports/import-record.ts'
import { isExact, matchRows, type IncomingRow } from '#server/features/imports/match/match-rows.ts'
import type { RegisterIndex } from '#server/features/imports/match/register-index.ts'
import type { RegisterRow } from '#server/features/imports/match/register-row.ts'
import { choicesOf, fieldsOfConstants } from '#server/features/imports/plan/constants.ts'
import { proposeMapping, sheetColumns } from '#server/features/imports/plan/propose-mapping.ts'
import { makePlan, type Mapping } from '#server/features/imports/rows/read-plan.ts'
import { readRow } from '#server/features/imports/rows/read-row.ts'
import { classifyRows } from '#server/features/imports/sheet/classify-rows.ts'
import { headerLabels } from '#server/features/imports/sheet/find-header.ts'
import { columnNumber, type SheetRow } from '#server/features/imports/sheet/sheet-row.ts'
import { usedSoldSheets } from '#server/features/imports/sheet/sold-sheets.ts'
import { stagedBatches } from '#server/features/imports/staging/staged-rows.ts'

/** A property that a sold sheet says is gone. */
export interface DivestedRow {
  /** Number of the row in the import. */
  number: number
  property: RegisterRow
  /** YYYY-MM-DD; null when the sheet does not say. */
  soldOn: string | null
  exact: boolean
}

export interface SoldSheet {
  index: number
  rows: number
  divested: DivestedRow[]
  /** Rows whose property the schedule lists as well. */
  stillListed: number
}

interface Reading {
  client: PoolClient
  record: ImportRecord
  now: Date
  yieldToEventLoop: () => Promise<void>
}

/** Recognises the rows of the sold sheets in the register. What the schedule still lists stays: the two sheets contradict each other. */
export async function proposeDivested(reading: Reading, register: RegisterIndex, listed: ReadonlySet<string>): Promise<SoldSheet[]> {
  const sheets: SoldSheet[] = []
  const proposed = new Set<string>()
  for (const sheet of usedSoldSheets(reading.record)) {
    const rows = await soldRows(reading, sheet)
    const matches = await matchRows(rows, register, new Map(), reading.yieldToEventLoop)
    const found = rows.flatMap((row) => {
      const match = matches.get(row.number)
      return match?.kind === 'matched' && !proposed.has(match.property.id)
        ? [{ number: row.number, soldOn: row.soldOn, property: match.property, exact: isExact(row, match) }]
        : []
    })
    const divested = found.filter(({ property }) => !listed.has(property.id))
    for (const { property } of divested) proposed.add(property.id)
    sheets.push({ index: sheet.index, rows: rows.length, divested, stillListed: found.length - divested.length })
  }
  return sheets
}

type SoldRow = IncomingRow & { soldOn: string | null }

/** A sold sheet has columns of its own, so it is read by a mapping of its own. */
async function soldRows({ client, record, now, yieldToEventLoop }: Reading, { index, headerRow, merges }: StoredSheet): Promise<SoldRow[]> {
  const all: (SheetRow & { inImport: number })[] = []
  for await (const batch of stagedBatches(client, record.id, `kind = 'sold' AND sheet_index = ${index}`))
    all.push(...batch.map(({ number, sheetRow, hidden, cells }) => ({ inImport: number, number: sheetRow, hidden, cells })))
  const labels = headerLabels(headerRow ?? 0, all, merges)
  const kinds = classifyRows(all, headerRow ?? 0, labels)
  const rows = all.filter((_, at) => kinds[at] === 'data')
  const choices = choicesOf(record.constants, now)
  const columns = sheetColumns(
    labels,
    rows.map(({ cells }) => cells),
  )
  const proposals = await proposeMapping(columns, new Map(), choices, yieldToEventLoop)
  const mapping: Mapping = Object.fromEntries(proposals.flatMap(({ column, target }) => (target === null ? [] : [[column, target]])))
  const cellsOf = (at: number) => rows.map(({ cells }) => cells[at] ?? null)
  const headerOf = (letter: string) => labels[columnNumber(letter) - 1] ?? ''
  const plan = makePlan(mapping, headerOf, cellsOf, fieldsOfConstants(record.constants, now), choices)
  const dates = labels.findIndex((label) => scoreHeader(normaliseHeader(label))[0]?.target === 'divested_on')
  const style = styleOf(normaliseHeader(labels[dates] ?? ''), cellsOf(dates), choices)
  return rows.map(({ inImport, cells }) => {
    const { fields } = readRow(cells, plan)
    const date = cells[dates] ?? null
    const soldOn = date === null || typeof date === 'object' ? null : readDate(date, style).value
    return { number: inImport, fields, keys: addressKeys(fields), soldOn: typeof soldOn === 'string' ? soldOn : null }
  })
}
