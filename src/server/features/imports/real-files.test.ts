import { afterAll, expect, test } from 'vitest'
import { addressKeys } from '#server/engines/address/address-keys.ts'
import { matchRows } from '#server/features/imports/pipeline/match/match-rows.ts'
import { indexRegister, type RegisterRow } from '#server/features/imports/pipeline/match/register-index.ts'
import { changesTo, valueJump } from '#server/features/imports/pipeline/plan/plan-rows.ts'
import { findDuplicates } from '#server/features/imports/pipeline/validate/validate-rows.ts'
import { readSample, sumOf, targetOf } from './imports.fixture.ts'
import { describeNeeding, samplePath } from '#server/testing/needs.ts'

type Sample = Required<Awaited<ReturnType<typeof readSample>>>

/** Each file is read once; the tests of a missing file are skipped. */
const cache = new Map<string, Promise<Sample>>()
const sample = (name: string): Promise<Sample> => {
  const known = cache.get(name) ?? readSample(samplePath(name)).then(complete)
  cache.set(name, known)
  return known
}
function complete(read: Awaited<ReturnType<typeof readSample>>): Sample {
  if (!read.proposed || !read.header) throw new Error('No sheet was proposed')
  return read
}
afterAll(() => cache.clear())

const about = (name: string, body: (read: () => Promise<Sample>) => void) =>
  describeNeeding('sample files')(name, () => body(() => sample(name)))

const kindsAt = ({ rows, kinds }: Sample) =>
  Object.groupBy(
    rows.map(({ number }, index) => ({ number, kind: kinds[index] ?? 'blank' })),
    ({ kind }) => kind,
  )
const issuesOf = ({ read }: Sample) =>
  read.flatMap(({ number, issues }) => issues.map(({ code, severity, field }) => `${number} ${field} ${severity} ${code}`))
/** The headers of the columns to confirm. */
const toConfirm = ({ proposals }: Sample) => proposals.filter(({ status }) => status === 'confirm').map(({ header }) => header)

about('derived_messy_sov_office.xlsx', (get) => {
  test('has a schedule, a header row and a divested sheet', async () => {
    const { proposed, header, sheets } = await get()
    expect([proposed?.name, header.row, sheets.filter(({ sold }) => sold).map(({ name }) => name)]).toEqual([
      'SOV 25-26',
      6,
      ['Sold - Deleted'],
    ])
  })
  test('has 60 locations and other rows by kind', async () => {
    const kinds = kindsAt(await get())
    const numbers = (kind: keyof typeof kinds) => (kinds[kind] ?? []).map(({ number }) => number)
    expect(numbers('data')).toHaveLength(60)
    expect(numbers('subtotal')).toEqual([16, 45, 48, 51, 59, 72, 76])
    expect([numbers('title'), numbers('header'), numbers('section'), numbers('total'), numbers('note')]).toEqual([
      [1, 2, 3, 5],
      [6],
      [78],
      [83],
      [85, 86],
    ])
  })
  test('has the expected sums', async () => {
    const { read } = await get()
    expect([sumOf(read, 'building_value'), sumOf(read, 'contents_value'), sumOf(read, 'bi_value')]).toEqual([
      1_078_924_900, 7_595_400, 103_487_800,
    ])
  })
  test('needs no correction of the mapping', async () => {
    const read = await get()
    expect(toConfirm(read)).toEqual([])
    expect(read.proposals.filter(({ target }) => target === null)).toEqual([])
  })
  test('has the seeded errors', async () => {
    const read = await get()
    expect(issuesOf(read)).toEqual(
      expect.arrayContaining([
        '19 bi_value warning included_elsewhere',
        '26 stated_tiv warning total_differs',
        '28 year_built warning out_of_range',
        '47 postal_code warning state_zip_mismatch',
      ]),
    )
    expect(
      issuesOf(read).filter((issue) => issue.includes('stated_tiv') || issue.startsWith('28 year_built') || issue.includes('mismatch')),
    ).toHaveLength(3)
    const duplicates = findDuplicates(read.read)
    expect([...duplicates.keys()]).toEqual([81])
    expect(duplicates.get(81)).toMatchObject({ severity: 'warning', message: expect.stringContaining('location 7903') as string })
  })
})

