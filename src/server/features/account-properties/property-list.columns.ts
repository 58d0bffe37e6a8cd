import { PROPERTY_FIELD_NAMES, TIV_PARTS, choiceLabel, propertyField, type PropertyFieldName } from '#contract/property-fields.ts'
import { DIVESTED_REASONS, PROPERTY_STATUSES } from '#contract/property-vocabularies.ts'
import { customValue, type CustomValue } from './property-counts.ts'
import type { SheetColumn, SheetValue } from '#server/engines/spreadsheet/write/cell-xml.ts'

/** A stored or counted value of a property, or a custom field by its name. */
export type ListedValue =
  PropertyFieldName | CustomValue | 'tiv' | 'documents' | 'quality_score' | 'discrepancies' | 'status' | 'divested_on' | 'divested_reason'

export interface ListColumn {
  column: SheetColumn
  value: ListedValue
  /** What the list shows of the value as text ('' for none), if it is not that text. */
  present?: (value: string) => SheetValue
}

/**
 * The fields of every list, in the order of a schedule, by the headings that an import of the file finds them with. The other fields of a
 * section follow it if a property has a value in them.
 */
const STANDARD: readonly (readonly [name: PropertyFieldName, header: string])[] = [
  ['location_number', 'Loc #'],
  ['building_number', 'Bldg #'],
  ['property_name', 'Property Name'],
  ['address', 'Address'],
  ['address_2', 'Address 2'],
  ['city', 'City'],
  ['county', 'County'],
  ['state', 'State'],
  ['postal_code', 'ZIP'],
  ['country', 'Country'],
  ['latitude', 'Latitude'],
  ['longitude', 'Longitude'],
  ['property_type', 'Property Type'],
  ['construction_class', 'Construction'],
  ['year_built', 'Year Built'],
  ['stories', 'Stories'],
  ['floor_area', 'Area (sq ft)'],
  ['sprinklered', 'Sprinklered'],
  ['percent_sprinklered', '% Sprinklered'],
  ['roof_year', 'Roof Year'],
  ['flood_zone', 'Flood Zone'],
  ['building_value', 'Building'],
  ['other_value', 'Other'],
  ['contents_value', 'Contents'],
  ['stock_value', 'Stock'],
  ['machinery_value', 'Machinery and equipment'],
  ['edp_value', 'EDP'],
  ['improvements_value', 'Tenant improvements'],
  ['bi_value', 'BI / Rents'],
]
const AFTER_TIV = [
  ['currency', 'Currency'],
  ['valuation_date', 'Valuation Date'],
  ['valuation_basis', 'Valuation Basis'],
] as const satisfies typeof STANDARD

/** Left out where no property has a value: the parts of the contents, which most schedules do not divide. */
const ONLY_IF_USED: ReadonlySet<PropertyFieldName> = new Set(TIV_PARTS.filter((name) => /^(stock|machinery|edp|improvements)_/.test(name)))

const NAMED: ReadonlySet<PropertyFieldName> = new Set([...STANDARD, ...AFTER_TIV].map(([name]) => name))
/** The fields that are in the list only if a property has a value in them: with them, the file has all that an import could change. */
export const OPTIONAL_FIELDS = PROPERTY_FIELD_NAMES.filter(
  (name) => (ONLY_IF_USED.has(name) || !NAMED.has(name)) && propertyField(name).importable,
)

/** Schedules name the property by what the label of the field is. */
const DESCRIPTION = 'Property Description'

const WIDTHS: Partial<Record<PropertyFieldName, number>> = {
  location_number: 10,
  building_number: 8,
  property_name: 28,
  address: 30,
  city: 18,
  state: 8,
  country: 9,
  property_type: 24,
  construction_class: 24,
  floor_area: 13,
  currency: 10,
  valuation_basis: 26,
}
const WIDTH = 14

