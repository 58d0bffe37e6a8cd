import { formatNumber } from '#contract/format.ts'
import type { ImportMode } from '#contract/import-inputs.ts'
import {
  PROPERTY_DEFAULTS,
  PROPERTY_FIELD_NAMES,
  choiceLabel,
  propertyField,
  type PropertyFieldName,
  type PropertyValues,
} from '#contract/property-fields.ts'
import { hasSameName } from '#server/features/imports/pipeline/match/compare-identity.ts'
import type { Match } from '#server/features/imports/pipeline/match/match-rows.ts'
import type { RegisterRow } from '#server/features/imports/pipeline/match/register-index.ts'
import { isFieldName } from '#server/features/imports/pipeline/read/header-synonyms.ts'
import { hasError, tivOf, type ReadRow, type RowFields, type RowIssue } from '#server/features/imports/pipeline/validate/results.ts'
import type { ValidatedRow } from '#server/features/imports/pipeline/validate/validate-rows.ts'
import { isDivestedAlready, type Inactive } from './divested-already.ts'
import { acceptKnownPlace, explainNewPlace } from './known-place.ts'
import { addIssue, nameOf, reject, type Changes, type PlannedRow } from './planned-row.ts'

export interface PlanOptions {
  mode: ImportMode
  /** Whether an empty cell clears the value in the register. */
  emptyClears: boolean
  rowLabel: (number: number) => string
}

/**
 * Assigns every row to its tab of the preview. Rows that would change the same property become errors.
 * Continues the row objects, since copies would double the memory of a large file.
 */
export async function planRows(
  rows: readonly ValidatedRow[],
  matches: ReadonlyMap<number, Match>,
  options: PlanOptions,
  pause: () => Promise<void>,
): Promise<PlannedRow[]> {
  const planned: PlannedRow[] = []
  for (const row of rows) {
    planned.push(planRow(row, matches.get(row.number) ?? { kind: 'new' }, options))
    await pause()
  }
  rejectSharedProperties(planned, options.rowLabel)
  return planned
}

function planRow(row: ValidatedRow, match: Match, options: PlanOptions): PlannedRow {
  const tiv = tivOf(row.fields)
  const added = { tab: 'add' as const, property: undefined, rule: null, candidates: [], changes: undefined, tiv }
  const planned: PlannedRow = Object.assign(row, added)
  if (match.kind === 'matched') planChange(planned, match.property, row.matchedByHand ? 'by_hand' : match.rule, options)
  else if (isDivestedAlready(row, match)) planDivested(planned, match, options)
  else if (match.kind !== 'new') planDecision(planned, match)
  else if (options.mode === 'update_only') planned.tab = 'excluded'
  else if (!row.matchedByHand) explainNewPlace(planned)
  acceptKnownPlace(planned, planned.property ? [planned.property] : planned.candidates)
  if (planned.candidates.length > 0) planned.tab = 'conflict'
  if (hasError(planned.issues) && planned.tab !== 'excluded') planned.tab = 'errors'
  return planned
}

/** The plan of a row that repeats the location of another one. */
export const leaveOut = (row: ValidatedRow): PlannedRow =>
  Object.assign(row, {
    tab: 'excluded' as const,
    property: undefined,
    rule: null,
    candidates: [],
    changes: undefined,
    tiv: tivOf(row.fields),
  })

function planChange(row: PlannedRow, property: RegisterRow, rule: string, { mode, emptyClears }: PlanOptions): void {
  const changes = changesTo(property, row, emptyClears)
  const jump = valueJump(changes, row.origin.building_value ?? null)
  if (jump) row.issues.push(jump)
  const isChanged = Object.keys(changes).length > 0 || property.status === 'divested'
  Object.assign(row, { property, rule, changes, tab: mode === 'add_only' || !isChanged ? 'unchanged' : 'change' })
}

/** The row says what the register does, so it changes nothing. */
function planDivested(row: PlannedRow, { property, rule }: Inactive, { emptyClears }: PlanOptions): void {
  const differing = Object.keys(changesTo(property, row, emptyClears)).map((name) => (isFieldName(name) ? propertyField(name).label : name))
  row.issues = row.issues.filter(({ code }) => code !== 'marked_ended')
  Object.assign(row, { property, rule, changes: {}, tab: 'unchanged' })
  if (differing.length > 0)
    addIssue(
      row,
      'divested_already',
      `The property is divested, so what differs from the register is not imported: ${differing.join(', ')}.`,
    )
}

