import { describe, expect, test } from 'vitest'
import { addressKeys } from '#server/engines/address/address-keys.ts'
import type { RowFields } from '#server/features/imports/pipeline/validate/results.ts'
import { matchRows } from './match-rows.ts'
import { indexRegister, type RegisterRow } from './register-index.ts'

const PLACES: RowFields[] = [
  { address: '1201 N Peoria Ave', city: 'Tulsa', state: 'OK', postal_code: '74103' },
  { address: '44 W Douglas Ave', city: 'Wichita', state: 'KS', postal_code: '67202' },
  { address: '5502 Center St', city: 'Omaha', state: 'NE', postal_code: '68102' },
  { address: '7 Harbor Rd', city: 'Tulsa', state: 'OK', postal_code: '74103' },
]
const CAMPUS: RowFields = { address: '100 College Dr', city: 'Tulsa', state: 'OK', postal_code: '74103' }
const STORES = ['Dollar General #10233', 'Dollar General #11876', 'Dollar General #9034', 'Dollar General #20018']
const BUILDINGS = ['Riverside Plaza', 'Oak Hill Center', 'Foundry Lofts', 'Union Depot']

/** Locations with these names at these places, numbered from `first`. */
const numbered = (names: readonly string[], places: readonly RowFields[], first = 1): RowFields[] =>
  names.map((property_name, at) => ({ ...places[at % places.length], property_name, location_number: String(first + at) }))

/** What each row is matched to: the id of a property is the number that it has in the register. */
async function match(register: readonly RowFields[], rows: readonly RowFields[], over: Partial<RegisterRow> = {}): Promise<string[]> {
  const properties = register.map((values): RegisterRow => {
    const { strong: addressKey, weak: weakAddressKey } = addressKeys(values)
    const id = values.location_number ?? ''
    return {
      id,
      status: 'active',
      trashed: false,
      addressKey,
      weakAddressKey,
      values: { building_number: '1', ...values },
      custom: {},
      ...over,
    }
  })
  const incoming = rows.map((fields, number) => ({ number, fields, keys: addressKeys(fields) }))
  const matches = await matchRows(incoming, indexRegister(properties))
  return rows.map((_, number) => {
    const found = matches.get(number)
    if (!found || found.kind === 'new') return 'new'
    if (found.kind === 'matched') return found.property.id
    const candidates =
      found.kind === 'ambiguous' ? found.candidates : found.kind === 'conflict' ? [...found.others, found.property] : [found.property]
    return `${found.kind} ${candidates.map(({ id }) => id).join(' ')}`
  })
}