/** Digits of a number beyond these are binary noise: 33.3 / 100 is 0.33299999999999996. */
const EXACT_DIGITS = 15
const shareOf = (percent: number): number => Number((percent / 100).toPrecision(EXACT_DIGITS))

function fieldColumn(name: PropertyFieldName, header: string): ListColumn {
  const { kind } = propertyField(name)
  const column = { header, width: Math.max(WIDTHS[name] ?? WIDTH, Math.min(header.length + 2, 26)) }
  const of = (shown: SheetColumn['kind'], rest: Partial<SheetColumn> = {}): ListColumn => ({
    column: { ...column, kind: shown, ...rest },
    value: name,
  })
  switch (kind) {
    case 'money':
      return of('money', { total: true, digits: true })
    case 'area':
      return of('count', { total: true, digits: true })
    case 'percent':
      return { ...of('percent'), present: (value) => (value === '' ? null : shareOf(Number(value))) }
    case 'date':
      return of('date')
    case 'choice':
      return { ...of('text'), present: (value) => choiceLabel(name, value) }
    case 'integer':
    case 'number':
    case 'year':
    case 'latitude':
    case 'longitude':
      return of('number', { digits: true })
    case 'country':
    case 'currency':
      return of('text')
    default:
      return of('text', { literal: true })
  }
}

const TIV: ListColumn = {
  // Computed: an import of the file must not take it for what a client states.
  column: { header: 'TIV (calculated)', width: 18, kind: 'money', total: true, digits: true },
  value: 'tiv',
}
/** No totals: these would count a document of several properties, or a possible duplicate, several times. */
const counted = (header: string, value: ListedValue): ListColumn => ({
  column: { header, width: header.length + 3, kind: 'count', digits: true },
  value,
})
const STATUS: ListColumn = {
  column: { header: 'Status', width: 10, kind: 'text' },
  value: 'status',
  present: (status) => (status === 'divested' ? PROPERTY_STATUSES.divested : PROPERTY_STATUSES.active),
}
const reasonOf = (code: string) => Object.entries(DIVESTED_REASONS).find(([known]) => known === code)?.[1] ?? null
const DIVESTED: readonly ListColumn[] = [
  { column: { header: 'Divested On', width: 14, kind: 'date' }, value: 'divested_on' },
  { column: { header: 'Divested Reason', width: 20, kind: 'text' }, value: 'divested_reason', present: reasonOf },
]

interface Shown {
  /** The fields apart from the standard ones in which a property has a value. */
  used: ReadonlySet<PropertyFieldName>
  /** The names of the custom fields. */
  custom: readonly string[]
  /** Whether the viewer sees documents. */
  documents: boolean
  /** Whether the viewer sees discrepancies, and the score with them. */
  findings: boolean
  divested: boolean
}

/** After the column of the status, where an import of the file finds them: their names may be those of other columns. */
const customColumn = (name: string): ListColumn => ({
  column: { header: name, width: Math.max(WIDTH, Math.min(name.length + 2, 26)), kind: 'text', literal: true },
  value: customValue(name),
})

export function listColumns({ used, custom, documents, findings, divested }: Shown): ListColumn[] {
  const standard = STANDARD.filter(([name]) => !ONLY_IF_USED.has(name) || used.has(name))
  const extra = [...used].filter((name) => !ONLY_IF_USED.has(name))
  return [
    ...standard.map(([name, header]) => fieldColumn(name, header)),
    TIV,
    ...AFTER_TIV.map(([name, header]) => fieldColumn(name, header)),
    ...extra.map((name) => fieldColumn(name, name === 'description' ? DESCRIPTION : propertyField(name).label)),
    ...(documents ? [counted('Documents', 'documents')] : []),
    ...(findings && !divested ? [counted('Data Quality', 'quality_score'), counted('Open Discrepancies', 'discrepancies')] : []),
    STATUS,
    ...(divested ? DIVESTED : []),
    ...custom.map(customColumn),
  ]
}
