import { describe, expect, test } from 'vitest'
import { SETTINGS } from '#server/features/imports/imports.fixture.ts'
import type { Cell } from '#server/features/imports/pipeline/read/cells.ts'
import { normalizeHeader } from '#server/features/imports/pipeline/read/headers.ts'
import { proposeMapping, sheetColumns } from './propose-mapping.ts'

type Column = readonly [header: string, ...cells: Cell[]]

async function proposals(columns: readonly Column[], saved: Record<string, string> = {}, announcedFactor = 1) {
  const rows = [0, 1, 2].map((row) => columns.map(([, ...cells]) => cells[row] ?? null))
  const headers = columns.map(([header]) => header)
  return proposeMapping(sheetColumns(headers, rows), new Map(Object.entries(saved)), { ...SETTINGS, announcedFactor })
}
const targets = async (...columns: Column[]) => (await proposals(columns)).map(({ target }) => target)

test('amounts in millions are insured values, not building numbers', async () => {
  expect(await targets(['Bldg ($M)', 1.14, 1.27], ['Cnts ($M)', 0.2, 0.2], ['BI ($M)', 0.15, 0.15])).toEqual([
    'building_value',
    'contents_value',
    'bi_value',
  ])
  expect(await targets(['Bldg (€k)', 840, 920], ['Contents TEUR', 12, 15])).toEqual(['building_value', 'contents_value'])
  expect(await targets(['Building USD mn', 1, 2])).toEqual(['building_value'])
})

test('a factor that a title announces counts for headers without one', async () => {
  const columns: Column[] = [
    ['Building', 1.14, 1.27],
    ['Contents', 0.2, 0.2],
  ]
  expect((await proposals(columns, {}, 1_000_000)).map(({ target }) => target)).toEqual(['building_value', 'contents_value'])
})

test('a building number without a factor remains one', async () => expect(await targets(['Bldg', 1, 2])).toEqual(['building_number']))

describe('of “Bldg” and “Building”, the one with the larger amounts is the value', () => {
  const inThousands = async (...columns: Column[]) => (await proposals(columns, {}, 1_000)).map(({ target }) => target)
  const contents: Column = ['Contents', 250, 300]
  test('in thousands, in any order', async () => {
    expect(await inThousands(['Bldg', 1, 2], ['Building', 1_000, 2_300], contents)).toEqual([
      'building_number',
      'building_value',
      'contents_value',
    ])
    expect(await inThousands(['Building', 850, 1_200], ['Bldg', 1, 2], contents)).toEqual([
      'building_value',
      'building_number',
      'contents_value',
    ])
  })
  test('without an announced unit', async () =>
    expect(await targets(['Bldg', 1, 2], ['Building', 1_000, 2_300])).toEqual(['building_number', 'building_value']))
  test('next to letters and names', async () => {
    expect(await inThousands(['Bldg', 'A', 'B'], ['Building', 1_000, 2_300])).toEqual(['building_number', 'building_value'])
    expect(await inThousands(['Building', 'Main Hall', 'Library'], ['Bldg', 1_000, 2_300])).toEqual(['property_name', 'building_value'])
  })
  test.each<[string, Cell[]]>([
    ['thousands with a placeholder', [1_250, 850, 'TBD']],
    ['millions without a unit', [1.25, 0.85, 'TBD']],
    ['texts with decimals', ['1,250.00', '1,850', '900.00']],
  ])('and so is a single one with %s next to other values', async (_, cells) =>
    expect(await targets(['Building', ...cells], ['Contents', 0.5, 60])).toEqual(['building_value', 'contents_value']),
  )
  test('a single one with numbers of locations and buildings is none', async () =>
    expect(await targets(['Bldg', 1.1, 1.2, 2.1], ['Contents', 250_000, 300_000])).not.toContain('building_value'))
  test('numbers stay numbers if the values are elsewhere', async () =>
    expect(await inThousands(['Bldg', 1, 2], ['Building', 101, 250], ['Building Value', 1_000, 2_300])).not.toContainEqual([
      'building_value',
      'building_value',
    ]))
})

