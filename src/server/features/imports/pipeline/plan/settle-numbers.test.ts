import { describe, expect, test } from 'vitest'
import type { ImportMode } from '#contract/import-inputs.ts'
import { registerRow, validatedRow } from '#server/features/imports/imports.fixture.ts'
import type { Match } from '#server/features/imports/pipeline/match/match-rows.ts'
import type { RegisterRow } from '#server/features/imports/pipeline/match/register-index.ts'
import type { RowFields } from '#server/features/imports/pipeline/validate/results.ts'
import { planRows } from './plan-rows.ts'
import type { DivestedSheet } from './propose-divested.ts'
import { isLeftAtNumber, settleNumbers } from './settle-numbers.ts'

const NAMES = ['Mill', 'Barn', 'Hall', 'Depot']

/** Properties with the numbers 1, 2, 3 and so on. */
const REGISTER = NAMES.map((property_name, at): RegisterRow => {
  return registerRow(property_name, { location_number: String(at + 1), building_number: '1', property_name, building_value: 100 })
})

type Row = [name: string, number: string, over?: RowFields]

/** What happens to rows that are matched by name, and new if there is no such property. */
async function plan(rows: Row[], mode: ImportMode = 'add_and_update', register = REGISTER, divested: DivestedSheet[] = []) {
  const validated = rows.map(([property_name, location_number, over], number) => {
    return validatedRow(number, { property_name, location_number, ...over })
  })
  const matches = new Map(
    rows.map(([name], number): [number, Match] => {
      const property = register.find(({ id }) => id === name)
      return [number, property ? { kind: 'matched', property, rule: 'number' } : { kind: 'new' }]
    }),
  )
  const options = { mode, emptyClears: false, rowLabel: (number: number) => `row ${number}`, divested }
  const planned = await planRows(validated, matches, options, async () => {})
  settleNumbers(planned, register, options)
  return planned
}
const outcomes = async (...parameters: Parameters<typeof plan>) =>
  (await plan(...parameters)).map(
    ({ tab, changes = {} }) => `${tab} ${JSON.stringify(changes['location_number']?.[1])?.replaceAll('"', '') ?? '-'}`,
  )
const messages = async (...parameters: Parameters<typeof plan>) =>
  (await plan(...parameters)).flatMap(({ issues }) => issues.map(({ severity, code, message }) => `${severity} ${code}: ${message}`))

describe('location numbers that move within the file are free:', () => {
  test('a new property comes first, and all others move up', async () =>
    expect(
      await outcomes([
        ['New', '1'],
        ['Mill', '2'],
        ['Barn', '3'],
        ['Hall', '4'],
        ['Depot', '5'],
      ]),
    ).toEqual(['add -', 'change 2', 'change 3', 'change 4', 'change 5']))
  test('two properties swap their numbers', async () =>
    expect(
      await outcomes([
        ['Mill', '2'],
        ['Barn', '1'],
      ]),
    ).toEqual(['change 2', 'change 1']))
  test('the property of a number is removed by the full replacement', async () =>
    expect(
      await outcomes(
        [
          ['Barn', '1'],
          ['Hall', '2'],
          ['Depot', '3'],
        ],
        'full_replacement',
      ),
    ).toEqual(['change 1', 'change 2', 'change 3']))
  test('the property of a number is certainly listed as sold', async () => {
    const rows: Row[] = [
      ['Barn', '1'],
      ['Hall', '2'],
    ]
    const sold = REGISTER.slice(0, 1).map((property) => ({ number: 9, property, divestedOn: null, exact: true }))
    const outcomesWith = (exact: boolean) =>
      outcomes(rows, 'add_and_update', REGISTER, [
        { index: 1, rows: 1, stillListed: 0, alreadyDivested: 0, divested: sold.map((row) => ({ ...row, exact })) },
      ])
    expect([await outcomesWith(true), await outcomesWith(false)]).toEqual([
      ['change 1', 'change 2'],
      ['unchanged -', 'unchanged -'],
    ])
  })
})

describe('a location number that is not free', () => {
  test('is not moved, nor are the numbers that depend on it, and the other values are', async () => {
    const rows: Row[] = [
      ['Barn', '1', { building_value: 105 }],
      ['Hall', '2'],
      ['Depot', '3'],
    ]
    expect(await outcomes(rows)).toEqual(['change -', 'unchanged -', 'unchanged -'])
    expect([await messages(rows), (await plan(rows)).filter(isLeftAtNumber).length]).toEqual([[], 3])
  })
  test('is a warning if the file lists the property that has it, and that property does not move', async () => {
    const rows: Row[] = [
      ['Mill', '1'],
      ['Barn', '1'],
      ['Hall', '2'],
    ]
    expect(await messages(rows)).toEqual([
      'warning number_in_use: Location 1, building 1 is already used by 1, Mill. This property stays location 2, building 1.',
      'warning number_in_use: Location 2, building 1 is already used by 2, Barn. This property stays location 3, building 1.',
    ])
    expect((await plan(rows)).filter(isLeftAtNumber)).toEqual([])
  })
  test('of a property that the file lists with an error is not moved', async () => {
    const rows: Row[] = [
      ['Mill', '9'],
      ['Mill', '8'],
      ['Barn', '1'],
    ]
    expect(await outcomes(rows)).toEqual(['change 9', 'errors 8', 'change 1'])
  })
  test('is an error for a new property', async () =>
    expect(
      await messages([
        ['New', '2'],
        ['Barn', '1'],
      ]),
    ).toEqual([
      'error duplicate_in_file: Location 2, building 1 is already used by 2, Barn. Give this row another number, or choose the mode “Full replacement”, which marks properties divested that are not in the file.',
    ]))
  test('because an earlier row has it is an error, and the number of the property is not free', async () => {
    expect(
      await outcomes([
        ['Mill', '9'],
        ['Barn', '9'],
        ['Hall', '2'],
      ]),
    ).toEqual(['change 9', 'errors 9', 'unchanged -'])
  })
  test('leaves a property without a number as it is', async () => {
    const bare: RegisterRow = {
      id: 'Shed',
      status: 'active',
      trashed: false,
      addressKey: null,
      weakAddressKey: null,
      values: { property_name: 'Shed' },
      custom: {},
    }
    const rows: Row[] = [
      ['Mill', '1'],
      ['Shed', '1'],
    ]
    expect(await messages(rows, 'add_and_update', [...REGISTER, bare])).toEqual([
      'warning number_in_use: Location 1, building 1 is already used by 1, Mill. This property stays without a number.',
    ])
  })
})

test('the numbers of 20,000 locations can depend on each other', async () => {
  const names = Array.from({ length: 20_000 }, (_, at) => `P${at}`)
  const register = names.map((id, at): RegisterRow => {
    return registerRow(id, { location_number: String(at), building_number: '1', property_name: id })
  })
  const matches = new Map(
    register.slice(1).map((property, number): [number, Match] => [number, { kind: 'matched', property, rule: 'number' }]),
  )
  const rows = names.slice(1).map((property_name, number) => {
    return validatedRow(number, { property_name, location_number: String(number) })
  })
  const options = { mode: 'add_and_update', emptyClears: false, rowLabel: String, divested: [] } as const
  const planned = await planRows(rows, matches, options, async () => {})
  settleNumbers(planned, register, options)
  expect(new Set(planned.map(({ tab }) => tab))).toEqual(new Set(['unchanged']))
})
