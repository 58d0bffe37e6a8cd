import { describe, expect, test } from 'vitest'
import { SETTINGS } from '#server/features/imports/imports.fixture.ts'
import type { Cell } from '#server/features/imports/pipeline/read/cells.ts'
import { sumUnmapped } from '#server/features/imports/pipeline/plan/unmapped-money.ts'
import { proposeMapping, sheetColumns } from './propose-mapping.ts'

/** The proposal for a column next to the address and the values of the buildings. */
async function proposed(header: string, cells: readonly Cell[], buildings = 'Building Value') {
  const rows = cells.map((cell, row) => [row + 1, `${row + 1} Main St`, 1_000_000 + row, cell])
  return (await proposeMapping(sheetColumns(['Loc #', 'Address', buildings, header], rows), new Map(), SETTINGS))[3]
}
function reported(header: string, cells: readonly Cell[]) {
  const sums = sumUnmapped([{ index: 0, column: 'A', header }])
  for (const cell of cells) sums.add([cell])
  return sums.found()
}

const COUNTS = [12_000, 25_500, 8_700]
const AMOUNTS = [850, 1_250, 640]

describe('a column that says how much there is of something', () => {
  const HEADERS = [
    'Stock (cases)',
    'Equipment (units)',
    'Stock (bbls)',
    'Stock (pallets)',
    'Stock (tons)',
    'Stock (kg)',
    'Inventory - cases',
    'Finished Goods Inventory (lbs)',
    'Equipment (qty)',
    'Stock Quantity',
    'Contents (items)',
    'Machinery (HP)',
    'Inventory (sq ft)',
  ]
  test.each(HEADERS)('“%s” has no values, and none are missing', async (header) => {
    expect(await proposed(header, COUNTS)).toMatchObject({ target: null, status: 'unmapped' })
    expect(reported(header, COUNTS)).toEqual([])
  })
  test.each(HEADERS)('“%s” with currency signs is reported as money', async (header) => {
    const cells = ['$1,200', '$2,500', '$900']
    expect((await proposed(header, cells))?.target).toBeNull()
    expect(reported(header, cells)).toMatchObject([{ header, total: 4_600 }])
  })
})

describe('a column with the amounts of one of several things', () => {
  test.each([
    'Equipment (each)',
    'Contents Each',
    'Building Value Each',
    'Contents per unit',
    'Contents/Unit',
    'Stock ($/ton)',
    'Machinery ($/unit)',
    'Equipment_each',
    'Unit Cost',
    'UnitCost',
    'Cost/Unit',
    'Cost Each',
    'Cost (ea.)',
  ])('“%s” is not mapped, but reported without a total', async (header) => {
    expect(await proposed(header, AMOUNTS)).toMatchObject({ target: null, status: 'unmapped' })
    expect(reported(header, AMOUNTS)).toEqual([{ letter: 'A', header, total: null, currency: null }])
  })
  test.each([
    'Unit Price',
    'Price per unit',
    'Price/ea',
    'Average unit cost',
    'Building cost per unit',
    'Building ($ / Unit)',
    'Avg_Unit_Cost',
  ])('“%s” is not mapped, but reported if its amounts are not small', async (header) => {
    expect((await proposed(header, COUNTS, 'Qty'))?.target).toBeNull()
    expect(reported(header, COUNTS)).toEqual([{ letter: 'A', header, total: null, currency: null }])
  })
  test.each(['Weight Each', 'Deductible per unit', 'Gallons per unit'])('“%s” is not reported', (header) =>
    expect(reported(header, COUNTS)).toEqual([]),
  )
  test.each(['Extended', 'Extended Cost', 'Extended Value', 'Ext. Value', 'Extended Price'])(
    '“%s” next to a unit cost is to be confirmed, or reported as money',
    async (header) => {
      const rows = COUNTS.map((count, row) => [row + 1, `${row + 1} Main St`, 3, count, count * 3])
      const headers = ['Loc #', 'Address', 'Qty', 'Unit Cost', header]
      const proposals = await proposeMapping(sheetColumns(headers, rows), new Map(), SETTINGS)
      expect(proposals[3]?.target).toBeNull()
      expect(proposals[4]?.status).not.toBe('mapped')
      expect(reported(header, [12_345, 8_001, 1_999])).toMatchObject([{ total: 22_345 }])
    },
  )
})

test.each([
  ['Stock', 'stock_value'],
  ['Equipment', 'machinery_value'],
  ['Stock - Tires', 'stock_value'],
  ['Contents (incl. stock)', 'contents_value'],
  ['Contents (units)', 'contents_value'],
  ['Inventory (FIFO)', 'stock_value'],
  ['Equipment (RCV)', 'machinery_value'],
  ['Stock Value', 'stock_value'],
])('amounts below “%s” remain values', async (header, target) =>
  expect(await proposed(header, [120_000, 255_000, 87_000])).toMatchObject({ target }),
)

test.each(['Total Cost', 'Replacement Cost', 'Cost', 'Cost New', 'Building (12 units)'])(
  'amounts below “%s” remain values of buildings',
  async (header) => expect(await proposed(header, [120_000, 255_000, 87_000], 'Notes')).toMatchObject({ target: 'building_value' }),
)

test('numbers of apartments and of units remain', async () => {
  expect(await proposed('Units', [12, 24, 36])).toMatchObject({ target: 'units' })
  expect(await proposed('Unit #', ['1A', '2B', '3C'])).toMatchObject({ target: 'address_2' })
  for (const header of ['Building/Unit', 'Equipment/Unit']) expect(reported(header, [101, 102, 203])).toEqual([])
})
