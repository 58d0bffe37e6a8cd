import { expect, test } from 'vitest'
import type { Cell } from '#server/features/imports/pipeline/read/cells.ts'
import { sumUnmapped } from './unmapped-money.ts'

test('columns without a mapping are reported with their total if they contain money', () => {
  const headers = ['Stock Value', 'Tooling', 'Year of Value', 'Phone', 'Value Code', 'Insured Fine Art', 'Notes']
  const sums = sumUnmapped(headers.map((header, index) => ({ index, column: 'ABCDEFG'[index] ?? '', header })))
  sums.add([500_000, '$1,000', 2025, 5_551_234, 12, null, '3'])
  sums.add(['1,500,000', '$2,500', 2025, 5_551_235, 3, 7_000, 'TBD'])
  expect(sums.found()).toEqual([
    { letter: 'A', header: 'Stock Value', total: 2_000_000, currency: null },
    { letter: 'B', header: 'Tooling', total: 3_500, currency: null },
    { letter: 'F', header: 'Insured Fine Art', total: 7_000, currency: null },
  ])
})

test('amounts with dots that may separate thousands are reported without a total', () => {
  expect(report('Geb.-Wert neu (EUR)', '912.500', '850.000')).toEqual([expect.objectContaining({ letter: 'A', total: null })])
})

test('columns that name property damage or abbreviate a value are reported without a currency sign', () => {
  const sums = sumUnmapped(['Property damage', 'Bldg amt'].map((header, index) => ({ index, column: 'AB'[index] ?? '', header })))
  sums.add([250_000, 40_000])
  expect(sums.found().map(({ header }) => header)).toEqual(['Property damage', 'Bldg amt'])
})

const report = (header: string, ...cells: Cell[]) => {
  const sums = sumUnmapped([{ index: 0, column: 'A', header }])
  for (const cell of cells) sums.add([cell])
  return sums.found()
}

test.each<[string, Cell[], number]>([
  ['Current Year Building Value', [4_400_000, 8_500_000], 12_900_000],
  ['Bldg Val', ['$4.50M', '$7.50M'], 12_000_000],
  ['Cont Val', ['900K', '1500K', 'TBD'], 2_400_000],
  ['Ins. Val. (Total)', ['$5.40M', '$1.000.000,00'], 6_400_000],
  ['Building (CAD)', [4_760_000, 10_064_000], 14_824_000],
  ['Zorp', [250_000, 1_300_000, 'see note'], 1_550_000],
  ['Zorp', [10_000, 15_001], 25_001],
  ['Fine Art Value', [5_000, 3], 5_003],
  ['Signs', [7_000, 7_000], 14_000],
  ['Zorp', ['$1,234', 1_567], 2_801],
  ['Contents Value', [5, 5, 7.5], 18],
  ['Contents', [5, 12], 17],
  ['2026', [900_001, 1_200_345], 2_100_346],
  ['Class A Contents', [12_000, 25_000], 37_000],
  ['Debris Removal 25%', [250_001, 250_002], 500_003],
  ['Ordinance & Law 10%', [100_001, 100_002], 200_003],
  ['Unit Improvements', [25_000, 31_000], 56_000],
  ['Units Value', [25_000, 31_000], 56_000],
  ['Output equipment value', [2_500_000, 2_501_000], 5_001_000],
  ['Building Value - over 1,000 sq ft', [2_500_000, 2_501_000], 5_001_000],
])('“%s” with %j is reported as money', (header, cells, total) =>
  expect(report(header, ...cells)).toEqual([expect.objectContaining({ letter: 'A', header, total })]),
)

test.each<[string, Cell[]]>([
  ['Floor Area', [24_000, 30_000]],
  ['Contents Value', [0, 0]],
  ['Building', ['A', 'B', 3]],
  ['Policy Number', [1_200_300, 1_200_400]],
  ['Flood Limit', [1_000_000, 1_000_000]],
  ['Zorp', [125_637, 991_441]],
  ['Zorp', [1_500, 2_000]],
  ['Fine Art Value', [5_000, 1, 2]],
  ['CAPACITY (BU)', ['50M', 150_500_000]],
  ['Blanket Building Limit', [80_000_000, 80_000_000]],
  ['GBA', [10_000, 12_000]],
  ...[
    'Water usage',
    'Rated Output',
    'Value Rank',
    'Income Class',
    'Class of income',
    'Rent Band',
    'Annual Output (kW)',
    'kWh',
    'Height (mm)',
    'CO2 (t)',
    'USF',
    'Pallets',
    'DUNS',
    'SAP',
    'Flood Sublimit',
    'PML',
  ].map((header): [string, Cell[]] => [header, [12_000, 25_000]]),
  ['Profit Center', [410_200, 738_100]],
  ['2026', [2_011, 2_015]],
  ['Lot Size', [43_500, 871_200]],
  ['Acreage', [12_000, 15_000]],
  ['FEIN', [123_456_700, 987_654_300]],
  ['KVA', [15_000, 25_000]],
  ['Vendor', [100_200, 100_300]],
  ['Order', [450_100, 450_200]],
  ['Serial', [700_100, 700_200]],
  ['Contents Item Count', [12_000, 24_300]],
  ['Building Permit', [20_240_100, 20_250_300]],
  ['Building Sq Meters', [11_000, 12_000]],
  ['Annual Visitors', [150_000, 90_000]],
  ['Boiler BTU', [1_200_000, 900_000]],
  ['Machine Hours', [12_000, 15_000]],
  ['Weight (lbs)', [10_000, 12_000]],
  ['BLDG IMPROVEMENTS: WIRING', [2_015, 2_010, 1_998]],
  ['Wind/Hail Ded $', [50_000, 50_000]],
  ['Flood Excess', ['£10,000', '£10,000']],
  ['AOP Deductible', ['$10,000', '$25,000']],
  ['SIR ($)', [100_000, 100_000]],
])('“%s” with %j is not reported as money', (header, cells) => expect(report(header, ...cells)).toEqual([]))

