import { countryFromText } from '#contract/countries.ts'
import { columnOfFactor } from '#contract/column-factor.ts'
import { PROPERTY_DEFAULTS, propertyField, type PropertyFieldName } from '#contract/property-fields.ts'
import { stateFromText } from '#contract/regions.ts'
import { columnLetters, columnOf } from '#server/engines/spreadsheet/sheet.ts'
import { invalid } from '#server/kernel/errors.ts'
import type { Cell } from '#server/features/imports/pipeline/read/cells.ts'
import { IDENTITY_FIELDS, isFieldName } from '#server/features/imports/pipeline/read/header-synonyms.ts'
import { normalizeHeader, type NormalizedHeader } from '#server/features/imports/pipeline/read/headers.ts'
import type { SheetUnits } from '#server/features/imports/pipeline/read/title-units.ts'
import { readCell } from '#server/features/imports/pipeline/validate/read-cell.ts'
import type { CoverageColumn } from '#server/features/imports/pipeline/validate/coverage-rows.ts'
import { markKind, markKindOf, type MarkColumn } from '#server/features/imports/pipeline/validate/marked-rows.ts'
import { mayNameUnits } from '#server/features/imports/pipeline/validate/row-units.ts'
import { setField, type ColumnStyle, type RowFields, type WordCodes } from '#server/features/imports/pipeline/validate/results.ts'
import { columnStyle, observeStyle } from './column-style.ts'
import { SETTINGS, fileSettings, type FileSettings } from './file-settings.ts'
import type { Mapping, MappingTarget } from './propose-mapping.ts'

export interface PlannedColumn {
  /** From 0. */
  index: number
  column: string
  header: string
  target: Exclude<MappingTarget, 'ignore'>
  style: ColumnStyle
}

/** How every row is read: the mapped columns, and the values for fields that a row does not contain. */
export interface ReadPlan {
  columns: PlannedColumn[]
  constants: RowFields
  words?: WordCodes
  /** Columns without a field that may mark rows as sold, closed or not insured. */
  marks?: readonly MarkColumn[]
  /** Columns without a field, from 0, that may say in which unit the amounts of each row are. */
  units?: readonly number[]
  /** The currency that the titles of the sheet name. */
  currency?: string | undefined
  /** What the titles of the sheets say, by index of the sheet. */
  sheets?: ReadonlyMap<number, SheetUnits>
  /** In delimited text: how many cells the header has, and whether the parts of amounts in longer rows are joined. */
  width?: { cells: number; isJoined: boolean } | undefined
  /** The column that names the coverage of each row, unless its rows are read like others. */
  coverage?: CoverageColumn | undefined
}

/**
 * A constant never fills in a field that identifies a property where a column exists for it.
 * @param styleOf how a column is written, by its index from 0: all its cells decide how each of them is read.
 */
export function createReadPlan(
  mapping: Mapping,
  headerOf: (column: string) => string,
  styleOf: (index: number, header: NormalizedHeader) => ColumnStyle,
  constants: RowFields,
): ReadPlan {
  const columns = Object.entries(mapping).flatMap(([column, target]): PlannedColumn[] => {
    if (target === 'ignore') return []
    const index = columnOf(column) - 1
    const header = headerOf(column)
    return [{ index, column, header, target, style: styleOf(index, normalizeHeader(header)) }]
  })
  const marks = Object.entries(mapping).flatMap(([column, target]): MarkColumn[] => {
    const header = headerOf(column)
    const remarked = markKindOf(target)
    if (remarked !== undefined) return [{ index: columnOf(column) - 1, column, header, kind: remarked }]
    // A custom field in a list of the product says what an earlier schedule said.
    const isMark = target === 'ignore' || (target === 'custom' && !columns.some((read) => read.column === column && read.style.isOwn))
    const kind = isMark ? markKind(header) : undefined
    return kind === undefined ? [] : [{ index: columnOf(column) - 1, column, header, kind }]
  })
  const units = Object.entries(mapping).flatMap(([column, target]) =>
    target === 'ignore' && mayNameUnits(headerOf(column)) ? [columnOf(column) - 1] : [],
  )
  const withoutIdentity = { ...constants }
  for (const field of IDENTITY_FIELDS) if (columns.some(({ target }) => target === field)) delete withoutIdentity[field]
  // Accountants who write MM for millions have M for thousands.
  if (columns.some(({ style }) => style.writesMM)) for (const column of columns) column.style = { ...column.style, unclearM: true }
  return { columns: columns.sort((a, b) => a.index - b.index), constants: withoutIdentity, marks, units }
}

/** The read plan of rows that come in batches and are not held in memory. */
export async function observeReadPlan(
  batches: AsyncIterable<readonly { cells: readonly Cell[] }[]>,
  mapping: Mapping,
  headerOf: (column: string) => string,
  constants: RowFields,
  settings: FileSettings,
  pause: () => Promise<void>,
): Promise<ReadPlan> {
  const columns = Object.keys(mapping).filter((column) => mapping[column] !== 'ignore')
  const observers = new Map(columns.map((column) => [columnOf(column) - 1, observeStyle(normalizeHeader(headerOf(column)))]))
  for await (const batch of batches) {
    for (const { cells } of batch) {
      for (const [index, observer] of observers) observer.add(cells[index])
      await pause()
    }
  }
  const styleOf = (index: number, header: NormalizedHeader) => {
    const factor = settings.columnFactors.get(columnLetters(index + 1))
    return (observers.get(index) ?? observeStyle(header)).style(factor === undefined ? settings : { ...settings, factor })
  }
  return createReadPlan(mapping, headerOf, styleOf, constants)
}

type Constants = Readonly<Record<string, string>>

/**
 * The constants that are values of fields, read like cells.
 * @throws AppError invalid, by constant, for an unknown name or a value that cannot be read.
 */
export function constantFields(constants: Constants, now: Date): RowFields {
  const fields: RowFields = {}
  const settings: Readonly<Record<string, readonly string[]>> = SETTINGS
  for (const [name, text] of Object.entries(constants)) {
    if (text === '') continue
    const setting = columnOfFactor(name) === undefined ? name : 'factor'
    const possible = Object.hasOwn(settings, setting) ? settings[setting] : undefined
    if (possible) {
      if (!possible.includes(text)) throw invalid({ [name]: [`“${text}” is not possible here.`] })
      continue
    }
    if (!isFieldName(name) || !propertyField(name).importable) throw invalid({ [name]: ['There is no such field.'] })
    setField(fields, name, readConstant(name, text, constants['country'], now))
  }
  return fields
}

function readConstant(name: PropertyFieldName, text: string, country: string | undefined, now: Date): string | number {
  if (name === 'state') {
    const code =
      stateFromText(text, countryFromText(country ?? PROPERTY_DEFAULTS.country) === 'CA' ? 'CA' : 'US') ?? stateFromText(text, 'CA')
    if (code !== undefined) return code
    throw invalid({ state: [`“${text}” is not a state or province. Type its two-letter code.`] })
  }
  const { value, problem } = readCell(text, name, columnStyle(normalizeHeader(''), [text], fileSettings({}, now)))
  if (value === null)
    throw invalid({ [name]: [problem?.message.replace(', so the field stays empty', '') ?? `“${text}” is not understood.`] })
  return value
}
