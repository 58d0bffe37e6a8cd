import { describe, expect, test } from 'vitest'
import { SETTINGS } from '#server/features/imports/imports.fixture.ts'
import { columnStyle } from '#server/features/imports/pipeline/map/column-style.ts'
import { createReadPlan } from '#server/features/imports/pipeline/map/read-plan.ts'
import type { Cell } from '#server/features/imports/pipeline/read/cells.ts'
import type { BlankAddressDecision } from './blank-addresses.ts'
import { validateRows } from './validate-rows.ts'

const MAPPING = {
  A: 'location_number',
  B: 'building_number',
  C: 'property_name',
  D: 'address',
  E: 'city',
  F: 'state',
  G: 'building_value',
} as const
const plan = createReadPlan(
  MAPPING,
  () => '',
  (_, header) => columnStyle(header, [], SETTINGS),
  {},
)
const FIRST: Cell[] = ['1', null, 'Mill', '1 Oak St', 'Tulsa', 'OK', 500_000]

/** Validates rows of one sheet that come one below the other; null is a row that is not a location. */
async function validated(decision: BlankAddressDecision | undefined, ...rows: (Cell[] | null)[]) {
  const batch = rows.flatMap((cells, at) =>
    cells === null ? [] : [{ number: at + 1, sheet: 0, sheetRow: at + 1, hidden: false, cells, matchedByHand: false, propertyId: null }],
  )
  const read = await validateRows(
    (async function* () {
      yield batch
    })(),
    plan,
    {
      merges: new Map(),
      rowLabel: (number) => `row ${number}`,
      blankAddresses: decision,
      onProgress: async () => {},
      pause: async () => {},
    },
  )
  return read.map(({ fields, issues }) => ({
    place: [fields.location_number, fields.building_number, fields.property_name, fields.address, fields.city]
      .map((text) => text ?? '')
      .join('|'),
    codes: issues.filter(({ severity }) => severity === 'error').map(({ code }) => code),
    messages: issues.map(({ message }) => message),
  }))
}

describe('a row without an address below a location', () => {
  test('has one error, which names the row of the location', async () => {
    const [, second] = await validated(undefined, FIRST, [null, null, null, null, null, null, 7_000])
    expect(second?.messages).toEqual([
      'No address. If it is a further building of the location in row 1, answer the question about rows without an address; otherwise type the address.',
    ])
  })
  test.each([undefined, 'above'] as const)(
    'is not imported if the location has the sum of the rows below it, with the decision %s',
    async (decision) => {
      const below = (value: number): Cell[] => [null, null, 'Shed', null, null, null, value]
      const rows = await validated(decision, FIRST, below(300_000), below(200_000))
      expect(rows.map(({ codes }) => codes)).toEqual([[], ['address_part'], ['address_part']])
      expect(rows[1]?.messages[0]).toContain('the amounts of row 1')
      const other = await validated(decision, FIRST, below(300_000), below(200_001))
      expect(other.flatMap(({ codes }) => codes)).not.toContain('address_part')
    },
  )
  test('is a further building of the location if the user decides so, with the place of the location', async () => {
    const blank: Cell[] = [null, null, null, null, null, null, 7_000]
    const rows = await validated('above', FIRST, blank, blank, ['2', null, 'Barn', '2 Oak St', 'Tulsa', 'OK', 5_000], blank)
    expect(rows.flatMap(({ codes }) => codes)).toEqual([])
    expect(rows.map(({ place }) => place)).toEqual([
      '1||Mill|1 Oak St|Tulsa',
      '1|2|Mill|1 Oak St|Tulsa',
      '1|3|Mill|1 Oak St|Tulsa',
      '2||Barn|2 Oak St|Tulsa',
      '2|2|Barn|2 Oak St|Tulsa',
    ])
  })
  test('may repeat the location number, and have a building number and a name of its own', async () => {
    const [, second] = await validated('above', FIRST, ['1', 'B', 'Silo', null, 'tulsa', null, 7_000])
    expect([second?.place, second?.codes]).toEqual(['1|B|Silo|1 Oak St|tulsa', []])
  })
  test.each<[string, (Cell[] | null)[]]>([
    ['has another location number', [FIRST, ['2', null, null, null, null, null, 7_000]]],
    ['has another city', [FIRST, [null, null, null, null, 'Omaha', null, 7_000]]],
    ['has neither an amount nor an area', [FIRST, [null, null, 'See the appendix', null, null, null, null]]],
    ['follows a row that is not a location', [FIRST, null, [null, null, null, null, null, null, 7_000]]],
    ['follows no location', [[null, null, null, null, null, null, 7_000]]],
  ])('is no building of the location above if it %s', async (_, rows) => {
    const last = (await validated('above', ...rows)).at(-1)
    expect(last?.codes).toContain('required_missing')
    expect((await validated(undefined, ...rows)).at(-1)?.codes).not.toContain('address_above')
  })
  test('has an error for each part of the place that is missing if the user corrects the rows', async () => {
    const [, second] = await validated('errors', FIRST, [null, null, null, null, null, null, 7_000])
    expect(second?.codes).toEqual(['required_missing', 'required_missing', 'required_missing'])
  })
})
