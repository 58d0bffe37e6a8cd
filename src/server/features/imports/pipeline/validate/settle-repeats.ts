import { INSURED_VALUES, MONEY_MAX, PROPERTY_DEFAULTS } from '#contract/property-fields.ts'
import type { RowFields, RowIssue } from './results.ts'

/** What happens to all rows that repeat the location and building number of an earlier row; `errors` leaves them to the user. */
export const REPEAT_DECISIONS = ['buildings', 'first', 'sum', 'errors'] as const
export type RepeatDecision = (typeof REPEAT_DECISIONS)[number]

interface Row {
  number: number
  fields: RowFields
  issues: RowIssue[]
}

export const buildingNumber = ({ building_number }: RowFields): string => building_number ?? PROPERTY_DEFAULTS.building_number

/** The rows of each location and building number. */
export const rowsByNumber = <R extends Pick<Row, 'fields'>>(rows: readonly R[]): R[][] => [
  ...Map.groupBy(
    rows.filter(({ fields }) => fields.location_number),
    ({ fields }) => `${fields.location_number}|${buildingNumber(fields)}`,
  ).values(),
]

/**
 * Applies the decision: changes building numbers or values of the rows.
 * @returns the rows that are left out, with the reason as their only issue
 */
export function settleRepeats<R extends Row>(rows: readonly R[], decision: RepeatDecision, rowLabel: (number: number) => string): Set<R> {
  const left = new Set<R>()
  if (decision === 'errors') return left
  if (decision === 'buildings') {
    numberBuildings(rows)
    return left
  }
  for (const [first, ...others] of rowsByNumber(rows)) {
    if (!first) continue
    for (const row of others) {
      if (decision === 'sum' && !addAmounts(first.fields, row.fields)) continue
      row.issues = [leftOut(row, `${decision === 'sum' ? 'Its values are added to' : 'It repeats'} ${rowLabel(first.number)}`)]
      left.add(row)
    }
  }
  return left
}

/** Each repeated row becomes the next building of its location that has no number yet. */
function numberBuildings(rows: readonly Row[]): void {
  const located = rows.filter(({ fields }) => fields.location_number)
  for (const ofLocation of Map.groupBy(located, ({ fields }) => fields.location_number).values()) {
    const used = new Set(ofLocation.map(({ fields }) => buildingNumber(fields)))
    let next = 2
    for (const { fields } of rowsByNumber(ofLocation).flatMap(([, ...others]) => others)) {
      while (used.has(String(next))) next += 1
      fields.building_number = String(next)
      next += 1
    }
  }
}

/** False if the amounts cannot be added: they are in two currencies, or their sum is too large. */
function addAmounts(sum: RowFields, fields: RowFields): boolean {
  const added = INSURED_VALUES.flatMap((name) => (fields[name] ? [[name, (sum[name] ?? 0) + fields[name]] as const] : []))
  if (sum.currency !== fields.currency || added.some(([, amount]) => amount > MONEY_MAX)) return false
  for (const [name, amount] of added) sum[name] = amount
  for (const name of INSURED_VALUES) delete fields[name]
  return true
}

const leftOut = ({ fields }: Row, reason: string): RowIssue => ({
  column: null,
  field: 'location_number',
  code: 'duplicate_in_file',
  severity: 'warning',
  message: `${reason}, as decided for all repeated locations.`,
  value: fields.location_number ?? null,
})
