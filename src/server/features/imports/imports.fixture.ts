import { addressKeys } from '#server/engines/address/address-keys.ts'
import { readWorkbook } from '#server/engines/spreadsheet/read/read-workbook.ts'
import { columnOf } from '#server/engines/spreadsheet/sheet.ts'
import { columnStyle } from '#server/features/imports/pipeline/map/column-style.ts'
import type { FileSettings } from '#server/features/imports/pipeline/map/file-settings.ts'
import { proposeMapping, sheetColumns, type Mapping, type MappingTarget } from '#server/features/imports/pipeline/map/propose-mapping.ts'
import { createReadPlan } from '#server/features/imports/pipeline/map/read-plan.ts'
import { parseRowText, toRowText, type Cell, type SheetRow } from '#server/features/imports/pipeline/read/cells.ts'
import { classifyRows } from '#server/features/imports/pipeline/read/classify-rows.ts'
import type { HeaderTarget } from '#server/features/imports/pipeline/read/header-synonyms.ts'
import type { NormalizedHeader } from '#server/features/imports/pipeline/read/headers.ts'
import { EMPTY_LAYOUT, sheetFacts, type SheetHead } from '#server/features/imports/pipeline/read/sheet-head.ts'
import { surveySheets } from '#server/features/imports/pipeline/read/survey-sheets.ts'
import { readRow } from '#server/features/imports/pipeline/validate/read-row.ts'
import type { RegisterRow } from '#server/features/imports/pipeline/match/register-index.ts'
import type { RowFields } from '#server/features/imports/pipeline/validate/results.ts'
import type { ValidatedRow } from '#server/features/imports/pipeline/validate/validate-rows.ts'

export const SETTINGS: FileSettings = {
  factor: 1,
  columnFactors: new Map(),
  areaUnit: undefined,
  constructionScheme: undefined,
  occupancyScheme: undefined,
  dateOrder: undefined,
  numberDates: undefined,
  dots: undefined,
  incomeSpan: undefined,
  bareAmounts: undefined,
  repeats: undefined,
  marked: undefined,
  blankAddresses: undefined,
  headingStates: undefined,
  headingCities: undefined,
  currency: undefined,
  today: '2026-11-21',
}

/** Reads a whole file into memory. */
export async function loadSheets(path: string): Promise<(SheetHead & { all: SheetRow[] })[]> {
  const sheets: (SheetHead & { all: SheetRow[] })[] = []
  for await (const part of readWorkbook(path)) {
    if (part.part === 'workbook') {
      for (const { index, name, hidden } of part.workbook.sheets) sheets.push({ index, name, hidden, ...EMPTY_LAYOUT, head: [], all: [] })
    } else if (part.part === 'rows') sheets[part.sheet]?.all.push(...part.rows.map((row) => parseRowText(toRowText(row))))
    else {
      const sheet = sheets[part.sheet]
      if (sheet) Object.assign(sheet, sheetFacts(part.layout))
    }
  }
  return sheets.map((sheet) => ({ ...sheet, head: sheet.all.slice(0, 220), rows: sheet.all.length }))
}

interface Overrides {
  mapping?: Record<string, MappingTarget>
  constants?: RowFields
}

/** Everything up to the preview: sheet, header, kinds of rows, proposed mapping, validated rows. */
export const readSample = async (path: string, overrides: Overrides = {}) => readSheets(await loadSheets(path), overrides)

/** The same of a schedule that is written in a test: its header and its rows. */
export function readTable(cells: readonly (readonly Cell[])[], overrides: Overrides = {}) {
  const all = cells.map((row, index): SheetRow => ({ number: index + 1, hidden: false, cells: row }))
  return readSheets([{ index: 0, name: 'SOV', hidden: false, ...EMPTY_LAYOUT, rows: all.length, head: all, all }], overrides)
}

async function readSheets(loaded: Awaited<ReturnType<typeof loadSheets>>, { mapping: changed = {}, constants = {} }: Overrides) {
  const { sheets, proposed } = surveySheets(loaded)
  const header = proposed?.header
  if (!proposed || !header) return { sheets, proposed: undefined }
  const rows = loaded[proposed.index]?.all ?? []
  const kinds = classifyRows(rows, header.row, header.labels)
  const data = rows.filter((_, index) => kinds[index] === 'data')
  const columns = sheetColumns(
    header.labels,
    data.map(({ cells }) => cells),
  )
  const proposals = await proposeMapping(columns, new Map(), SETTINGS)
  const mapping: Mapping = {
    ...Object.fromEntries(proposals.flatMap(({ column, target }) => (target ? [[column, target]] : []))),
    ...changed,
  }
  const styleOf = (index: number, label: NormalizedHeader) => columnStyle(label, columns[index]?.cells ?? [], SETTINGS)
  const plan = createReadPlan(mapping, (column) => header.labels[columnOf(column) - 1] ?? '', styleOf, constants)
  const read = data.map((row) => {
    const result = readRow(row.cells, plan)
    return { number: row.number, ...result, keys: addressKeys(result.fields) }
  })
  return { sheets, proposed, header, rows, kinds, data, proposals, mapping, read }
}

export const sumOf = (rows: readonly { fields: RowFields }[], field: 'building_value' | 'contents_value' | 'bi_value' | 'stated_tiv') =>
  rows.reduce((sum, { fields }) => sum + (fields[field] ?? 0), 0)

export const targetOf = (proposals: readonly { header: string; target: HeaderTarget | 'custom' | null }[], header: string) =>
  proposals.find((proposal) => proposal.header === header)?.target

/** An active property without an address. */
export const registerRow = (id: string, values: RowFields, over: Partial<RegisterRow> = {}): RegisterRow => ({
  id,
  status: 'active',
  trashed: false,
  addressKey: null,
  weakAddressKey: null,
  values,
  custom: {},
  ...over,
})

/** A row without issues. */
export const validatedRow = (number: number, fields: RowFields, over: Partial<ValidatedRow> = {}): ValidatedRow => ({
  number,
  fields,
  keys: addressKeys(fields),
  matchedByHand: false,
  propertyId: null,
  custom: {},
  empty: [],
  origin: {},
  assumed: [],
  issues: [],
  ...over,
})
