import { describe, expect, test } from 'vitest'
import { blanketMark, markKind, markKindOf, markOf } from './marked-rows.ts'

const isMarked = (header: string, text: string): boolean => {
  const kind = markKind(header)
  return kind !== undefined && markOf([text], [{ index: 0, column: 'A', header, kind }]) !== undefined
}

test.each([
  ['Status', 'SOLD'],
  ['Status', 'Sold 3/1/26'],
  ['Property Status', 'Disposed'],
  ['Status', 'Not insured'],
  ['Insured?', 'N - self insured'],
  ['Insured (Y/N)', 'n'],
  ['Active', 'No'],
  ['Active/Inactive', 'Inactive'],
  ['Sold?', 'Yes'],
  ['Excluded', 'x'],
  ['Date Sold', '2026-03-01'],
  ['Disposition Date', '3/1/2026'],
  ['Notes', 'Sold 3/1/26'],
  ['Comments', 'No longer owned'],
  ['Status_Cd', 'I'],
  ['STATUS CODE', 'i'],
  ['Active Y/N', 'N'],
  ['Active Flag', '0'],
  ['IsActive', 'FALSE'],
  ['Active/Inactive', 'I'],
  ['Inactive Flag', '1'],
  ['Disposed', 'Y'],
  ['Disposed Y/N', 'X'],
  ['A/I', 'I'],
  ['Action', 'Delete'],
  ['Change type', 'Removed'],
  ['Remarks', 'Insured elsewhere'],
  ['Remarks', 'Removed from schedule 3/1/26'],
  ['Memo', 'Lease expired 6/30/25'],
  ['Remarks', 'Not insured here'],
  ['Trans', 'Delete'],
  ['Endorsement Type', 'Delete'],
  ['Deletion Date', '3/1/2026'],
  ['Delete?', 'Yes'],
  ['Remove', 'X'],
  ['Include?', 'N'],
  ['Action', 'DEL'],
  ['MTA', 'Take off'],
  ['Broker Comments', 'Delete eff. 3/1/26'],
  ['Status', 'Permanently closed'],
])('below “%s”, “%s” marks a row', (header, text) => expect(isMarked(header, text)).toBe(true))

test.each([
  ['Status', 'Active'],
  ['Action', 'No change'],
  ['Action', 'Add'],
  ['Status', 'Northern region'],
  ['Status', 'Under contract'],
  ['Insured?', 'Yes'],
  ['Sold?', 'No'],
  ['Sold?', 'N/A'],
  ['Date Sold', 'TBD'],
  ['Notes', 'Sold by weight only'],
  ['Notes', 'Next to the closed mill'],
  ['Notes', 'Not insured for flood'],
  ['Closing Date', '2019-03-01'],
  ['City', 'Sold'],
  ['Flood Excluded', 'Yes'],
  ['Lease Termination Date', '3/1/2026'],
  ['Broker Comments', 'Closed sprinkler valves'],
  ['Type', 'Closed mill'],
  ['Status_Cd', 'A'],
  ['Active Y/N', 'Y'],
  ['Active Flag', '1'],
  ['Active/Inactive', 'Active'],
  ['Disposed', 'N'],
  ['Status', '0'],
  ['Status', 'Industrial'],
])('below “%s”, “%s” does not mark a row', (header, text) => expect(isMarked(header, text)).toBe(false))

describe('a row for no single location', () => {
  const columns = [
    { index: 0, column: 'A', target: 'location_number' },
    { index: 1, column: 'B', target: 'address' },
    { index: 2, column: 'C', target: 'city' },
    { index: 3, column: 'D', target: 'building_value' },
  ]

  test.each([
    ['in the column of the address', [null, 'Newly acquired property', null, 1_000_000], 'B'],
    ['in the column of the number', ['Blanket', null, null, 1_000_000], 'A'],
    ['in another column', [null, null, 'Unscheduled', 1_000_000], 'C'],
  ])('is recognized by its name %s', (_where, cells, column) =>
    expect(blanketMark(cells, columns)).toMatchObject({ column, code: 'no_location', severity: 'warning', value: cells.find(Boolean) }),
  )

  test.each([
    ['a location number', ['7', 'Newly acquired property', null, 5]],
    ['an address', [null, '1 Main St', 'Blanket', 5]],
    ['neither, nor such a name', [null, null, 'Boston', 5]],
  ])('is not one with %s', (_what, cells) => expect(blanketMark(cells, columns)).toBeUndefined())

  test('has no address in any column of addresses', () => {
    const twice = [...columns, { index: 4, column: 'E', target: 'full_address' }]
    expect(blanketMark([null, 'Blanket', null, 5, null], twice)).toMatchObject({ column: 'B' })
    expect(blanketMark([null, 'Blanket', null, 5, '1 Main St, Boston'], twice)).toBeUndefined()
  })
})

test.each([
  ['location_number', '2 - DELETE', true],
  ['property_name', 'Alpha Shop (SOLD)', true],
  ['property_name', 'Sold Street Mill', false],
  ['location_number', '2', false],
  ['address', '2 Main St - closed', false],
])('a remark in a cell of “%s”, “%s”, marks the row: %s', (target, text, marked) => {
  const kind = markKindOf(target)
  expect(kind !== undefined && markOf([text], [{ index: 0, column: 'A', header: 'A', kind }]) !== undefined).toBe(marked)
})
