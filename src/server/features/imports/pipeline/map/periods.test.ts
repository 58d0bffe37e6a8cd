import { describe, expect, test } from 'vitest'
import { SETTINGS } from '#server/features/imports/imports.fixture.ts'
import type { Cell } from '#server/features/imports/pipeline/read/cells.ts'
import { normalizeHeader } from '#server/features/imports/pipeline/read/headers.ts'
import { learnedKeys } from '#server/features/imports/pipeline/read/learned-keys.ts'
import { proposeMapping } from './propose-mapping.ts'

const AMOUNTS = [1_700_000, 2_100_000, 2_000_000, 4_200_000]

const propose = (headers: readonly string[], saved = new Map<string, string>(), cells: readonly Cell[] = AMOUNTS) =>
  proposeMapping(
    headers.map((header, index) => ({ column: String.fromCharCode(65 + index), header, cells })),
    saved,
    SETTINGS,
  )
const targets = async (...headers: string[]) => (await propose(headers)).map(({ target }) => target)

describe('the period of a header', () => {
  test.each([
    ['FY26 Bldg Value', 'building value', 2026],
    ['Bldg Value FY 2026-27', 'building value', 2027],
    ['Bldg RCV 25-26', 'building rcv', 2026],
    ['2026/27 TIV', 'tiv', 2027],
    ["TIV '26", 'tiv', 2026],
    ['Building Value as of 12/31/2025', 'building value', 2025],
    ['Contents 2026-07-01', 'contents', 2026],
    ['Expiring Building', 'building', null],
    ['Contents as of Renewal', 'contents', null],
    ['TIV (PY)', 'tiv', null],
    ['2026 - Building Value', 'building value', 2026],
    ['Building Value - 2026', 'building value', 2026],
    ['Prior 2025 Year TIV', 'tiv', 2025],
    ['TIV Year End 2025', 'tiv', 2025],
    ['Value per Unit 2026', 'value per unit', 2026],
    ['2026 Building (5% trend)', 'building', 2026],
    ['2026 RCV w/ 5% factor', 'rcv', 2026],
    ['Building 2026 @ 4%', 'building', 2026],
    ['Contents + 10%', 'contents', null],
    ['Building incl. 2.5% inflation guard', 'building', null],
    ['Building @ 80%', 'building @ 80 percent', null],
    ['Contents 35% increase', 'contents 35 percent increase', null],
  ])('is not one of the words of %s', (header, words, year) => expect(normalizeHeader(header)).toMatchObject({ words, year }))

  test.each(['Expiring Value', 'Building Renewal Value', 'Values as of', 'Last Renovation', 'Bldg 12-15', '2026', 'FY26', 'Renewal'])(
    'is not found in %s',
    (header) => expect(normalizeHeader(header).period).toBe(0),
  )

  test('orders the columns', () => {
    const headers = ['Prior TIV', 'TIV', 'TIV 12/31/2025', '2026 TIV', 'TIV 7/1/2026', '26-27 TIV', 'Current TIV', 'Renewal TIV']
    const periods = headers.map((header) => normalizeHeader(header).period)
    expect(periods).toEqual(periods.toSorted((a, b) => a - b))
    expect(new Set(periods).size).toBe(headers.length)
  })
})

describe('among columns with the same words the newest period wins', () => {
  test('also if it names the rate by which its values were raised', async () =>
    expect(await targets('2025 Building', '2026 Building (5% trend)')).toEqual(['ignore', 'building_value']))
  test.each([
    ['FY26 Bldg Value', 'FY27 Bldg Value'],
    ['Bldg RCV 25-26', 'Bldg RCV 26-27'],
    ['Building Value 12/31/2025', 'Building Value 12/31/2026'],
    ['Prior Year Building Value', 'Current Year Building Value'],
    ['Expiring Building', 'Renewal Building'],
    ['Current Building', 'Proposed Building'],
    ['Last Year Building', 'Building'],
    ['Revised Building Value', 'New Building Value'],
    ['2026 RCV', '2026 RCV Revised'],
    ['2025 RCV (corrected)', '2026 RCV'],
    ['Old Building Value', 'New Building Value'],
    ['Expiring Building', 'Building Updated'],
  ])('%s is ignored where there is %s', async (older, newer) => {
    expect(await targets(older, newer)).toEqual(['ignore', 'building_value'])
    expect(await targets(newer, older)).toEqual(['building_value', 'ignore'])
  })
  test('a revised value wins over one without a period, which is not imported', async () => {
    expect(await targets('Building Value', 'Revised Building Value')).toEqual([null, 'building_value'])
    expect(await targets('Revised Building Value', 'Building Value')).toEqual(['building_value', null])
  })
  test('a value of the last period alone must be confirmed', async () =>
    expect((await propose(['Expiring Building Value']))[0]).toMatchObject({ target: 'building_value', status: 'confirm' }))
  test('a value of the current year alone is mapped', async () =>
    expect((await propose(['Current Year Contents']))[0]).toMatchObject({ target: 'contents_value', status: 'mapped' }))
  test('a header with a period has values, not numbers or names of buildings, and a third of its cells may be words', async () => {
    const [older, newer] = await propose(['FY26 Bldg', 'FY27 Bldg'], new Map(), [1565, 'Landlord', 1043, 990, 'Landlord', 1210])
    expect([older?.target, newer?.target, newer?.status]).toEqual(['ignore', 'building_value', 'confirm'])
  })
})

