import { z } from 'zod'
import { readTable } from './read-table.ts'

/** A city with a central ZIP code and its position. */
const City = z.object({
  city: z.string(),
  county: z.string(),
  state: z.string(),
  postal_code: z.string(),
  latitude: z.coerce.number(),
  longitude: z.coerce.number(),
})
export type City = z.output<typeof City>

export const CITIES: readonly City[] = readTable('cities.csv', City)

const STREET_LINES = `Main St, Market St, Oak Ave, Maple Ave, Washington Blvd, Lincoln Ave, Franklin St, Cedar Ln, Industrial Pkwy
Commerce Dr, Harbor Blvd, Lakeview Dr, Mill Rd, River Rd, Sunset Blvd, Park Ave, Jefferson St, Madison Ave
Walnut St, Chestnut St, Airport Rd, Depot St, Foundry St, Orchard Ln, Ridge Rd, Valley View Dr, College Ave
Station Rd, Union St, Victory Blvd, Prospect Ave, Canal St, Logistics Way, Technology Dr, Meadow Ln, Hillcrest Ave`

export const STREETS: readonly string[] = STREET_LINES.split(/, |\n/)
