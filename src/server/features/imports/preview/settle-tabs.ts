import type { ImportMode } from '#contract/import-inputs.ts'
import type { ImportTab } from '#contract/imports.ts'
import { compare, valueJump, type Changes } from '#server/features/imports/match/compare.ts'
import type { Match } from '#server/features/imports/match/match-rows.ts'
import { numberKey } from '#server/features/imports/match/register-index.ts'
import type { RegisterRow } from '#server/features/imports/match/register-row.ts'
import { hasError, tivOf } from '#server/features/imports/rows/check-row.ts'
import type { RowIssue } from '#server/features/imports/rows/row-fields.ts'
import type { PreviewRow } from './read-rows.ts'

/** What will become of a row. */
export interface SettledRow extends PreviewRow {
  tab: ImportTab
  property: RegisterRow | undefined
  rule: string | null
  candidates: RegisterRow[]
  changes: Changes | undefined
  tiv: number
}

const warn = (code: RowIssue['code'], message: string): RowIssue => ({
  column: null,
  field: null,
  code,
  severity: 'warning',
  message,
  value: null,
})
const refuse = (code: RowIssue['code'], message: string): RowIssue => ({ ...warn(code, message), severity: 'error' })
const nameOf = ({ values }: RegisterRow) => [values.location_number, values.property_name, values.address].filter(Boolean).join(', ')

/** Puts a matched row onto its tab of the preview, in the mode the person chose. */
export function settleRow(row: PreviewRow, match: Match, mode: ImportMode, emptyClears: boolean): SettledRow {
  // The row itself is continued: thousands of copies would double the memory of a large file.
  const settled: SettledRow = Object.assign(row, {
    tab: 'add' as const,
    property: undefined,
    rule: null,
    candidates: [],
    changes: undefined,
    tiv: tivOf(row.fields),
  })
  switch (match.kind) {
    case 'new':
      if (mode === 'update_only') settled.tab = 'excluded'
      break
    case 'matched':
      settleMatched(settled, match.property, row.matchedByHand ? 'by_hand' : match.rule, mode, emptyClears)
      break
    case 'conflict':
      settled.candidates = [match.property]
      settled.issues = [
        ...row.issues,
        warn(
          'conflict_match',
          `The number belongs to ${nameOf(match.property)} in the register, whose address and name differ. Choose that property or make this a new one.`,
        ),
      ]
      break
    case 'ambiguous':
      settled.candidates = match.candidates
      settled.issues = [
        ...row.issues,
        warn('ambiguous_match', `${match.candidates.length} properties of the register may be meant. Choose one or make this a new one.`),
      ]
      break
    case 'inactive':
      settleInactive(settled, match.property)
      break
    default:
      return match satisfies never
  }
  if (settled.candidates.length > 0) settled.tab = 'conflict'
  if (hasError(settled.issues) && settled.tab !== 'excluded') settled.tab = 'errors'
  return settled
}

function settleMatched(settled: SettledRow, property: RegisterRow, rule: string, mode: ImportMode, emptyClears: boolean): void {
  const changes = compare(settled, property, emptyClears)
  const jump = valueJump(changes, settled.origin.building_value ?? null)
  const isChanged = Object.keys(changes).length > 0 || property.status === 'divested'
  Object.assign(settled, {
    property,
    rule,
    changes,
    issues: jump ? [...settled.issues, jump] : settled.issues,
    tab: mode === 'add_only' || !isChanged ? 'unchanged' : 'change',
  })
}

function settleInactive(settled: SettledRow, property: RegisterRow): void {
  if (property.trashed) {
    settled.issues = [
      ...settled.issues,
      warn('conflict_match', `${nameOf(property)} lies in the trash. Restore it instead if it is the same property.`),
    ]
    return
  }
  settled.candidates = [property]
  settled.issues = [
    ...settled.issues,
    warn('conflict_match', `${nameOf(property)} is marked divested. Choose it to bring it back, or make this a new property.`),
  ]
}

/** Each property is changed by one row only, and each number stands once in the register after the commit. */
export function refuseCollisions(rows: readonly SettledRow[], register: readonly RegisterRow[], rowName: (number: number) => string): void {
  const claimed = new Map<string, number>()
  for (const row of rows) {
    if (row.property === undefined || row.tab === 'errors') continue
    const first = claimed.get(row.property.id)
    if (first === undefined) claimed.set(row.property.id, row.number)
    else block(row, `${nameOf(row.property)} belongs to ${rowName(first)} already. Choose another property for one of them.`)
  }
  const taken = new Map<string, string>()
  const changed = new Map(
    rows.filter(({ tab }) => tab === 'change').flatMap((row) => (row.property ? [[row.property.id, row] as const] : [])),
  )
  for (const property of register) {
    if (property.trashed || property.status !== 'active' || changed.has(property.id)) continue
    const { location_number: location, building_number: building } = property.values
    if (location) taken.set(numberKey(location, building), nameOf(property))
  }
  const renumbered = new Map(
    [...changed.values()].flatMap(({ property }) =>
      property && numberOf(property) !== null ? [[numberOf(property), property] as const] : [],
    ),
  )
  for (const row of rows) {
    if (row.tab !== 'add' && row.tab !== 'change') continue
    const location = row.fields.location_number ?? row.property?.values.location_number
    if (!location) continue
    const building = row.fields.building_number ?? row.property?.values.building_number
    const key = numberKey(location, building)
    const former = renumbered.get(key)
    if (former && former.id !== row.property?.id) {
      block(
        row,
        `Location ${location}, building ${building ?? '1'} still belongs to ${nameOf(former)}, which this file changes too. Give it its new number first, in an import of its own.`,
      )
      continue
    }
    const holder = taken.get(key)
    if (holder !== undefined)
      block(row, `Location ${location}, building ${building ?? '1'} is taken by ${holder}. Give this row another number.`)
    else taken.set(key, rowName(row.number))
  }
}

const numberOf = ({ values, status, trashed }: RegisterRow): string | null =>
  values.location_number && status === 'active' && !trashed ? numberKey(values.location_number, values.building_number) : null

function block(row: SettledRow, message: string): void {
  row.issues = [...row.issues, refuse('duplicate_in_file', message)]
  row.tab = 'errors'
}