describe('the newest of several years', () => {
  const proposed = async (...years: (readonly [header: string, ...cells: Cell[]])[]) => {
    const columns = years.map(([header, ...cells], index) => ({ column: 'AB'[index] ?? '', header, cells }))
    return (await proposeMapping(columns, new Map(), SETTINGS)).map(({ target, status }) => [target, status])
  }
  const OLDER = ['2025 RCV', ...AMOUNTS] as const
  test('is not taken for granted if it has no amount: the older one is to be confirmed', async () =>
    expect(await proposed(OLDER, ['2026 RCV', 0, 0, 0, 0])).toEqual([
      ['building_value', 'confirm'],
      [null, 'unmapped'],
    ]))
  test('is to be confirmed if it has fewer values, and the older one is not left out without a question', async () =>
    expect(await proposed(OLDER, ['2026 RCV', 1_800_000, null, 2_200_000, null])).toEqual([
      [null, 'unmapped'],
      ['building_value', 'confirm'],
    ]))
  test('replaces the older one if it has about as many values', async () =>
    expect(await proposed(OLDER, ['2026 RCV', 1_800_000, 2_200_000, 2_200_000, null])).toEqual([
      ['ignore', 'unmapped'],
      ['building_value', 'mapped'],
    ]))
})

describe('a learned mapping', () => {
  test('for the newest fiscal year is used for the newest one next year', async () => {
    const [older = '', newest = ''] = learnedKeys(['FY26 Bldg Value', 'FY27 Bldg Value'])
    const saved = new Map([
      [newest, 'building_value'],
      [older, 'ignore'],
    ])
    const next = async (...headers: string[]) => (await propose(headers, saved)).map(({ target, saved: isSaved }) => [target, isSaved])
    expect(await next('FY27 Bldg Value', 'FY28 Bldg Value')).toEqual([
      ['ignore', true],
      ['building_value', true],
    ])
    expect(await next('FY28 Bldg Value', 'FY27 Bldg Value')).toEqual([
      ['building_value', true],
      ['ignore', true],
    ])
  })
  test('is stored for the last period and the newest one separately', () => {
    expect(learnedKeys(['Expiring Building', 'Renewal Building'])).toEqual(['building (older year)', 'building'])
    expect(learnedKeys(['Expiring Building'])).toEqual(['building (older year)'])
  })
  test('is stored for each of two columns with the same header, but not without one', () => {
    expect(learnedKeys(['Bldg', 'Bldg'])).toEqual(['building', 'building (column 2)'])
    expect(learnedKeys(['Bldg', 'Bldg 2026'])).toEqual(['building (no year)', 'building'])
    expect(learnedKeys(['', ''])).toEqual(['', ''])
  })
})

test('values without a year are newer than those of last year, and older than those that name this one', async () => {
  const settings = { ...SETTINGS, today: '2026-11-29' }
  const proposals = async (headers: readonly string[]) => {
    const columns = headers.map((header, index) => ({
      column: String.fromCharCode(65 + index),
      header,
      cells: AMOUNTS.map((amount) => amount + index),
    }))
    return (await proposeMapping(columns, new Map(), settings)).map(({ target, note }) => (target === 'building_value' ? target : note))
  }
  const OLDER = 'older_year'
  expect(await proposals(['2024 Building Value', 'Building Value'])).toEqual([OLDER, 'building_value'])
  expect(await proposals(['Building Value', '2025 Building Value'])).toEqual(['building_value', OLDER])
  expect(await proposals(['Building Value', '2026 Building Value'])).toEqual([null, 'building_value'])
  expect(await proposals(['Building Value', '2027 Building Value'])).toEqual([null, 'building_value'])
})
