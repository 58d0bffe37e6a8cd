import type { ImportPatch } from '#contract/import-inputs.ts'
import { IMPORT_MAX_ROWS } from '#contract/limits.ts'
import { invalid } from '#server/kernel/errors.ts'
import type { ImportRecord, StoredSheet } from './import-record.ts'
import { soldSheets } from './sheet/sold-sheets.ts'
import { placesIn, takenSheets } from './sheet/taken-sheets.ts'

type Choice = Pick<ImportRecord, 'sheets' | 'sheet_index' | 'header_row'>

/** The sheets after a person's choice, one alone or several with the same columns together; undefined when they stay as they are. */
export function chosenSheets(record: ImportRecord, { sheet, sheets, header_row }: ImportPatch): Choice | undefined {
  if (sheet === undefined && sheets === undefined) return undefined
  const field = sheets === undefined ? 'sheet' : 'sheets'
  const wanted = new Set(sheets ?? [sheet])
  const taken = record.sheets.filter(({ index }) => wanted.has(index))
  const [first] = taken
  if (first === undefined || taken.length < wanted.size) throw invalid({ [field]: ['The file has no such sheet.'] })
  assertJoinable(first, taken)
  const before = takenSheets(record)
  if (before.length === taken.length && before.every(({ index }) => wanted.has(index))) return undefined
  return {
    sheets: record.sheets.map((known) => ({ ...known, taken: wanted.has(known.index) })),
    sheet_index: first.index,
    header_row: header_row ?? (first.index === record.sheet_index ? record.header_row : null),
  }
}

function assertJoinable(first: StoredSheet, taken: readonly StoredSheet[]): void {
  if (taken.length === 1) return
  const other = taken.find(({ layout }) => layout === '' || layout !== first.layout)
  if (other)
    throw invalid({ sheets: [`“${other.name}” does not have the columns of “${first.name}”. Import the two one after the other.`] })
  const rows = taken.reduce((sum, sheet) => sum + sheet.rows, 0)
  if (rows > IMPORT_MAX_ROWS)
    throw invalid({
      sheets: [
        `These sheets hold ${rows.toLocaleString('en-US')} rows together, more than the ${IMPORT_MAX_ROWS.toLocaleString('en-US')} of one import. Import them one after the other.`,
      ],
    })
}

/** The header row a person pointed at belongs to the sheet it stands in. */
export function chosenHeader(record: ImportRecord, headerRow: number): Pick<Choice, 'sheets' | 'header_row'> {
  const { sheet, row } = placesIn(record)(headerRow)
  const isFirst = sheet === undefined || sheet.index === takenSheets(record)[0]?.index
  return isFirst
    ? { sheets: record.sheets, header_row: headerRow }
    : {
        sheets: record.sheets.map((known) => (known.index === sheet.index ? { ...known, headerRow: row } : known)),
        header_row: record.header_row,
      }
}

export function assertSold(record: ImportRecord, wanted: readonly number[]): void {
  const offered = soldSheets(record)
  if (wanted.some((index) => !offered.some((sheet) => sheet.index === index)))
    throw invalid({ sold_sheets: ['This sheet does not list what was sold.'] })
}