describeNeeding('sample files')('year over year', () => {
  test('against account 514_514: 3 added, 3 removed, 57 changed, two values that jump', async () => {
    const last = await readSample(samplePath('oed_location_771.csv'), { mapping: { AU: 'location_number', AV: 'ignore' } }).then(complete)
    const register = last.read
      .filter((_, index) => last.data[index]?.cells[0] === '514_514')
      .map(({ fields }, index): RegisterRow => {
        const { strong, weak } = addressKeys(fields)
        return {
          id: String(index),
          status: 'active',
          trashed: false,
          addressKey: strong,
          weakAddressKey: weak,
          values: { ...fields, building_number: '1' },
          custom: {},
        }
      })
    expect(register).toHaveLength(60)
    const { read } = await sample('derived_messy_sov_office.xlsx')
    const matches = await matchRows(read, indexRegister(register))
    const kinds = Object.groupBy(read, ({ number }) => matches.get(number)?.kind ?? 'new')
    expect((kinds.new ?? []).map(({ fields }) => fields.location_number)).toEqual(['8001', '8002', '7999'])
    expect(kinds.matched).toHaveLength(57)
    const matched = new Set(
      [...matches.values()].flatMap((match) => (match.kind === 'matched' ? [match.property.values.location_number] : [])),
    )
    expect(register.map(({ values }) => values.location_number).filter((number) => !matched.has(number))).toEqual(['7906', '7920', '7933'])
    const changes = read.flatMap((row) => {
      const match = matches.get(row.number)
      return match?.kind === 'matched' ? [{ row, changes: changesTo(match.property, row, false) }] : []
    })
    expect(changes.filter(({ changes: fields }) => Object.keys(fields).length > 0)).toHaveLength(57)
    expect(changes.filter(({ changes: fields }) => valueJump(fields, null)).map(({ row }) => row.number)).toEqual([21, 23])
  })
})

about('sov_multi_year_messy.xlsx', (get) => {
  test('is read from its newest sheet', async () => {
    const { proposed, header } = await get()
    expect([proposed?.name, header.row]).toEqual(['SOV 2025', 3])
  })
  test('has 8 locations and a total', async () => {
    const kinds = kindsAt(await get())
    expect([kinds.data?.length, kinds.total?.map(({ number }) => number)]).toEqual([8, [13]])
  })
  test('has readable building values and one TBD', async () => {
    const read = await get()
    expect(sumOf(read.read, 'building_value')).toBe(205_000_000)
    expect(issuesOf(read).filter((issue) => issue.includes('building_value'))).toEqual(['7 building_value warning placeholder_value'])
  })
  test('has warnings, not errors, for a longitude of 999 and a negative value', async () => {
    const issues = issuesOf(await get())
    expect(issues.filter((issue) => issue.includes('error'))).toEqual([])
    expect(issues).toEqual(expect.arrayContaining(['7 longitude warning bad_coordinates', '8 other_value warning out_of_range']))
  })
  test('has readable words', async () => {
    const { read } = await get()
    expect(read.map(({ fields }) => fields.sprinklered)).toEqual(['full', 'full', 'partial', 'none', 'full', 'full', 'none', 'full'])
    expect(read.map(({ fields }) => fields.property_type)).toEqual([
      'office',
      'warehouse',
      'tech',
      'retail',
      'tech',
      'industrial',
      'office',
      'warehouse',
    ])
    expect([read[3]?.fields.year_built, read[3]?.fields.stories, read[6]?.fields.bi_value]).toEqual([1995, 1, 0])
  })
  test('needs no correction of the mapping', async () => expect(toConfirm(await get())).toEqual([]))
})