describe('rows with other numbers than in the register are matched by address and name', () => {
  const added: RowFields = { address: '77 First St', city: 'Tulsa', state: 'OK', postal_code: '74103', location_number: '1' }
  test('in a chain of stores, when a new store comes first', async () =>
    expect(await match(numbered(STORES, PLACES), [{ ...added, property_name: 'Dollar New' }, ...numbered(STORES, PLACES, 2)])).toEqual([
      'new',
      '1',
      '2',
      '3',
      '4',
    ]))
  test('in a schedule of different buildings, when a new one comes first', async () =>
    expect(
      await match(numbered(BUILDINGS, PLACES), [{ ...added, property_name: 'Riverside New' }, ...numbered(BUILDINGS, PLACES, 2)]),
    ).toEqual(['new', '1', '2', '3', '4']))
  test('when the first location is gone', async () =>
    expect(await match(numbered(STORES, PLACES), numbered(STORES.slice(1), PLACES.slice(1)))).toEqual(['2', '3', '4']))
  test('when the schedule is in reverse order', async () =>
    expect(await match(numbered(STORES, PLACES), numbered(STORES.toReversed(), PLACES.toReversed()))).toEqual(['4', '3', '2', '1']))
  test('when all stores have one name', async () =>
    expect(
      await match(numbered(Array(4).fill('Dollar General'), PLACES), [
        { ...added, property_name: 'Dollar General' },
        ...numbered(Array(4).fill('Dollar General'), PLACES, 2),
      ]),
    ).toEqual(['new', '1', '2', '3', '4']))
  test('when all buildings have one address', async () =>
    expect(
      await match(numbered(BUILDINGS, [CAMPUS]), [
        { ...CAMPUS, location_number: '1', property_name: 'Annex' },
        ...numbered(BUILDINGS, [CAMPUS], 2),
      ]),
    ).toEqual(['new', '1', '2', '3', '4']))
  test('when all buildings have one address and similar names', async () => {
    const wings = ['Student Residence East', 'Student Residence West', 'Student Residence North']
    const rows = [{ ...CAMPUS, location_number: '1', property_name: 'Student Residence South' }, ...numbered(wings, [CAMPUS], 2)]
    expect(await match(numbered(wings, [CAMPUS]), rows)).toEqual(['new', '1', '2', '3'])
  })
  describe('and by floor area, year and stories when all buildings have one name and address', () => {
    const figures = [10_000, 12_000, 9_000].map((floor_area, at) => ({ floor_area, year_built: 1990 + at, stories: 2 }))
    const campus = (first: number, over: RowFields = {}) =>
      numbered(Array(3).fill('College'), [CAMPUS], first).map((fields, at) => ({ ...fields, ...figures[at], ...over }))
    const added = { ...CAMPUS, property_name: 'College', location_number: '1', floor_area: 500, year_built: 2024, stories: 1 }
    test('with a new building first', async () => expect(await match(campus(1), [added, ...campus(2)])).toEqual(['new', '1', '2', '3']))
    test('also without names', async () =>
      expect(await match(campus(1, { property_name: null }), campus(2, { property_name: null }))).toEqual(['1', '2', '3']))
    test('but by number when the figures are corrected or the same', async () => {
      const [first = {}, ...others] = campus(1)
      expect(await match(campus(1), [{ ...first, floor_area: 9_000, year_built: 1992 }, ...others])).toEqual(['1', '2', '3'])
      const same = figures[0] ?? {}
      expect(await match(campus(1, same), campus(1, same))).toEqual(['1', '2', '3'])
    })
  })
  describe('and the buildings of a campus, too, when one of them is gone', () => {
    const building = (number: number, over: RowFields): RowFields => ({ ...CAMPUS, building_number: String(number), ...over })
    const matched = async (values: readonly RowFields[]) => {
      const register = values.map((over, at) => ({ ...building(at + 1, over), location_number: `L${at + 1}` }))
      const [first = {}, , ...others] = values
      return match(
        register,
        [first, ...others].map((over, at) => ({ ...building(at + 1, over), location_number: 'L9' })),
      )
    }
    test('by name', async () =>
      expect(await matched(['A', 'B', 'C', 'D'].map((letter) => ({ property_name: `Building ${letter}` })))).toEqual(['L1', 'L3', 'L4']))
    test('by floor area, year and stories', async () =>
      expect(await matched([5, 6, 7, 8].map((area) => ({ floor_area: area * 1_000, year_built: 1980 + area })))).toEqual([
        'L1',
        'L3',
        'L4',
      ]))
    test('but by number when several have the same figures', async () =>
      expect(await matched([5, 6, 6, 6].map((area) => ({ floor_area: area * 1_000, year_built: 1980 + area })))).toEqual([
        'L1',
        'L2',
        'L3',
      ]))
  })
  test('when the suites of one building swap their numbers', async () => {
    const suites = ['100 College Dr Ste 100', '100 College Dr Ste 200'].map((address) => ({ ...CAMPUS, address }))
    expect(await match(numbered(['Clinic', 'Clinic'], suites), numbered(['Clinic', 'Clinic'], suites.toReversed()))).toEqual(['2', '1'])
  })
  test('and city, when the address is spelled otherwise', async () => {
    const places = ['1201 Peoria Street', '44 W Duglas Ave', '5502 N Center St', '7 Harbor Road'].map((address, at) => ({
      ...PLACES[at],
      address,
    }))
    expect(await match(numbered(BUILDINGS, PLACES), numbered(BUILDINGS, places, 2))).toEqual(['1', '2', '3', '4'])
  })
  test('when ZIP codes are missing', async () => {
    const withoutZip = PLACES.map((place) => ({ ...place, postal_code: null }))
    expect(await match(numbered(BUILDINGS, PLACES), numbered(BUILDINGS, withoutZip, 2))).toEqual(['1', '2', '3', '4'])
  })
  test('when names are spelled with other punctuation', async () =>
    expect(
      await match(
        numbered(STORES, PLACES),
        numbered(
          STORES.map((name) => name.replace('#', 'No. ').replace('No. ', '- ')),
          PLACES,
          2,
        ),
      ),
    ).toEqual(['1', '2', '3', '4']))
  test('when the names are new, by address alone', async () =>
    expect(await match(numbered(BUILDINGS, PLACES), numbered(['A Hall', 'B Hall', 'C Hall', 'D Hall'], PLACES, 2))).toEqual([
      '1',
      '2',
      '3',
      '4',
    ]))
})

