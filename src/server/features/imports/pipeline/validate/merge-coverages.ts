import {
  INSURED_VALUES,
  MONEY_MAX,
  PROPERTY_FIELD_NAMES,
  TIV_PARTS,
  isTivPart,
  propertyField,
  type PropertyFieldName,
} from '#contract/property-fields.ts'
import type { AddressKeys } from '#server/engines/address/address-keys.ts'
import { UNKNOWN_COVERAGE_FIELD } from './coverage-rows.ts'
import { checkStatedTotal } from './check-row.ts'
import { setField, tivOf, type ReadRow, type RowIssue } from './results.ts'
import { buildingNumber } from './settle-repeats.ts'

interface Row extends ReadRow {
  number: number
  keys: AddressKeys
}

interface Property<R> {
  first: R
  words: Set<string>
}

interface Names {
  rowLabel: (number: number) => string
  cellReference: (letter: string, number: number) => string
}

/**
 * Joins the rows of one property: those with its number, or without a number its address, until a coverage repeats.
 * @returns the rows whose amount is now a value of an earlier row, with that as their first issue
 */
export function mergeCoverages<R extends Row>(rows: readonly R[], names: Names): Set<R> {
  const merged = new Set<R>()
  const properties = new Map<string, Property<R>[]>()
  const isUnknown = ({ coverage }: R) => coverage?.field === null
  for (const row of rows.filter((other) => !isUnknown(other))) {
    const keys = keysOf(row)
    const known = keys.flatMap((key) => properties.get(key) ?? [])
    const word = row.coverage?.word
    const own = known.findLast(({ first, words }) => isSame(first, row) && (word === undefined ? words.size === 0 : !words.has(word)))
    if (own && joinRow(own.first, row, names)) {
      if (word !== undefined) own.words.add(word)
      merged.add(row)
      continue
    }
    const property = { first: row, words: new Set(word === undefined ? [] : [word]) }
    for (const key of keys) properties.set(key, [...(properties.get(key) ?? []), property])
  }
  for (const property of [...properties.values()].flat()) checkTotal(property.first)
  for (const row of rows.filter(isUnknown)) if (keysOf(row).some((key) => properties.has(key))) withoutIdentity(row)
  return merged
}

/** The number of the property and its address. */
function keysOf({ fields, keys: { strong, weak } }: Row): string[] {
  const building = buildingNumber(fields)
  const place = strong ?? weak
  const number = fields.location_number ? [`number ${fields.location_number}|${building}`] : []
  // A row with a number belongs to the row with the same one; the address is for the rows that follow without a number.
  return [...number, ...(place === null ? [] : [`place ${place}|${building}`])]
}

function isSame(a: Row, b: Row): boolean {
  const differs = (x: unknown, y: unknown) => Boolean(x) && Boolean(y) && x !== y
  const nameOf = ({ fields }: Row) => fields.property_name?.toLowerCase()
  return (
    !differs(a.fields.location_number, b.fields.location_number) &&
    !differs(a.keys.strong, b.keys.strong) &&
    !differs(nameOf(a), nameOf(b)) &&
    a.fields.currency === b.fields.currency
  )
}

/** Adds the values of a row to the first one. False if it has an error or a sum is too large: it then remains a row of its own. */
function joinRow(first: Row, row: Row, { rowLabel, cellReference }: Names): boolean {
  const amounts = TIV_PARTS.flatMap((name) => (row.fields[name] ? [[name, (first.fields[name] ?? 0) + row.fields[name]] as const] : []))
  if (row.issues.some(({ code }) => code === 'mixed_currency') || amounts.some(([, amount]) => amount > MONEY_MAX)) return false
  const { fields, issues } = row
  const origin = { ...first.origin }
  const from = (name: PropertyFieldName) => {
    const letter = row.origin[name]
    if (letter !== undefined) origin[name] ??= cellReference(letter, row.number)
  }
  for (const [name, amount] of amounts) {
    first.fields[name] = amount
    from(name)
  }
  const stated = statedTotal(first, row)
  for (const name of PROPERTY_FIELD_NAMES) {
    if (isTivPart(name) || fields[name] === undefined || first.fields[name] !== undefined) continue
    setField(first.fields, name, fields[name])
    from(name)
  }
  if (stated !== undefined) first.fields.stated_tiv = stated
  first.origin = origin
  first.custom = { ...row.custom, ...first.custom }
  first.empty = first.empty.filter((name) => first.fields[name] === undefined)
  first.issues.push(...issues.filter((issue) => isNew(first, issue)).map((issue) => elsewhere(issue, rowLabel(row.number))))
  for (const name of INSURED_VALUES) delete fields[name]
  row.issues = [includedIn(row, rowLabel(first.number))]
  return true
}

/** A total of the location may be repeated in each row; otherwise each row has its own. */
function statedTotal(first: Row, row: Row): number | undefined {
  const [before, own] = [first.fields.stated_tiv, row.fields.stated_tiv]
  if (!before || !own) return undefined
  return before === own && own !== tivOf(row.fields) ? before : before + own
}

/** Whether an issue says something about the property that its first row does not say, too. */
const isNew = (first: Row, { field, code, severity }: RowIssue): boolean =>
  severity === 'warning' &&
  code !== 'total_differs' &&
  field !== null &&
  first.fields[field] === undefined &&
  !first.issues.some((issue) => issue.field === field && issue.code === code)

const elsewhere = (issue: RowIssue, label: string): RowIssue => ({
  ...issue,
  column: null,
  message: `${label.slice(0, 1).toUpperCase()}${label.slice(1)}: ${issue.message}`,
})

function includedIn({ coverage }: Row, label: string): RowIssue {
  const field = coverage?.field ?? null
  const message = field === null ? `It belongs to ${label}.` : `Its amount is imported with ${label}, as “${propertyField(field).label}”.`
  return { column: null, field, code: 'included_elsewhere', severity: 'warning', message, value: null }
}

/** The totals of single rows were compared before their amounts were joined. */
function checkTotal(row: Row): void {
  row.issues = row.issues.filter(({ code }) => code !== 'total_differs')
  checkStatedTotal(row)
}

/** A row of an unknown coverage must not take the place of the property whose other amounts are known. */
function withoutIdentity(row: Row): void {
  const { country, currency, [UNKNOWN_COVERAGE_FIELD]: amount } = row.fields
  row.fields = Object.fromEntries(
    Object.entries({ country, currency, [UNKNOWN_COVERAGE_FIELD]: amount }).filter(([, value]) => value !== undefined),
  )
  row.keys = { strong: null, weak: null }
}
