import { describe, expect, test } from 'vitest'
import { addressKeys } from '#server/engines/address/address-keys.ts'
import { changesTo, valueJump } from '#server/features/imports/pipeline/plan/plan-rows.ts'
import type { ReadRow, RowFields } from '#server/features/imports/pipeline/validate/results.ts'
import { isExact } from './exact-match.ts'
import { matchRows, type IncomingRow, type MatchRule } from './match-rows.ts'
import { indexRegister, type RegisterRow } from './register-index.ts'

const SKY: RowFields = { address: '9210 Sky Park Ct', city: 'San Diego', state: 'CA', postal_code: '92123', property_name: 'Sky Park' }
const ELM: RowFields = { address: '5 Elm Rd', city: 'Fresno', state: 'CA', postal_code: '93721', property_name: 'Elm House' }

const property = (id: string, values: RowFields, over: Partial<RegisterRow> = {}): RegisterRow => {
  const { strong, weak } = addressKeys(values)
  return {
    id,
    status: 'active',
    trashed: false,
    addressKey: strong,
    weakAddressKey: weak,
    values: { building_number: '1', ...values },
    custom: {},
    ...over,
  }
}
const incoming = (fields: RowFields, number: number): IncomingRow => ({ number, fields, keys: addressKeys(fields) })
const match = async (register: RegisterRow[], ...rows: RowFields[]) =>
  [...(await matchRows(rows.map(incoming), indexRegister(register)))]
    .sort(([a], [b]) => a - b)
    .map(([, found]) => {
      if (found.kind === 'ambiguous') return `ambiguous ${found.candidates.map(({ id }) => id).join(' ')}`
      if (found.kind === 'new') return 'new'
      if (found.kind === 'conflict') return `conflict ${[...found.others, found.property].map(({ id }) => id).join(' ')}`
      return found.kind === 'renamed' || found.kind === 'moved'
        ? `${found.kind} ${found.property.id}`
        : `${found.kind} ${found.property.id} ${found.rule}`
    })

describe('a row is matched by the first rule that finds one property:', () => {
  test('client reference', async () =>
    expect(await match([property('a', { external_id: 'X', ...ELM })], { external_id: 'X', ...SKY })).toEqual(['matched a external_id']))
  test('number with an address that agrees', async () =>
    expect(
      await match([property('a', { location_number: '7', ...SKY })], { location_number: '7', ...SKY, address: '9210 SKY PARK COURT' }),
    ).toEqual(['matched a number']))
  test('number with another address and name is a conflict', async () =>
    expect(await match([property('a', { location_number: '7', ...SKY })], { location_number: '7', ...ELM })).toEqual(['conflict a']))
  test('address and building', async () =>
    expect(await match([property('a', SKY), property('b', { ...SKY, building_number: '2' })], SKY)).toEqual(['matched a address_building']))
  test('address and name, when the building number is new', async () =>
    expect(
      await match([property('a', SKY), property('b', { ...SKY, building_number: '2', property_name: 'Other' })], {
        ...SKY,
        building_number: '9',
      }),
    ).toEqual(['matched a address_name']))
  test('coordinates within 50 m and value within 15 %', async () => {
    const here: RowFields = { latitude: 48.25, longitude: -101.3, building_value: 100_000 }
    expect(await match([property('a', { ...here, latitude: 48.2503, building_value: 110_000 })], here)).toEqual(['matched a coordinates'])
    expect(await match([property('a', { ...here, latitude: 48.251 })], here)).toEqual(['new'])
    expect(await match([property('a', { ...here, building_value: 200_000 })], here)).toEqual(['new'])
  })
  test('street and city when the ZIP differs', async () =>
    expect(await match([property('a', SKY)], { ...SKY, postal_code: '92199', property_name: 'X' })).toEqual(['matched a weak_address']))
  test('several candidates are ambiguous', async () =>
    expect(await match([property('a', SKY), property('b', SKY)], { ...SKY, property_name: 'Else' })).toEqual(['ambiguous a b']))
  test('a row without a match is new', async () => expect(await match([property('a', SKY)], ELM)).toEqual(['new']))
})

test('a property with a known number is not matched to another row at the same address', async () =>
  expect(
    await match(
      [property('a', { location_number: '7903', ...SKY })],
      { location_number: '7999', ...SKY },
      { location_number: '7903', ...SKY },
    ),
  ).toEqual(['new', 'matched a number']))
