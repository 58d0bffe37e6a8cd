import { compareNatural } from '#server/engines/datatable/natural-order.ts'

interface Located {
  id: string
  location_number: string | null
  building_number: string
  address: string
}

const NATURAL = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

/** The order of names: 2 before 10. */
export const byText = (a: string, b: string): number => NATURAL.compare(a, b)

/** The same order as SCHEDULE_ORDER. */
export const byLocation = (a: Located, b: Located): number =>
  compareNatural(a.location_number, b.location_number) ||
  compareNatural(a.building_number, b.building_number) ||
  (a.location_number === null ? compareNatural(a.address, b.address) : 0) ||
  (a.id < b.id ? -1 : 1)