test('amounts with apostrophes and a foreign currency are mapped', async () =>
  expect(await targets(['Building Value', "CHF 1'137'000", "CHF 1'274'000"], ['Contents', "284'250.-", "318'500.-"])).toEqual([
    'building_value',
    'contents_value',
  ]))

test('a value wins over a limit of the same thing, and they are never added up', async () => {
  const columns: Column[] = [
    ['Building Limit', 500_000, 500_000],
    ['Building Value', 1_137_000, 1_274_000],
    ['Contents Limit', 100_000, 100_000],
    ['BPP Value', 200_000, 200_000],
  ]
  const expected = ['ignore', 'building_value', 'ignore', 'contents_value']
  const found = await proposals(columns)
  expect(found.map(({ target }) => target)).toEqual(expected)
  expect(found.map(({ note }) => note)).toEqual(['limit', null, 'limit', null])
  const learned = { 'building limit': 'building_value', 'contents limit': 'contents_value' }
  expect((await proposals(columns, learned)).map(({ target }) => target)).toEqual(expected)
})

test('a limit is used if it is the only amount, or if the company ignored the value', async () => {
  expect(await targets(['Bldg Limit', 500_000, 600_000], ['BI Limit', 5_000, 6_000])).toEqual(['building_value', 'bi_value'])
  const columns: Column[] = [
    ['Building Limit', 500_000, 600_000],
    ['Building Value', 1_137_000, 1_274_000],
  ]
  const learned = { 'building limit': 'building_value', 'building value': 'ignore' }
  expect((await proposals(columns, learned)).map(({ target }) => target)).toEqual(['building_value', 'ignore'])
})

test.each(['Limit', 'LIMITS', 'Limit of Insurance', 'Policy Limit', 'Property Limit ($)'])(
  '“%s” is the total if it is the only amount, or the only one but income',
  async (header) => {
    expect(await targets([header, 1_137_000, 1_274_000])).toEqual(['stated_tiv'])
    expect(await targets([header, '$1,137,000', 'Included'])).toEqual(['stated_tiv'])
    expect(await targets(['Rents', 50_000, 60_000], [header, 1_137_000, 1_274_000])).toEqual(['bi_value', 'stated_tiv'])
    expect(await targets([header, 25_000_000, 25_000_000], ['Building', 1_137_000, 1_274_000])).toEqual(['ignore', 'building_value'])
    expect(await targets([header, 25_000_000, 25_000_000], ['TIV', 1_137_000, 1_274_000])).toEqual(['ignore', 'stated_tiv'])
    expect((await proposals([[header, 1_137_000, 1_274_000]], { [normalizeHeader(header).words]: 'ignore' }))[0]?.target).toBe('ignore')
  },
)

test.each(['Limit', 'Limit of Insurance'])('“%s” is not lost if no column has the values of buildings', async (header) => {
  expect(await targets(['Building', 1, 2], [header, 1_250_000, 900_000], ['BPP', 50_000, 60_000])).toEqual([
    'building_number',
    'stated_tiv',
    'contents_value',
  ])
  expect(await targets(['Building', 'Main Hall', 'Library'], [header, 1_250_000, 900_000], ['BPP', 50_000, 60_000])).toContain('stated_tiv')
})

test('the limit of a peril is not the total', async () => expect(await targets(['Flood Limit', 500_000, 600_000])).toEqual(['ignore']))

test('the limit of one thing is not added to the value of another, and remains visible as unmapped', async () =>
  expect(await targets(['Rental Income Value', 50_000, 60_000], ['BI Limit', 5_000, 6_000])).toEqual(['bi_value', null]))

test('two measures of the same contents are not added up', async () =>
  expect(await targets(['Contents Value', 50_000, 60_000], ['Contents RCV', 55_000, 66_000])).toEqual(['contents_value', null]))