test('divested and deleted properties are matched last', async () => {
  expect(
    await match([property('gone', { location_number: '7', ...SKY }, { status: 'divested' })], { location_number: '7', ...SKY }),
  ).toEqual(['inactive gone number'])
  expect(await match([property('gone', SKY, { trashed: true }), property('here', SKY)], SKY)).toEqual(['matched here address_building'])
})
test('the choice of the user overrides all rules', async () => {
  const register = indexRegister([property('a', SKY), property('b', ELM)])
  const row = { ...incoming(SKY, 1), matchedByHand: true }
  const found = await matchRows([{ ...row, propertyId: 'b' }], register)
  expect(found.get(1)).toMatchObject({ kind: 'matched', property: { id: 'b' } })
  expect((await matchRows([{ ...row, propertyId: null }], register)).get(1)).toEqual({ kind: 'new' })
})

describe('a location number', () => {
  const known = (values: RowFields, over: Partial<RegisterRow> = {}) =>
    property('a', { location_number: '7a', building_number: '1', ...values }, over)
  test('is compared without case and blanks, together with the building', async () => {
    expect(await match([known(SKY)], { location_number: ' 7A ', building_number: ' 1 ', ...SKY })).toEqual(['matched a number'])
    expect(await match([known({})], { location_number: '7A', building_number: '2' })).toEqual(['new'])
    expect(
      await match([property('a', { location_number: '7', building_number: ' b' })], { location_number: '7', building_number: 'B ' }),
    ).toEqual(['matched a number'])
  })
  test('needs a similar address, or without one a similar name, unless one of the two rows has neither', async () => {
    expect(await match([known({})], { location_number: '7a', ...ELM })).toEqual(['matched a number'])
    expect(await match([known(SKY)], { location_number: '7a', ...ELM, property_name: 'Sky Park' })).toEqual(['conflict a'])
    expect(await match([known(SKY)], { location_number: '7a', address: 'TBD', property_name: 'Sky Park' })).toEqual(['matched a number'])
    expect(await match([known(SKY)], { location_number: '7a', address: '9999 Nowhere Blvd' })).toEqual(['conflict a'])
  })
  test('that two properties have identifies neither', async () =>
    expect(await match([known(SKY), { ...known(SKY), id: 'b' }], { location_number: '7a', ...ELM }, { location_number: '7a' })).toEqual([
      'new',
      'new',
    ]))
  test('of a property that another row is matched to is not used again', async () =>
    expect(await match([known(SKY)], { location_number: '7a', ...SKY }, { location_number: '7a', ...SKY })).toEqual([
      'matched a number',
      'new',
    ]))
})

describe('coordinates', () => {
  const here: RowFields = { latitude: 48.25, longitude: -101.3, building_value: 100_000 }
  const near = async (over: RowFields, incomingOver: RowFields = {}) =>
    (await match([property('a', { ...here, ...over })], { ...here, ...incomingOver }))[0]
  test('match across the border of a cell, up to 50 m and 15 %', async () => {
    expect(await near({ latitude: 48.25044 })).toBe('matched a coordinates')
    expect(await near({ latitude: 48.24956 })).toBe('matched a coordinates')
    expect(await near({ longitude: -101.3006 })).toBe('matched a coordinates')
    expect(await near({ longitude: -101.2994 })).toBe('matched a coordinates')
    expect(await near({ latitude: 48.2505 })).toBe('new')
    expect(await near({ longitude: -101.3008 })).toBe('new')
    expect(await near({ building_value: 85_000 })).toBe('matched a coordinates')
    expect(await near({ building_value: 84_999 })).toBe('new')
  })
  test('match only with both coordinates and values above 0', async () => {
    for (const name of ['latitude', 'longitude', 'building_value'] as const) {
      expect(await near({ [name]: undefined }), name).toBe('new')
      expect(await near({}, { [name]: undefined }), name).toBe('new')
    }
    expect(await near({ building_value: 0 }, { building_value: 0 })).toBe('new')
    for (const name of ['latitude', 'longitude', 'building_value'] as const)
      expect(
        await match([property('a', { latitude: 0, longitude: 0, building_value: 5 })], {
          latitude: 0,
          longitude: 0,
          building_value: 5,
          [name]: null,
        }),
      ).toEqual(['new'])
    const zero: RowFields = { latitude: 0, longitude: 0, building_value: 5 }
    expect(await match([property('a', { building_value: 5 })], zero)).toEqual(['new'])
    expect(await match([property('a', { building_value: 5, latitude: 0 })], zero)).toEqual(['new'])
  })
})

