import type { PropertyFieldName } from '#contract/property-fields.ts'
import { styleOf, type StyleChoices } from '#server/features/imports/cells/column-style.ts'
import type { ColumnStyle } from '#server/features/imports/cells/reading.ts'
import { isFieldName } from '#server/features/imports/headers/header-target.ts'
import { normaliseHeader } from '#server/features/imports/headers/normalise-header.ts'
import type { MappingTarget } from '#server/features/imports/plan/propose-mapping.ts'
import { columnNumber, type Cell } from '#server/features/imports/sheet/sheet-row.ts'
import type { RowFields } from './row-fields.ts'

export interface PlannedColumn {
  /** From 0. */
  index: number
  column: string
  header: string
  target: Exclude<MappingTarget, 'ignore'>
  style: ColumnStyle
}

/** How every row of a file is read: the mapping, what the columns say about themselves, and the constants. */
export interface ReadPlan {
  columns: PlannedColumn[]
  /** Values for fields that no column feeds. */
  constants: RowFields
}

export type Mapping = Readonly<Record<string, MappingTarget>>

/** Columns of identity and place, down which a vertically merged cell is meant. */
const FILL_DOWN: ReadonlySet<string> = new Set<PropertyFieldName | 'full_address'>([
  ...([
    'location_number',
    'property_name',
    'location_group',
    'legal_entity',
    'division',
    'address',
    'city',
    'county',
    'state',
    'postal_code',
    'country',
  ] as const),
  'full_address',
])
export const fillsDown = (target: string): boolean => FILL_DOWN.has(target)

/**
 * @param cellsOf all cells of a column, by its index from 0: the whole column decides how its cells are read.
 */
export function makePlan(
  mapping: Mapping,
  headerOf: (column: string) => string,
  cellsOf: (index: number) => readonly Cell[],
  constants: RowFields,
  choices: StyleChoices,
): ReadPlan {
  const columns = Object.entries(mapping).flatMap(([column, target]): PlannedColumn[] => {
    if (target === 'ignore') return []
    const index = columnNumber(column) - 1
    const header = headerOf(column)
    return [{ index, column, header, target, style: styleOf(normaliseHeader(header), cellsOf(index), choices) }]
  })
  const fed = new Set<string>(columns.map(({ target }) => target))
  return { columns: columns.sort((a, b) => a.index - b.index), constants: withoutFed(constants, fed) }
}

/** A constant fills cells that say nothing, so it also stands behind a mapped column; only identity never repeats. */
const withoutFed = (constants: RowFields, fed: ReadonlySet<string>): RowFields =>
  Object.fromEntries(Object.entries(constants).filter(([field]) => isFieldName(field) && !(fed.has(field) && NEVER_BEHIND.has(field))))
const NEVER_BEHIND: ReadonlySet<string> = new Set(['location_number', 'building_number', 'external_id', 'property_name', 'address'])