test('amounts that are not round are reported below any header if the totals rows add them up', () => {
  const found = (header: string, ...totalsRows: Cell[][]) => {
    const sums = sumUnmapped([{ index: 0, column: 'A', header }], { totalsRows })
    for (const cell of [125_637.4, 991_441.3, null]) sums.add([cell])
    return sums.found()
  }
  expect(found('Zorp', [1_117_079])).toEqual([{ letter: 'A', header: 'Zorp', total: 1_117_079, currency: null }])
  expect(found('Zorp', ['$600,000'], [517_078])).toHaveLength(1)
  expect(found('Zorp', [1_117_077])).toEqual([])
  expect(found('Zorp', [null])).toEqual([])
  for (const header of ['Employees', 'Zorp factor']) expect(found(header, [1_117_079])).toEqual([])
  const single = sumUnmapped([{ index: 0, column: 'A', header: 'Zorp' }], { totalsRows: [[125_637.4]] })
  single.add([125_637.4])
  expect(single.found()).toEqual([])
})

test('a column with formulas without a result has no total', () => {
  const formula = { formula: '=ROUND(B2*0.1,0)' }
  expect(report('Fine Art Value', formula, 500_000)).toEqual([{ letter: 'A', header: 'Fine Art Value', total: null, currency: null }])
  expect(report('Fine Art Value', formula, formula)).toEqual([{ letter: 'A', header: 'Fine Art Value', total: null, currency: null }])
  expect(report('Zorp', formula, formula)).toEqual([])
})

test('amounts have the currency that their header names', () =>
  expect(report('Building (CAD)', 4_760_000)).toEqual([{ letter: 'A', header: 'Building (CAD)', total: 4_760_000, currency: 'CAD' }]))

test.each<[string, Cell[], number | null]>([
  ['Zorp ($M)', [0.2, 1.14], 1_340_000],
  ['Zorp €k', [200, 1_140], 1_340_000],
  ['Zorp', ["CHF 1'137'000", "284'250.-"], 1_421_250],
  ['Zorp', ['1’137’000 CHF', '284’250 CHF'], 1_421_250],
  ['Zorp', ['Fr. ca. 1.2 Mio', 'Fr. ca. 3 Mio'], null],
  ['Building Value', ['roughly 1.2 m', 'roughly 3 m'], null],
  ['BI Limit', [500_000, 600_000], 1_100_000],
  ['Signs Amount', [2_000, 2_000], 4_000],
  ['Signs Amount', [2_015, 12_500], 14_515],
  ['Contents', [500_000, 600_000, 'see note 5'], 1_100_000],
])('“%s” with %j is reported as money, with a total if it is known', (header, cells, total) =>
  expect(report(header, ...cells)).toEqual([expect.objectContaining({ header, total })]),
)

test('amounts that cannot be read below a word for values are reported without a total', () =>
  expect(report('Insured Value - Inventory (Avg / Peak)', '100,000 / 250,000', '1,000,000 / 2,000,000')).toMatchObject([{ total: null }]))

test('texts without amounts below a header for money are not reported', () => {
  expect(report('Building Value', 'see appraisal', 'TBD')).toEqual([])
  expect(report('Building', 'Bldg 1', 'Bldg 2')).toEqual([])
})

test.each(['BI Monthly', 'Rents per month', 'BI (6 months)'])('“%s”, which is not mapped by itself, is reported', (header) => {
  expect(report(header, 12_500, 13_250)).toEqual([{ letter: 'A', header, total: 25_750, currency: null }])
})

test('amounts whose dot may separate thousands are reported below the name of a value, without a total', () => {
  expect(report('Contenu', '12.500', '8.000')).toEqual([{ letter: 'A', header: 'Contenu', total: null, currency: null }])
  expect(report('BU monatlich', '12.500', '8.000')).toMatchObject([{ header: 'BU monatlich', total: null }])
  expect(report('Contenu', '12.500', '800')).toMatchObject([{ total: null }])
  expect(report('Zorp', '12.500', '8.000')).toEqual([])
})

test('the currency of the cells is that of the column, and cells in several currencies have no total', () => {
  expect(report('Trophy Value', '€500,000', '700,000 EUR', 300_000)).toMatchObject([{ total: 1_500_000, currency: 'EUR' }])
  expect(report('Trophy Value', '$500,000', 'CA$700,000')).toMatchObject([{ total: 1_200_000, currency: 'CAD' }])
  expect(report('Trophy Value', '€500,000', '£700,000')).toMatchObject([{ total: null, currency: null }])
  expect(report('Trophy Value', '$500,000', '€700,000')).toMatchObject([{ total: null, currency: null }])
  expect(report('Trophy Value (EUR)', '$500,000', '$700,000')).toMatchObject([{ total: null, currency: null }])
})