describe('a row with a known number', () => {
  const [first = {}] = numbered(BUILDINGS, PLACES)
  test('at another address needs a decision, with a similar name or the same', async () => {
    const moved = { address: '900 E Kellogg Ave', city: 'Wichita', state: 'KS', postal_code: '67202', location_number: '1' }
    expect(await match(numbered(STORES, PLACES), [{ ...moved, property_name: 'Dollar General #555' }])).toEqual(['conflict 1'])
    expect(await match([first], [{ ...first, ...moved }])).toEqual(['conflict 1'])
  })
  test('with another house number or city needs a decision', async () => {
    expect(await match([first], [{ ...first, address: '1203 N Peoria Ave' }])).toEqual(['conflict 1'])
    expect(await match([first], [{ ...first, city: 'Denver', state: 'CO', postal_code: '80202' }])).toEqual(['conflict 1'])
  })
  test('and a corrected street, city or ZIP is matched', async () => {
    expect(await match([first], [{ ...first, address: '1201 Peoria Street', postal_code: '74104' }])).toEqual(['1'])
    expect(await match([first], [{ ...first, city: 'Tulsa City' }])).toEqual(['1'])
  })
  test('and a typing error in the street is matched, but not another street', async () => {
    const at = async (known: string, now: string) => (await match([{ ...first, address: known }], [{ ...first, address: now }]))[0]
    expect([await at('4 Main St', '4 Maine St'), await at('4 Constitution Ave', '4 Constituton Avenue')]).toEqual(['1', '1'])
    expect(await at('4 US Highway 41 Business', '4 US Highway 19 Business')).toBe('conflict 1')
    expect([await at('4 Main St', '4 Oak St'), await at('4 5th St', '4 6th St'), await at('4 Elm Rd', '4 Elk Rd')]).toEqual([
      'conflict 1',
      'conflict 1',
      'conflict 1',
    ])
  })
  test('without an address is matched by the whole name of a store, not by the name of the chain', async () => {
    const unknown = { address: 'TBD', location_number: '1' }
    expect(await match(numbered(STORES, PLACES), [{ ...unknown, property_name: 'Dollar General 10233' }])).toEqual(['1'])
    expect(await match(numbered(STORES, PLACES), [{ ...unknown, property_name: 'Dollar General #11876' }])).toEqual(['conflict 1'])
  })
  test('is also offered the divested property at its address', async () => {
    const divested = numbered(BUILDINGS, PLACES).slice(0, 1)
    const register = indexRegister(
      [...divested, ...numbered(['Mill'], PLACES.slice(1), 9)].map((values, at): RegisterRow => {
        const { strong: addressKey, weak: weakAddressKey } = addressKeys(values)
        return { id: `${at}`, status: at === 0 ? 'divested' : 'active', trashed: false, addressKey, weakAddressKey, values, custom: {} }
      }),
    )
    const fields = { ...divested[0], location_number: '9' }
    const found = (await matchRows([{ number: 1, fields, keys: addressKeys(fields) }], register)).get(1)
    expect(found).toMatchObject({ kind: 'conflict', property: { id: '1' }, others: [{ id: '0' }] })
  })
})

describe('a row with the name and city of a property that no other row is matched to', () => {
  const [first = {}, second = {}] = numbered(BUILDINGS, PLACES)
  test('and another house number needs a decision', async () => {
    expect(await match([first], [{ ...first, address: '1210 N Peoria Ave', location_number: '9' }])).toEqual(['moved 1'])
    expect(await match([first], [{ ...first, address: '1201 Riverside Dr', location_number: null }])).toEqual(['moved 1'])
  })
  test('and another number is offered that property, too', async () =>
    expect(await match([first, second], [{ ...first, address: '1210 N Peoria Ave', location_number: '2' }])).toEqual(['conflict 1 2']))
  test('in another street or city is new', async () => {
    expect(await match([first], [{ ...first, address: '9 Elm Rd', location_number: '9' }])).toEqual(['new'])
    const elsewhere = { city: 'Omaha', state: 'NE', postal_code: '68102' }
    expect(await match([first], [{ ...first, ...elsewhere, location_number: '9' }])).toEqual(['new'])
  })
  test('is new if its property has a row, or if several have the name', async () => {
    const added = { ...first, address: '1210 N Peoria Ave', location_number: '9' }
    expect(await match([first], [added, first])).toEqual(['new', '1'])
    expect(await match([first, { ...first, address: '3 Elm Rd', location_number: '2' }], [added])).toEqual(['new'])
  })
})

describe('the last property that is left at an address', () => {
  const campus = numbered(BUILDINGS, [CAMPUS])
  const others = campus.slice(1)
  test('needs a decision for a row with another name and number', async () =>
    expect(await match(campus, [...others, { ...CAMPUS, property_name: 'Aquatic Center', location_number: '9' }])).toEqual([
      '2',
      '3',
      '4',
      'renamed 1',
    ]))
  test('is matched to a row with a similar name', async () =>
    expect(await match(campus, [...others, { ...CAMPUS, property_name: 'Riverside Plaza Hotel', location_number: '9' }])).toEqual([
      '2',
      '3',
      '4',
      '1',
    ]))
})
