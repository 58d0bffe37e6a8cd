import type { ImportMode } from '#contract/import-inputs.ts'
import { PROPERTY_DEFAULTS } from '#contract/property-fields.ts'
import { isActive, numberKey, type RegisterRow } from '#server/features/imports/pipeline/match/register-index.ts'
import type { RowFields } from '#server/features/imports/pipeline/validate/results.ts'
import type { DivestedSheet } from './propose-divested.ts'
import { nameOf, reject, type PlannedRow } from './planned-row.ts'

interface Options {
  mode: ImportMode
  /** The sheets with sold locations. A match that is certain is preselected, so its number is free. */
  divested: readonly DivestedSheet[]
  rowLabel: (number: number) => string
}

interface Claim {
  row: PlannedRow
  key: string
}

/** A property that has a number after the commit. */
interface User {
  name: string
  /** The file does not list the property, or would renumber it if another unlisted property did not have the new number. */
  isUnlisted: boolean
}

/**
 * After the commit each location and building number must be unique among the active properties. A number is free if its property is
 * removed or gets another one from the file, so that a whole schedule can be renumbered. If it is not free, a new property is an error,
 * and one of the register stays at its own number, which then is not free for another row. That is a warning, except if properties that
 * the file does not list are the reason: they are one question about the whole file.
 */
export function settleNumbers(rows: readonly PlannedRow[], register: readonly RegisterRow[], options: Options): void {
  const { rowLabel } = options
  const claims = rows.flatMap(claimsOf)
  const claimsByKey = Map.groupBy(claims, ({ key }) => key)
  const rejected = new Set<Claim>()
  const taken = takenNumbers(claims, rows, register, options)

  for (const next of taken) rejectOthers(next)
  for (const [key, [first, ...repeated]] of claimsByKey) {
    if (first && !rejected.has(first)) for (const claim of repeated) rejectClaim(claim, key, rowLabel(first.row.number))
  }

  function rejectOthers([start, owner]: readonly [key: string, owner: User]) {
    const pending = [[start, owner] as const]
    for (let next = pending.pop(); next; next = pending.pop()) {
      const [key, user] = next
      for (const claim of claimsByKey.get(key) ?? []) {
        const property = rejected.has(claim) ? undefined : rejectNumber(claim, user)
        rejected.add(claim)
        const number = property && activeNumber(property)
        if (property && number) pending.push([number, { ...user, name: nameOf(property) }])
      }
    }
  }
  function rejectClaim(claim: Claim, key: string, user: string) {
    if (rejected.has(claim)) return
    rejected.add(claim)
    reject(claim.row, `${labelOf(claim.row)} is already used by ${user}. Give this row another number.`)
    const { property } = claim.row
    const number = property && activeNumber(property)
    if (number && number !== key) rejectOthers([number, { name: nameOf(property), isUnlisted: false }])
  }
}

const numberOf = ({ fields, property }: Pick<PlannedRow, 'fields' | 'property'>): RowFields => ({
  location_number: fields.location_number ?? property?.values.location_number ?? null,
  building_number: fields.building_number ?? property?.values.building_number ?? PROPERTY_DEFAULTS.building_number,
})

function labelOf(row: PlannedRow): string {
  const { location_number, building_number } = numberOf(row)
  return `Location ${location_number}, building ${building_number}`
}

/** The number that a row gives to its property, if it does not have it. */
function claimsOf(row: PlannedRow): Claim[] {
  if (row.tab !== 'add' && row.tab !== 'change') return []
  const key = numberKey(numberOf(row))
  return key === null || (row.property && activeNumber(row.property) === key) ? [] : [{ row, key }]
}

const activeNumber = (property: RegisterRow): string | null => (isActive(property) ? numberKey(property.values) : null)

/** The numbers that properties have before and after the commit, with these properties. */
function takenNumbers(
  claims: readonly Claim[],
  rows: readonly PlannedRow[],
  register: readonly RegisterRow[],
  { mode, divested }: Options,
): Map<string, User> {
  const renumbered = new Set(claims.map(({ row }) => row.property?.id))
  const listed = new Set(rows.flatMap(({ property, candidates }) => [property, ...candidates].map((one) => one?.id)))
  const sold = new Set(divested.flatMap((sheet) => sheet.divested.filter(({ exact }) => exact).map(({ property }) => property.id)))
  const isRemoved = ({ id }: RegisterRow) => sold.has(id) || (mode === 'full_replacement' && !listed.has(id))
  const taken = new Map<string, User>()
  for (const property of register) {
    const key = activeNumber(property)
    if (key !== null && !renumbered.has(property.id) && !isRemoved(property))
      taken.set(key, { name: nameOf(property), isUnlisted: !listed.has(property.id) })
  }
  return taken
}

/** @returns the property that stays at its own number, if it is one of the register */
function rejectNumber({ row }: Claim, { name, isUnlisted }: User): RegisterRow | undefined {
  const { property, changes, fields, origin } = row
  if (!property || !changes || !isActive(property)) {
    const removal = isUnlisted ? ', or choose the mode “Full replacement”, which marks properties divested that are not in the file' : ''
    reject(row, `${labelOf(row)} is already used by ${name}. Give this row another number${removal}.`)
    return undefined
  }
  delete changes['location_number']
  delete changes['building_number']
  if (Object.keys(changes).length === 0) row.tab = 'unchanged'
  if (isUnlisted) return property
  const own = property.values.location_number
  const stays = own
    ? `This property stays location ${own}, building ${property.values.building_number}`
    : 'This property stays without a number'
  row.issues.push({
    column: origin.location_number ?? null,
    field: 'location_number',
    code: 'number_in_use',
    severity: 'warning',
    message: `${labelOf(row)} is already used by ${name}. ${stays}.`,
    value: fields.location_number ?? null,
  })
  return property
}

type Left = Pick<PlannedRow, 'tab' | 'fields' | 'property' | 'changes' | 'issues'>

/** Whether the property of a row stays at its own number because properties that the file does not list have the new one. */
export function isLeftAtNumber({ tab, fields, property, changes = {}, issues }: Left): boolean {
  if ((tab !== 'change' && tab !== 'unchanged') || !property || !isActive(property)) return false
  if ('location_number' in changes || 'building_number' in changes || issues.some(({ code }) => code === 'number_in_use')) return false
  const key = numberKey(numberOf({ fields, property }))
  return key !== null && key !== numberKey(property.values)
}