test.each([
  ['Buildings Sum Insured (£)', 'building_value'],
  ['Contents Sum Insured (£)', 'contents_value'],
  ['Sum Insured - Buildings', 'building_value'],
  ['Stock Sums Insured', 'stock_value'],
  ['Gross Profit (£)', 'bi_value'],
  ['Bldg RC Value', 'building_value'],
  ['Contents RC', 'contents_value'],
  ['M&E Replacement Cost', 'machinery_value'],
  ['100%\nBldg\nRC³', 'building_value'],
  ['100% Contents⁴', 'contents_value'],
  ['12-mo. BI/EE⁵', 'bi_value'],
  ['BI/EE 12 mo', 'bi_value'],
  ['TIV at 100%†', 'stated_tiv'],
  ['Insurable Value', 'stated_tiv'],
  ['Insured Values', 'stated_tiv'],
  ['Sums Insured', 'stated_tiv'],
  ['TSI', 'stated_tiv'],
  ['Amount of Insurance', 'stated_tiv'],
  ['Total Declared Value', 'stated_tiv'],
  ['Coverage', 'stated_tiv'],
  ['Value', 'stated_tiv'],
  ['Building Value [1]', 'building_value'],
  ['Business Income & Extra Expense', 'bi_value'],
  ['Bus. Income w/EE (12 mos.)', 'bi_value'],
  ['Tenant Improvements & Betterments', 'improvements_value'],
  ['Total Building', 'building_value'],
  ['Total Contents', 'contents_value'],
  ['Total BI/EE', 'bi_value'],
  ['Appraised Building (CRN)', 'building_value'],
  ['Building CRN', 'building_value'],
  ['Buildings Declared Value', 'building_value'],
  ['2026 RCV (Appraisal)', 'building_value'],
  ['Contents (incl. Computers)', 'contents_value'],
  ['STOCK (PEAK)', 'stock_value'],
  ["Other Value $ (outdoor prop & Eqpt must be sch'd)", 'other_value'],
  ['BI (50% of sales)', 'bi_value'],
  ['BI Gross Earnings', 'bi_value'],
  ['BI/Rental Income ($)', 'bi_value'],
  ['BUSINESS INCOME W/ EXTRA EXPENSE', 'bi_value'],
  ['SUBJECT OF INSURANCE: BUILDING', 'building_value'],
  ['SUBJECT OF INSURANCE: BPP', 'contents_value'],
  ['Cov A Building', 'building_value'],
  ['Cov B Contents', 'contents_value'],
  ['Coverage C Contents', 'contents_value'],
  ['Building @100%', 'building_value'],
  ['Bâtiment / Building', 'building_value'],
  ["Perte d'exploitation / BI", 'bi_value'],
  ['FF&E / Equipment', 'contents_value'],
  ['WSCV2VAL', 'contents_value'],
  ['Contingent BI', null],
  ['Cov E Fine Arts', null],
  ['Fixtures Sum Insured', null],
  ['Fine Art Sum Insured', null],
  ['Building and Contents Sum Insured', null],
])('amounts below %j are mapped to %s', async (header, target) => expect(await targets([header, 1_137_000, 284_250])).toEqual([target]))

describe('business income in several columns', () => {
  const proposed = async (...columns: Column[]) => (await proposals(columns)).map(({ target, status }) => `${target} ${status}`)
  const EXTRA: Column = ['Extra Expense', 25_000, 26_000]
  const PARTS: Column[] = [
    ['Net Income', 300_000, 310_000],
    ['Continuing Expenses', 100_000, 110_000],
  ]
  test('is the total of these', async () => {
    expect(await proposed(...PARTS, EXTRA, ['Total BI/EE', 425_000, 446_000])).toEqual([
      'null unmapped',
      'null unmapped',
      'null unmapped',
      'bi_value mapped',
    ])
    expect(await proposed(EXTRA, ['Business Income', 300_000, 310_000], ['Total BI', 325_000, 336_000])).toEqual([
      'null unmapped',
      'null unmapped',
      'bi_value mapped',
    ])
  })
  test('is added up from its parts after a user confirms', async () => {
    expect(await proposed(...PARTS, EXTRA)).toEqual(['bi_value confirm', 'bi_value confirm', 'bi_value confirm'])
    expect(await proposed(EXTRA)).toEqual(['bi_value confirm'])
  })
  test('is not added to the parts that it is computed of', async () => {
    expect(await proposed(...PARTS, ['Gross Earnings', 400_000, 420_000])).toEqual(['null unmapped', 'null unmapped', 'bi_value mapped'])
    expect(await targets(['Contingent BI', 30_000, 30_000], ['BI (50% of sales)', 425_000, 430_000])).toEqual([null, 'bi_value'])
  })
})

