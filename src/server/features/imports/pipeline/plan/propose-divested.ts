import { addressKeys } from '#server/engines/address/address-keys.ts'
import { columnOf, type Area } from '#server/engines/spreadsheet/sheet.ts'
import { columnStyle } from '#server/features/imports/pipeline/map/column-style.ts'
import { fileSettings } from '#server/features/imports/pipeline/map/file-settings.ts'
import { checkedMapping, proposeMapping, sheetColumns } from '#server/features/imports/pipeline/map/propose-mapping.ts'
import { constantFields, createReadPlan } from '#server/features/imports/pipeline/map/read-plan.ts'
import { isExact } from '#server/features/imports/pipeline/match/exact-match.ts'
import { matchRows, type IncomingRow, type Match } from '#server/features/imports/pipeline/match/match-rows.ts'
import { indexRegister, type RegisterIndex, type RegisterRow } from '#server/features/imports/pipeline/match/register-index.ts'
import { classifyRows, type ScheduleRow } from '#server/features/imports/pipeline/read/classify-rows.ts'
import type { Cell } from '#server/features/imports/pipeline/read/cells.ts'
import { headerLabels } from '#server/features/imports/pipeline/read/find-header.ts'
import { normalizeHeader, scoreHeader, type NormalizedHeader } from '#server/features/imports/pipeline/read/headers.ts'
import { isAfterToday, readDate } from '#server/features/imports/pipeline/validate/read-dates.ts'
import { readRow } from '#server/features/imports/pipeline/validate/read-row.ts'
import { isMarkedEnded, type EndDate } from '#server/features/imports/pipeline/validate/marked-rows.ts'
import type { ColumnStyle, RowIssue } from '#server/features/imports/pipeline/validate/results.ts'
import { nameOf } from './planned-row.ts'

export interface DivestedSource {
  index: number
  headerRow: number
  merges: readonly Area[]
  rows: readonly ScheduleRow[]
}

export interface DivestedRow {
  /** Number of the row in the import. */
  number: number
  property: RegisterRow
  /** YYYY-MM-DD; null when the sheet has no date. */
  divestedOn: string | null
  exact: boolean
}

export interface DivestedSheet {
  index: number
  rows: number
  divested: DivestedRow[]
  /** Rows whose property the schedule lists as well. */
  stillListed: number
  /** Rows whose property is divested already, so that nothing changes. */
  alreadyDivested: number
  /** A date of the sheet that can be read in two ways, if none shows which one is meant. */
  unclearDate?: string | undefined
}

interface ReadOptions {
  constants: Readonly<Record<string, string>>
  now: Date
  pause: () => Promise<void>
}

/**
 * Finds the properties that the divested sheets list. A property that the schedule lists as well is not proposed, since the two
 * sheets contradict each other, and neither is one that is divested already.
 * @param listed ids of the properties that the schedule lists
 */
export async function proposeDivested(
  sources: AsyncIterable<DivestedSource>,
  register: RegisterIndex,
  listed: ReadonlySet<string>,
  options: ReadOptions,
): Promise<DivestedSheet[]> {
  const sheets: DivestedSheet[] = []
  const proposed = new Set<string>()
  const before = divestedBefore(register)
  for await (const source of sources) {
    const { rows: all, unclearDate } = await readDivestedRows(source, options)
    const matches = await matchRows(all, register, options.pause)
    const known = await knownRows(all, matches, before, listed, options.pause)
    const rows = all.filter(({ number }) => !known.has(number))
    const found = rows.flatMap((row): DivestedRow[] => {
      const match = matches.get(row.number)
      return match?.kind === 'matched' && !proposed.has(match.property.id)
        ? [{ number: row.number, divestedOn: row.divestedOn, property: match.property, exact: isExact(row, match) }]
        : []
    })
    const divested = found.filter(({ property }) => !listed.has(property.id))
    for (const { property } of divested) proposed.add(property.id)
    const stillListed = found.length - divested.length
    sheets.push({ index: source.index, rows: all.length, divested, stillListed, alreadyDivested: known.size, unclearDate })
  }
  return sheets
}

/** The divested properties of a register as if they were active, so that rows are matched to them. Rows are never matched to the trash. */
const divestedBefore = ({ byId }: RegisterIndex): RegisterIndex => {
  const properties = [...byId.values()].filter(({ status }) => status === 'divested')
  return indexRegister(properties.map((property) => ({ ...property, status: 'active' as const })))
}

