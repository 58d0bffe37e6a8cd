import { useRef } from 'react'
import { columnOfFactor } from '#contract/column-factor.ts'
import type { ImportIssueCode } from '#contract/import-issues.ts'
import type { ImportRow } from '#contract/import-rows.ts'
import type { Import, ImportColumn } from '#contract/imports.ts'
import { isPropertyField } from '#contract/account-properties.ts'
import { isContentsPart, propertyField } from '#contract/property-fields.ts'
import { findRow, type SheetSelection } from './sheet-selection.ts'

type Question = Import['questions'][number]

const hasIssue =
  (...codes: ImportIssueCode[]) =>
  (row: ImportRow) =>
    row.issues.some((issue) => codes.includes(issue.code))

const namesRow = ({ message }: Question, { sheet_row }: ImportRow): boolean => new RegExp(`\\brow ${sheet_row}\\b`).test(message)

/** Which rows a question is about, by its constant. */
const ROWS: Readonly<Record<string, (row: ImportRow, question: Question, data: Import) => boolean>> = {
  marked_rows: hasIssue('marked_ended', 'no_location'),
  blank_addresses: hasIssue('address_above'),
  heading_states: hasIssue('heading_state'),
  heading_cities: hasIssue('heading_city'),
  repeated_locations: hasIssue('duplicate_in_file', 'number_elsewhere'),
  coverage_rows: ({ issues }) => issues.some(({ code, column }) => code === 'included_elsewhere' && column === null),
  section_units: ({ kind }) => kind === 'section',
  hidden_rows: ({ hidden }) => hidden,
  struck_rows: ({ struck }) => struck,
  possible_sums: (row, question) => row.kind === 'data' && namesRow(question, row),
  other_tables: (row, question) => row.kind === 'header' && namesRow(question, row),
  other_sheets: ({ sheet }, _question, { sheets, sheet: first }) => sheet !== sheets.find(({ index }) => index === first)?.name,
  currency: ({ currency, kind }, { suggestion }) => kind === 'data' && currency !== null && currency !== suggestion,
}

const ofKind =
  (...kinds: string[]) =>
  ({ field }: ImportColumn) =>
    field !== null && isPropertyField(field) && kinds.includes(propertyField(field).kind)
const ofField =
  (...fields: string[]) =>
  ({ field }: ImportColumn) =>
    field !== null && fields.includes(field)

/** Which columns a question can be about. */
const COLUMNS: Readonly<Record<string, (column: ImportColumn) => boolean>> = {
  factor: ofKind('money'),
  tiv_column: ofField('stated_tiv'),
  included_parts: ({ field }) => field !== null && isContentsPart(field),
  date_order: ofKind('date'),
  number_dates: ofField('location_number', 'building_number'),
  dots: ofKind('money', 'area'),
  bare_amounts: ofKind('money'),
  area_unit: ofKind('area'),
  unmapped_values: ({ state }) => state === 'unmapped',
  country: ofField('state', 'city_state_zip', 'full_address', 'city'),
  construction_scheme: ofField('construction_class'),
  occupancy_scheme: ofField('property_type'),
}

/** Whether the message of a question names the column. */
const names = (message: string, { letter, header }: ImportColumn): boolean =>
  new RegExp(`\\bcolumn ${letter}\\b`, 'i').test(message) || (header !== '' && message.includes(`“${header}”`))

function columnOf(data: Import, { constant, message }: Question): number {
  const isPossible = COLUMNS[columnOfFactor(constant) === undefined ? constant : 'factor']
  if (isPossible === undefined) return -1
  const named = data.columns.findIndex((column) => isPossible(column) && names(message, column))
  return named === -1 ? data.columns.findIndex(isPossible) : named
}

/** Selects the column that a question is about, or its first row and with each further call the next one; undefined if it has no place. */
export function useShowQuestion(data: Import, onSelect: (selection: SheetSelection) => void) {
  const last = useRef<{ constant: string; row: number } | null>(null)
  return (question: Question): { label: string; show: () => Promise<void> } | undefined => {
    const { constant } = question
    const column = columnOf(data, question)
    if (column !== -1) {
      return { label: 'Show column', show: async () => onSelect({ row: data.header_row ?? 0, column }) }
    }
    const isMeant = ROWS[constant]
    if (isMeant === undefined) return undefined
    const condition = (row: ImportRow) => isMeant(row, question, data)
    const show = async () => {
      const after = last.current?.constant === constant ? last.current.row : -1
      const row = (await findRow(data, after, 1, condition)) ?? (await findRow(data, -1, 1, condition))
      if (row === null) return
      last.current = { constant, row }
      onSelect({ row, column: null })
    }
    return { label: 'Show rows', show }
  }
}