about('sov_formulas_blank_rows.xlsx', (get) => {
  test('has one location with a TIV of 30,000,000', async () => {
    const { header, read } = await get()
    expect([header.row, read.length, read[0]?.fields.stated_tiv, read[0]?.issues.map(({ code }) => code)]).toEqual([
      1,
      1,
      30_000_000,
      ['word_to_confirm'],
    ])
  })
  test('needs no confirmation, not even of empty columns', async () => expect(toConfirm(await get())).toEqual([]))
})

about('oed_location_771.csv', (get) => {
  test('has 771 locations and their sums', async () => {
    const { header, read } = await get()
    expect([header.row, read.length]).toEqual([1, 771])
    expect([sumOf(read, 'building_value'), sumOf(read, 'contents_value'), sumOf(read, 'bi_value')]).toEqual([
      5_100_144_295, 2_244_938_510, 1_904_746_539,
    ])
  })
  test('has errors only in the 13 rows without a street', async () => {
    const errors = issuesOf(await get()).filter((issue) => issue.includes('error'))
    expect([errors.length, new Set(errors.map((issue) => issue.replace(/^\d+ /, '')))]).toEqual([
      13,
      new Set(['address error required_missing']),
    ])
  })
  test('needs confirmation for unknown construction codes and numeric names', async () =>
    expect(toConfirm(await get())).toEqual(['ConstructionCode', 'LocName']))
  test('has no mapping for model modifiers and policy terms', async () => {
    const { proposals } = await get()
    const strays = [
      'EquipmentBracing',
      'LocLimit1Building',
      'LocDed1Building',
      'BuildingShape',
      'PortNumber',
      'LocExpiryDate',
      'FloorsOccupied',
    ]
    expect(strays.map((header) => targetOf(proposals, header))).toEqual(strays.map(() => null))
  })
})

about('gsa_buildings_2025_06.xlsx', (get) => {
  test('has 8,645 locations without errors', async () => {
    const read = await get()
    expect([read.header.row, read.read.length, issuesOf(read).filter((issue) => issue.includes('error'))]).toEqual([1, 8_645, []])
  })
  test('has owned and leased buildings', async () => {
    const { read } = await get()
    const count = (interest: string) => read.filter(({ fields }) => fields.interest === interest).length
    expect([count('owned'), count('leased')]).toEqual([1_803, 6_842])
  })
  test('needs confirmation for a type of only building, structure or land', async () =>
    expect(toConfirm(await get())).toEqual(['Real Property Asset Type']))
})

about('hazus_structures_minot.csv', (get) => {
  test('has 12,534 structures and their total cost', async () => {
    const { header, read } = await get()
    expect([header.row, read.length, sumOf(read, 'building_value')]).toEqual([1, 12_534, 2_224_303_991])
  })
  test('lacks street, city and state in every row', async () => {
    const errors = issuesOf(await get()).filter((issue) => issue.includes('error required_missing'))
    expect(errors).toHaveLength(3 * 12_534)
  })
  test('lacks only the street with a constant city and state', async () => {
    const { read } = await readSample(samplePath('hazus_structures_minot.csv'), { constants: { city: 'Minot', state: 'ND' } }).then(
      complete,
    )
    const fields = new Set(read.flatMap(({ issues }) => issues.filter(({ severity }) => severity === 'error').map(({ field }) => field)))
    expect(fields).toEqual(new Set(['address']))
  })
  test('needs no correction of the mapping; the foundation is read from its words', async () => {
    const read = await get()
    expect([
      toConfirm(read),
      targetOf(read.proposals, 'FOUND_TYPE'),
      targetOf(read.proposals, 'FoundationType'),
      targetOf(read.proposals, 'Area'),
    ]).toEqual([[], 'foundation', null, 'floor_area'])
    expect(read.read.filter(({ fields }) => fields.property_type === 'residential').length).toBeGreaterThanOrEqual(9_122 + 897)
  })
})
