interface Located {
  location_number: string | null
  building_number: string
  address: string
}

const NATURAL = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

/** Natural order of texts with numbers in them: 2 before 10. */
export const byText = (a: string, b: string): number => NATURAL.compare(a, b)

/** Numbers before other texts, as in SCHEDULE_ORDER. */
const byNumber = (a: string, b: string): number => Number(!/^\d{1,15}$/.test(a)) - Number(!/^\d{1,15}$/.test(b)) || byText(a, b)

/** The order of a schedule: by location and building number, then by address. Properties without a location number are last. */
export const byLocation = (a: Located, b: Located): number =>
  Number(a.location_number === null) - Number(b.location_number === null) ||
  byNumber(a.location_number ?? '', b.location_number ?? '') ||
  byNumber(a.building_number, b.building_number) ||
  byText(a.address, b.address)