describe('an inactive property', () => {
  const sold = (id: string, values: RowFields) => property(id, values, { status: 'divested' })
  test('is found by number only if address or name agree, and divested before deleted', async () => {
    expect(await match([sold('gone', { location_number: '7', ...SKY })], { location_number: '7', ...ELM })).toEqual(['new'])
    const deleted = property('deleted', SKY, { trashed: true })
    expect(await match([deleted, sold('gone', SKY)], SKY)).toEqual(['inactive gone address_building'])
    expect(await match([deleted], SKY)).toEqual(['inactive deleted address_building'])
    const both = property('both', SKY, { trashed: true, status: 'divested' })
    expect(await match([both, sold('gone', SKY)], SKY)).toEqual(['inactive gone address_building'])
  })
  test('is used once', async () =>
    expect(await match([sold('gone', { location_number: '7', ...SKY })], { location_number: '7', ...SKY }, SKY)).toEqual([
      'inactive gone number',
      'new',
    ]))
  test('is not found by a client reference', async () =>
    expect(await match([sold('gone', { external_id: 'X', ...SKY })], { external_id: 'X', ...ELM })).toEqual(['new']))
})

describe('an exact match', () => {
  const exact = (rule: MatchRule, row: RowFields, values: RowFields) => isExact(incoming(row, 1), { rule, property: property('a', values) })
  test('is by client reference, or by address', () => {
    expect(exact('external_id', ELM, SKY)).toBe(true)
    expect([exact('address_building', SKY, SKY), exact('address_building', ELM, SKY)]).toEqual([true, false])
    expect([exact('number', SKY, SKY), exact('number', ELM, SKY)]).toEqual([true, false])
    expect([exact('weak_address', SKY, SKY), exact('coordinates', SKY, SKY), exact('address_name', SKY, SKY)]).toEqual([
      false,
      false,
      false,
    ])
  })
  test('is by number and name if the row has no address', () => {
    expect(exact('number', { property_name: ' SKY PARK' }, SKY)).toBe(true)
    expect(exact('number', { property_name: 'SKY PARK' }, { ...SKY, property_name: 'Sky Park ' })).toBe(true)
    expect(exact('number', { property_name: 'Else' }, SKY)).toBe(false)
    expect(exact('number', {}, SKY)).toBe(true)
    expect(exact('number', { ...ELM, property_name: 'Sky Park' }, SKY)).toBe(false)
    expect(exact('address_building', {}, {})).toBe(false)
  })
})

test('two properties with one client reference are matched by the other rules', async () =>
  expect(
    await match([property('a', { external_id: 'X', ...ELM }), property('b', { external_id: 'X' })], { external_id: 'X', ...ELM }),
  ).toEqual(['matched a address_building']))
test('a choice of the user for a property that is gone makes the row new', async () => {
  const row = { ...incoming(SKY, 1), matchedByHand: true, propertyId: 'gone' }
  expect((await matchRows([row], indexRegister([property('a', SKY)]))).get(1)).toEqual({ kind: 'new' })
})

describe('changes of a property', () => {
  const row = (fields: RowFields, over: Partial<ReadRow> = {}): ReadRow => ({
    fields,
    custom: {},
    empty: [],
    origin: {},
    assumed: [],
    issues: [],
    ...over,
  })
  const old = property('a', { ...SKY, building_value: 100_000, contents_value: 5, currency: 'CAD' })
  test('a change has the old and the new value', async () =>
    expect(changesTo(old, row({ ...SKY, building_value: 107_000 }), false)).toEqual({ building_value: [100_000, 107_000] }))
  test('an empty cell clears a value only if the user chose so', async () => {
    expect(changesTo(old, row(SKY, { empty: ['contents_value', 'address'] }), false)).toEqual({})
    expect(changesTo(old, row(SKY, { empty: ['contents_value', 'address'] }), true)).toEqual({ contents_value: [5, null] })
  })
  test('a default currency changes nothing', async () =>
    expect(changesTo(old, row({ ...SKY, currency: 'USD' }, { assumed: ['currency'] }), false)).toEqual({}))
  test('a required field is never cleared, and an equal number is no change', () => {
    const empty = row({}, { empty: ['address', 'city', 'country', 'currency', 'state', 'county'] })
    expect(changesTo(old, empty, true)).toEqual({ state: ['CA', null] })
    expect(changesTo(old, row({ building_value: 100_000 + 5e-8 }), false)).toEqual({})
    expect(changesTo({ ...old, custom: { Color: 'red' } }, row({}, { custom: { Color: 'red' } }), false)).toEqual({})
    expect(changesTo(property('b', {}), row({ currency: 'USD' }, { assumed: ['currency'] }), false)).toEqual({ currency: [null, 'USD'] })
  })
  test('custom fields are compared', async () =>
    expect(changesTo(old, row(SKY, { custom: { Color: 'blue' } }), false)).toEqual({ 'custom.Color': [null, 'blue'] }))
  test('a large change of the building value is a warning', async () => {
    const message = (after: number) => valueJump({ building_value: [100_000, after] }, 'O')?.message
    expect([message(160_000), message(75_000), message(107_000)]).toEqual([
      expect.stringContaining('rises by 60 %'),
      expect.stringContaining('drops by 25 %'),
      undefined,
    ])
  })
})
