import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { addressKeys } from '#server/engines/address/address-keys.ts'
import { readWorkbook } from '#server/engines/spreadsheet/read/read-workbook.ts'
import type { StyleChoices } from './cells/column-style.ts'
import type { HeaderTarget } from './headers/header-target.ts'
import { proposeMapping, sheetColumns, type MappingTarget } from './plan/propose-mapping.ts'
import { makePlan, type Mapping } from './rows/read-plan.ts'
import { readRow } from './rows/read-row.ts'
import type { RowFields } from './rows/row-fields.ts'
import { adaptText, cellsOfText } from './sheet/adapt-rows.ts'
import { classifyRows } from './sheet/classify-rows.ts'
import { columnNumber, type SheetRow } from './sheet/sheet-row.ts'
import { surveySheets, type SheetHead } from './sheet/survey-sheets.ts'

const samples = process.env['PLUMBLINE_SAMPLES'] ?? fileURLToPath(new URL('../../../../../shared/data/real', import.meta.url))
export const samplePath = (name: string) => `${samples}/${name}`
export const hasSample = (name: string) => existsSync(samplePath(name))

export const CHOICES: StyleChoices = {
  factor: 1,
  areaUnit: undefined,
  constructionScheme: undefined,
  occupancyScheme: undefined,
  dateOrder: undefined,
  today: '2026-11-21',
}

/** Reads a file the way the import does, in memory. */
export async function loadSheets(path: string): Promise<(SheetHead & { all: SheetRow[] })[]> {
  const sheets: (SheetHead & { all: SheetRow[] })[] = []
  for await (const part of readWorkbook(path)) {
    if (part.part === 'workbook') {
      for (const { index, name, hidden } of part.workbook.sheets)
        sheets.push({ index, name, hidden, rows: 0, head: [], merges: [], all: [] })
    } else if (part.part === 'rows') sheets[part.sheet]?.all.push(...part.rows.map((row) => cellsOfText(adaptText(row))))
    else {
      const sheet = sheets[part.sheet]
      if (sheet) sheet.merges = part.layout.merges
    }
  }
  return sheets.map((sheet) => ({ ...sheet, head: sheet.all.slice(0, 60), rows: sheet.all.length }))
}

interface Overrides {
  mapping?: Record<string, MappingTarget>
  constants?: RowFields
  choices?: Partial<StyleChoices>
}

/** Everything up to the preview: sheet, header, kinds of rows, proposed mapping, what the data rows say. */
export async function readSample(path: string, { mapping: changed = {}, constants = {}, choices = {} }: Overrides = {}) {
  const loaded = await loadSheets(path)
  const { sheets, proposed } = surveySheets(loaded)
  const header = proposed?.header
  if (!proposed || !header) return { sheets, proposed: undefined }
  const rows = loaded[proposed.index]?.all ?? []
  const kinds = classifyRows(rows, header.row, header.labels)
  const data = rows.filter((_, index) => kinds[index] === 'data')
  const proposals = await proposeMapping(
    sheetColumns(
      header.labels,
      data.map(({ cells }) => cells),
    ),
    new Map(),
    { ...CHOICES, ...choices },
  )
  const mapping: Mapping = {
    ...Object.fromEntries(proposals.flatMap(({ column, target }) => (target ? [[column, target]] : []))),
    ...changed,
  }
  const cellsOf = (index: number) => data.map(({ cells }) => cells[index] ?? null)
  const plan = makePlan(mapping, (column) => header.labels[columnNumber(column) - 1] ?? '', cellsOf, constants, { ...CHOICES, ...choices })
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
