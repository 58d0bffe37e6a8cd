import { sql } from 'kysely'
import type { WriteContext } from '#server/engines/context.ts'
import { addressKeys } from '#server/engines/address/address-keys.ts'
import { CITIES, STREETS } from '../demo/cities.ts'

const split = (list: string): string[] => list.trim().split(/, |\n/)
const ACCOUNT_FIRST = split(`
Alder, Bayside, Birch, Blue Heron, Canyon, Cedar, Copper, Delta, Eastgate, Evergreen, Foundry, Granite, Harbor
Highland, Iron, Juniper, Kestrel, Lakeside, Magnolia, Northfield, Oakmont, Prairie, Quarry, Redwood, Summit, Tidewater
Union, Valley, Westbrook, Willow`)
const ACCOUNT_SECOND = split(`
Apartments, Retail Partners, Hospitality, Logistics, Medical Offices, Manufacturing, Senior Living, Storage
Office Trust, Restaurants, Schools, Resorts, Food Works, Data Centers, Marine Terminals, Theaters, Farms, Development
Properties, Industries`)
const PEOPLE_FIRST = split(`
Avery, Blake, Casey, Dana, Elena, Finn, Grace, Hana, Ivan, Jordan, Kai, Lena, Marcus, Nora, Omar, Priya, Quinn, Rosa
Samuel, Toby, Uma, Victor, Wendy, Yusuf`)
const PEOPLE_LAST = split(`
Adler, Bell, Castellano, Diaz, Ekström, Fischer, Garcia, Hale, Ito, Johnson, Kowalski, Lindqvist, Moreno, Novak
Okafor, Park, Raman, Stone, Tran, Umarov, Vega, Whitfield, Young, Zhang`)
const ACCOUNTS = ACCOUNT_FIRST.flatMap((first) => ACCOUNT_SECOND.map((second) => ({ name: `${first} ${second}` })))
const PEOPLE = PEOPLE_FIRST.flatMap((first) => PEOPLE_LAST.map((last) => ({ first, last })))
const CITY_COLUMNS = sql`city text, county text, state text, postal_code text, latitude float8, longitude float8, key text`

/** Creates temporary tables of names, numbered from 0, for this transaction. Streets and cities have their part of the address key. */
export async function createNameTables(tx: WriteContext): Promise<void> {
  const [place] = CITIES
  const streets = STREETS.map((street) => ({ street, key: addressKeys({ address: `1 ${street}`, ...place }).strong?.split('|')[1] ?? '' }))
  const cities = CITIES.map((city) => ({ ...city, key: addressKeys({ address: '1 Main St', ...city }).weak?.split('|')[2] ?? '' }))
  await createTable(tx, 'scale_streets', streets, sql`street text, key text`)
  await createTable(tx, 'scale_cities', cities, CITY_COLUMNS)
  await createTable(tx, 'scale_names', ACCOUNTS, sql`name text`)
  await createTable(tx, 'scale_people', PEOPLE, sql`first text, last text`)
}

async function createTable(tx: WriteContext, table: string, rows: readonly object[], columns: ReturnType<typeof sql>): Promise<void> {
  const numbered = rows.map((row, n) => ({ n, ...row }))
  await sql`CREATE TEMPORARY TABLE ${sql.table(table)} ON COMMIT DROP AS
    SELECT * FROM jsonb_to_recordset(${JSON.stringify(numbered)}::jsonb) AS r (n int, ${columns})`.execute(tx.db)
}

/** A number from 0 up to, but not including, 1, derived from the number and the salt. */
export const fraction = (number: string, salt: number) =>
  sql`((hashint8extended(${sql.ref(number)}, ${sql.lit(salt)}) & 1048575) / 1048576.0)`
/** A whole number from 0 up to, but not including, the limit. */
export const whole = (number: string, salt: number, limit: number) =>
  sql`(hashint8extended(${sql.ref(number)}, ${sql.lit(salt)}) & 1048575)::int % ${sql.lit(limit)}`

export const NAME_COUNTS = { streets: STREETS.length, cities: CITIES.length, names: ACCOUNTS.length, people: PEOPLE.length } as const