/** A match that a user must decide. A property in the trash is not offered, since it must be restored first. */
function planDecision(row: PlannedRow, match: Exclude<Match, { kind: 'new' | 'matched' }>): void {
  if (match.kind === 'ambiguous') {
    const message = `${match.candidates.length} properties of the register match. Choose one or make this a new one.`
    row.candidates = match.candidates
    return addIssue(row, 'ambiguous_match', message)
  }
  const { kind, property } = match
  const name = nameOf(property)
  if (property.trashed) return addIssue(row, 'trashed_match', `${name} is in the trash. Restore it instead if it is the same property.`)
  row.candidates = [property]
  if (kind === 'inactive') return addIssue(row, 'divested_match', `Marked divested. Bring it back or make this a new property: ${name}.`)
  const choice = 'Choose that property or make this a new one'
  if (kind === 'moved')
    return addIssue(row, 'conflict_match', `${choice}: in this city the register also has ${name}, whose address differs.`)
  if (kind === 'renamed')
    return addIssue(row, 'conflict_match', `${choice}: at this address the register also has ${name}, whose name differs.`)
  const difference = differenceFrom(property.values, row.fields)
  if (match.others.length === 0)
    return addIssue(row, 'conflict_match', `${choice}: the number belongs to ${name} in the register, whose ${difference}.`)
  row.candidates = [...match.others, property]
  const others = match.others.map(nameOf).join('; ')
  const message = `Choose a property or make this a new one: the number belongs to ${name} in the register, whose ${difference}. At its address, or with its name: ${others}.`
  addIssue(row, 'conflict_match', message)
}

function differenceFrom(values: RowFields, fields: RowFields): string {
  if (!fields.address) return 'name differs'
  return hasSameName(fields, values) ? 'address differs' : 'address and name differ'
}

const DEFAULTS: Partial<PropertyValues> = PROPERTY_DEFAULTS
const REQUIRED: ReadonlySet<PropertyFieldName> = new Set<PropertyFieldName>(['address', 'city', 'country', 'currency'])

/** What a row changes in its property. Defaults never replace a value, and empty cells only if the user chose so. */
export function changesTo(property: RegisterRow, row: ReadRow, emptyClears: boolean): Changes {
  const changes: Changes = {}
  for (const name of PROPERTY_FIELD_NAMES) {
    const after = row.fields[name] ?? null
    const before = property.values[name] ?? null
    if (after === null || isSame(before, after) || (row.assumed.includes(name) && before !== null)) continue
    if (!isSaidByCode(name, property, row)) changes[name] = [before, after]
  }
  if (emptyClears) {
    for (const name of row.empty) {
      const before = property.values[name] ?? null
      const after = DEFAULTS[name] ?? null
      if (before !== null && before !== after && !REQUIRED.has(name)) changes[name] = [before, after]
    }
    for (const header of row.emptyCustom ?? []) {
      if (Object.hasOwn(property.custom, header) && !Object.hasOwn(row.custom, header))
        changes[`custom.${header}`] = [property.custom[header] ?? null, null]
    }
  }
  for (const [header, text] of Object.entries(row.custom)) {
    const before = Object.hasOwn(property.custom, header) ? property.custom[header] : null
    if (before !== text) changes[`custom.${header}`] = [before, text]
  }
  return changes
}

/** What is read from the cell of another field in addition. */
const READ_FROM: Partial<Record<PropertyFieldName, PropertyFieldName>> = {
  construction_original: 'construction_class',
  occupancy_original: 'property_type',
  percent_sprinklered: 'sprinklered',
}
const PERCENT_OF: Readonly<Record<string, number>> = { none: 0, full: 100 }

/** Whether a value only repeats the code that the property has, as exports write it: "2 Joisted masonry" is no original text. */
function isSaidByCode(name: PropertyFieldName, property: RegisterRow, { fields, origin }: ReadRow): boolean {
  const source = READ_FROM[name]
  if (source === undefined || origin[name] !== (origin[source] ?? origin[name])) return false
  const code = fields[source] ?? DEFAULTS[source]
  if (typeof code !== 'string' || code !== property.values[source]) return false
  return fields[name] === (name === 'percent_sprinklered' ? PERCENT_OF[code] : choiceLabel(source, code))
}

const SAME_DEGREES = 1e-7
const isSame = (before: unknown, after: unknown): boolean =>
  typeof before === 'number' && typeof after === 'number' ? Math.abs(before - after) <= SAME_DEGREES : before === after

const RISE_SHARE = 0.25
const FALL_SHARE = 0.15

/** The warning for a building value that differs much from the one in the register. */
export function valueJump(changes: Changes, column: string | null): RowIssue | undefined {
  const [before, after] = changes['building_value'] ?? []
  if (typeof before !== 'number' || typeof after !== 'number' || before <= 0) return undefined
  const share = (after - before) / before
  if (share <= RISE_SHARE && share >= -FALL_SHARE) return undefined
  const percent = Math.round(Math.abs(share) * 100)
  return {
    // A reference is that of a cell in another row.
    column: column !== null && /^[A-Z]+$/.test(column) ? column : null,
    field: 'building_value',
    code: 'large_change',
    severity: 'warning',
    message: `The building value ${share > 0 ? 'rises' : 'drops'} by ${percent} % from ${formatNumber(before)} in the register. Confirm it, or correct the cell.`,
    value: String(after),
  }
}

/** Only one row may change a property. */
function rejectSharedProperties(rows: readonly PlannedRow[], rowLabel: (number: number) => string): void {
  const rowOf = new Map<string, number>()
  for (const row of rows) {
    if (row.property === undefined || row.tab === 'errors') continue
    const first = rowOf.get(row.property.id)
    if (first === undefined) rowOf.set(row.property.id, row.number)
    else reject(row, `${nameOf(row.property)} is already matched to ${rowLabel(first)}. Choose another property for one of them.`)
  }
}
