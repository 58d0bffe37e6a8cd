import { buffer } from 'node:stream/consumers'
import { CONSTRUCTION_CLASSES, PROPERTY_TYPES } from '#contract/property-vocabularies.ts'
import type { PropertyValues } from '#contract/property-fields.ts'
import type { SheetColumn, SheetValue } from '#server/engines/spreadsheet/write/cell-xml.ts'
import { type SheetData, writeWorkbook } from '#server/engines/spreadsheet/write/write-workbook.ts'
import { dateAgo, type Random } from './demo-context.ts'
import type { DocumentContent } from './documents.ts'

type Register = readonly Partial<PropertyValues>[]

const COLUMNS: readonly (SheetColumn & { value: (row: Partial<PropertyValues>, trend: number) => SheetValue })[] = [
  { header: 'Loc #', width: 9, kind: 'text', value: (row) => row.location_number },
  { header: 'Property Name', width: 32, kind: 'text', value: (row) => row.property_name },
  { header: 'Street Address', width: 32, kind: 'text', value: (row) => row.address },
  { header: 'City', width: 18, kind: 'text', value: (row) => row.city },
  { header: 'State', width: 7, kind: 'text', value: (row) => row.state },
  { header: 'ZIP', width: 8, kind: 'text', value: (row) => row.postal_code },
  {
    header: 'Construction',
    width: 24,
    kind: 'text',
    value: (row) => (row.construction_class ? CONSTRUCTION_CLASSES[row.construction_class] : row.construction_original),
  },
  { header: 'Occupancy', width: 24, kind: 'text', value: (row) => (row.property_type ? PROPERTY_TYPES[row.property_type] : null) },
  { header: 'Year Built', width: 10, kind: 'text', value: (row) => (row.year_built ? String(row.year_built) : null) },
  { header: 'Stories', width: 8, kind: 'number', value: (row) => row.stories },
  { header: 'Square Feet', width: 12, kind: 'number', value: (row) => row.floor_area },
  { header: 'Building Value', width: 16, kind: 'money', total: true, value: (row, trend) => trended(row.building_value, trend) },
  { header: 'Contents', width: 16, kind: 'money', total: true, value: (row, trend) => trended(row.contents_value, trend) },
  { header: 'Business Income', width: 16, kind: 'money', total: true, value: (row, trend) => trended(row.bi_value, trend) },
]

const trended = (value: number | null | undefined, trend: number) =>
  value === null || value === undefined || trend === 1 ? value : Math.round((value * trend) / 100) * 100

/** A statement of values as a workbook; `trend` multiplies the values, for those of another year. */
export function statementOfValues(name: string, register: Register, trend = 1): Promise<DocumentContent> {
  const rows = register.map((row) => COLUMNS.map(({ value }) => value(row, trend)))
  return renderWorkbook({ name, columns: COLUMNS, rows, totals: 'Total', frozenHeader: true, autoFilter: true })
}

const CAUSES = ['Water damage', 'Wind and hail', 'Fire', 'Theft', 'Vandalism', 'Vehicle impact', 'Freezing'] as const

/** Five years of losses. */
export function lossRun(random: Random, register: Register, now: Date): Promise<DocumentContent> {
  const rows = Array.from({ length: 36 }, (_, index) => {
    const property = random.pick(register)
    const paid = random.whole(3, 240) * 500
    return [
      `PR-${String(1_040 + index * 7)}`,
      dateAgo(random.whole(30, 1_800), now),
      random.pick(CAUSES),
      `${property.address ?? ''}, ${property.city ?? ''}`,
      paid,
      random.chance(0.2) ? random.whole(1, 40) * 1_000 : 0,
    ]
  })
  const columns = [
    { header: 'Claim #', width: 12, kind: 'text' },
    { header: 'Date of Loss', width: 14, kind: 'date' },
    { header: 'Cause', width: 18, kind: 'text' },
    { header: 'Location', width: 40, kind: 'text' },
    { header: 'Paid', width: 14, kind: 'money', total: true },
    { header: 'Reserved', width: 14, kind: 'money', total: true },
  ] as const
  return renderWorkbook({ name: 'Losses', columns, rows, totals: 'Total' })
}

const renderWorkbook = async (sheet: SheetData): Promise<DocumentContent> => ({
  contentType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  bytes: await buffer(writeWorkbook({ sheets: [sheet] })),
})