test('a blanket amount that is the same in all rows is no value', async () => {
  const rcv: Column = ['2026 RCV (Appraisal)', 6_010_000, 6_020_000]
  expect(await targets(['Blanket Building Limit', 80_000_000, 80_000_000], rcv)).toEqual([null, 'building_value'])
  expect(await targets(['Building Limit', 80_000_000, 8_000_000], ['2026 RCV', 6_010_000, 6_020_000])).toEqual(['ignore', 'building_value'])
  expect(await targets(['Blanket Building Limit', 6_010_000, 6_020_000])).toEqual(['building_value'])
})

test('a replacement cost new is that of a new building, not of the next year', async () => {
  expect(await targets(['Replacement Cost New', 1_250_000, 1_400_000])).toEqual(['building_value'])
  const columns: Column[] = [
    ['Building Value', 1_137_000, 1_274_000],
    ['Replacement Cost New', 1_250_000, 1_400_000],
  ]
  expect(await targets(...columns)).toEqual(['building_value', null])
})

test('the values of two perils are not added up', async () =>
  expect(await targets(['EQCV2VAL', 50_000, 60_000], ['WSCV2VAL', 50_000, 60_000])).toEqual(['contents_value', null]))

test('the number of buildings is no value', async () => expect(await targets(['Total Buildings', 25, 40])).not.toEqual(['building_value']))

test('footnote marks of headers are no part of their names', async () =>
  expect(await targets(['Loc\n#¹', '1', '2'], ['Street\nAddress²', '1 Oak St', '2 Oak St'], ['City*', 'Tulsa', 'Omaha'])).toEqual([
    'location_number',
    'address',
    'city',
  ]))

test('an answer below another question is not one about sprinklers', async () =>
  expect(await targets(['Stock Y/N', 'Y', 'N'])).toEqual([null]))

test('a raised number of a unit remains', async () => expect(await targets(['Floor area m²', 12_000, 15_000])).toEqual(['floor_area']))

describe('a second column of a total', () => {
  const columns = (header: string, amounts: number[], ...others: [string, ...Cell[]][]): [string, ...Cell[]][] => [
    ['Rents', 96_000, 144_000],
    [header, ...amounts],
    ['Total', 896_000, 1_344_000],
    ...others,
  ]
  const second = async (...parameters: Parameters<typeof columns>) => (await proposals(columns(...parameters)))[1]
  test('with smaller amounts is proposed as the building value, to confirm', async () => {
    expect(await second('Insurable Value', [800_000, 1_200_000])).toMatchObject({ target: 'building_value', status: 'confirm' })
    expect(await second('Sum Insured', [800_000, 1_200_000])).toMatchObject({ target: 'building_value', status: 'confirm' })
  })
  test('is not mapped next to the building values, or with the same amounts', async () => {
    expect(await second('Insurable Value', [800_000, 1_200_000], ['Building Value', 700_000, 900_000])).toMatchObject({ target: null })
    expect(await second('TIV', [896_000, 1_344_000])).toMatchObject({ target: 'stated_tiv', status: 'mapped' })
  })
  test('of an earlier year or a limit is not the building value', async () => {
    expect((await second('2019 Total', [800_000, 1_200_000]))?.target).not.toBe('building_value')
    expect((await second('Total Limit', [800_000, 1_200_000]))?.target).not.toBe('building_value')
  })
})