/** The numbers of rows with a property that is divested already. A row that may be one of the schedule must match it exactly. */
async function knownRows(
  rows: readonly IncomingRow[],
  matches: ReadonlyMap<number, Match>,
  before: RegisterIndex,
  listed: ReadonlySet<string>,
  pause: () => Promise<void>,
): Promise<Set<number>> {
  const isProposed = (match: Match | undefined) => match?.kind === 'matched' && !listed.has(match.property.id)
  const others = rows.filter(({ number }) => !isProposed(matches.get(number)))
  const known = await matchRows(others, before, pause)
  const isKnown = (row: IncomingRow) => {
    const match = known.get(row.number)
    return match?.kind === 'matched' && (matches.get(row.number)?.kind === 'inactive' || isExact(row, match))
  }
  return new Set(others.filter(isKnown).map(({ number }) => number))
}

interface MarkedRow extends IncomingRow {
  issues: RowIssue[]
  endDate?: EndDate | undefined
}

/**
 * The same for rows of the schedule that are marked as ended. Properties of other rows and of divested sheets are not proposed again. A row
 * whose property is not proposed says so.
 */
export async function proposeMarked(
  rows: readonly MarkedRow[],
  register: RegisterIndex,
  others: ReadonlySet<string>,
  { constants, now, pause }: ReadOptions,
) {
  const marked = rows.filter(isMarkedEnded)
  const matches = await matchRows(marked, register, pause)
  const dates = marked.flatMap(({ endDate }) => endDate ?? [])
  const texts = dates.map(({ text }) => text)
  const style = columnStyle(normalizeHeader(''), texts, fileSettings(constants, now))
  const byProperty = new Map<string, DivestedRow>()
  for (const row of marked) {
    const match = matches.get(row.number) ?? { kind: 'new' }
    const isTaken = match.kind === 'matched' && (others.has(match.property.id) || byProperty.has(match.property.id))
    const isPlanned = row.endDate !== undefined && isAfterToday(row.endDate.text, style)
    if (match.kind === 'matched' && !isTaken && !isPlanned) {
      const divestedOn = dateIn(row.endDate?.text, style)
      byProperty.set(match.property.id, { number: row.number, property: match.property, divestedOn, exact: isExact(row, match) })
    } else explain(row, isTaken ? 'Its property is in another row, too' : isPlanned ? 'The date is in the future' : reasonAgainst(match))
  }
  const [first] = dates
  const date = style.examples?.date
  const unclearDate = first !== undefined && style.unclearDates && date !== undefined ? { column: first.column, date } : undefined
  return { divested: [...byProperty.values()], unclearDate }
}

/** YYYY-MM-DD; null without a date that can be read. */
function dateIn(cell: Cell | undefined, style: ColumnStyle): string | null {
  const date = cell === undefined || cell === null || typeof cell === 'object' ? null : readDate(cell, style).value
  return typeof date === 'string' ? date : null
}

function reasonAgainst(match: Match): string {
  if (match.kind === 'new') return 'No property of the register matches it'
  const found = match.kind === 'ambiguous' ? match.candidates : [match.property]
  return `Which property it is is not certain (${found.map(nameOf).join('; ')})`
}

function explain({ issues }: { issues: RowIssue[] }, reason: string): void {
  for (const issue of issues) if (issue.code === 'marked_ended') issue.message += ` ${reason}, so none is marked divested.`
}

/** A divested sheet has its own columns, so it is read with its own mapping. */
async function readDivestedRows({ headerRow, merges, rows }: DivestedSource, { constants, now, pause }: ReadOptions) {
  const sheetRows = rows.map(({ sheetRow, hidden, cells }) => ({ number: sheetRow, hidden, cells }))
  const labels = headerLabels(headerRow, sheetRows, merges)
  const kinds = classifyRows(sheetRows, headerRow, labels)
  const locations = rows.filter((_, at) => kinds[at] === 'data')
  const settings = fileSettings(constants, now)
  const cellsOfRows = locations.map(({ cells }) => cells)
  const columns = sheetColumns(labels, cellsOfRows)
  const proposals = await proposeMapping(columns, new Map(), settings, pause)
  const mapping = checkedMapping(Object.fromEntries(proposals.map(({ column, target }) => [column, target])))
  const styleOf = (index: number, header: NormalizedHeader) => columnStyle(header, columns[index]?.cells ?? [], settings)
  const plan = createReadPlan(mapping, (letter) => labels[columnOf(letter) - 1] ?? '', styleOf, constantFields(constants, now))
  const dates = labels.findIndex((label) => scoreHeader(normalizeHeader(label))[0]?.target === 'divested_on')
  const dateStyle = styleOf(dates, normalizeHeader(labels[dates] ?? ''))
  const divestedRows = locations.map(({ number, cells }) => {
    const { fields } = readRow(cells, plan)
    return { number, fields, keys: addressKeys(fields), divestedOn: dateIn(cells[dates], dateStyle) }
  })
  return { rows: divestedRows, unclearDate: dateStyle.unclearDates ? dateStyle.examples?.date : undefined }
}
