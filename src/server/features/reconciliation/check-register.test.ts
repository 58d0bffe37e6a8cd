import { describe, expect, it } from 'vitest'
import { CHECK_IDS } from '#contract/checks.ts'
import { pairKey } from './check-duplicates.ts'
import { checkOne, contextOf, findingsOf, registerFindings, soundProperty } from './checked-property.fixture.ts'
import type { CheckedProperty } from './check.ts'

describe('a property', () => {
  it('has no findings if it breaks no rule', () => {
    expect(findingsOf({})).toEqual([])
  })

  it.each<[string, Partial<CheckedProperty>, string[]]>([
    ['DQ-01 for a placeholder as street', { address: 'TBD' }, ['DQ-01 critical address']],
    ['DQ-01 for a placeholder in words', { address: 'To be determined' }, ['DQ-01 critical address']],
    ['DQ-01 for an empty street', { address: '' }, ['DQ-01 critical address']],
    ['DQ-01 for a street without house number', { address: 'Main Street' }, ['DQ-01 warning address']],
    ['DQ-01 for a British street without a house', { address: 'Mill Lane', country: 'GB', state: null }, ['DQ-01 warning address']],
    ['no check of the name of a British house', { address: 'The Old Mill, Mill Lane', country: 'GB', state: null }, []],
    ['DQ-01 for the name of a house elsewhere', { address: 'The Old Mill, Mill Lane' }, ['DQ-01 warning address']],
    ['DQ-01 for a PO box', { address: 'P.O. Box 12' }, ['DQ-01 warning address']],
    ['DQ-01 for a missing city', { city: ' ' }, ['DQ-01 critical city']],
    ['DQ-01 for a missing ZIP', { postal_code: null }, ['DQ-01 warning postal_code']],
    ['DQ-01 for a short ZIP', { postal_code: '7520' }, ['DQ-01 warning postal_code']],
    ['DQ-02 for a ZIP of another state', { postal_code: '90210' }, ['DQ-02 critical postal_code']],
    ['no check for a ZIP outside the United States', { country: 'GB', state: null, postal_code: '90210' }, []],
    [
      'DQ-03 for a missing construction class',
      { construction_class: null, construction_original: null },
      ['DQ-03 warning construction_class'],
    ],
    ['DQ-04 for a missing year', { year_built: null }, ['DQ-04 warning year_built']],
    ['DQ-04 for a year that means unknown', { year_built: 9999 }, ['DQ-04 warning year_built']],
    ['DQ-05 for missing stories', { stories: null }, ['DQ-05 warning stories']],
    ['DQ-05 for a missing area', { floor_area: null }, ['DQ-05 warning floor_area']],
    ['DQ-06 for an unknown type', { property_type: 'unknown', occupancy_original: null }, ['DQ-06 warning property_type']],
    ['DQ-06 for the type Other', { property_type: 'other', occupancy_original: null }, ['DQ-06 warning property_type']],
    ['DQ-07 for a high value', { sprinklered: 'unknown', percent_sprinklered: null }, ['DQ-07 warning sprinklered']],
    ['DQ-07 for a low value', { sprinklered: 'unknown', percent_sprinklered: null, tiv: 4_999_999 }, ['DQ-07 info sprinklered']],
    ['DQ-08 for a missing position', { latitude: null, longitude: null }, ['DQ-08 warning latitude']],
    ['DQ-08 for a coarse position', { geocode_level: '7' }, ['DQ-08 warning geocode_level']],
    ['DQ-08 for a position outside the state', { latitude: 40.7, longitude: -74 }, ['DQ-08 warning latitude']],
    [
      'DQ-10 for a property without values',
      { building_value: null, contents_value: 0, bi_value: null, tiv: 0 },
      ['DQ-10 critical building_value'],
    ],
    ['DQ-10 for a missing building value', { building_value: null }, ['DQ-10 critical building_value']],
    ['DQ-10 for an owned building with a value of 0', { building_value: 0 }, ['DQ-10 critical building_value']],
    ['no check for a value of 0 of land', { building_value: 0, occupancy_original: 'Vacant land' }, []],
    ['no check for a value of 0 of a leased property', { building_value: 0, interest: 'leased' }, []],
    ['no check for a missing building value of a leased property', { building_value: null, interest: 'leased' }, []],
    ['DQ-11 for a high value', { building_value: 40_000_000, floor_area: 50_000 }, ['DQ-11 warning building_value']],
    ['DQ-11 for more than twice the high end', { building_value: 71_000_000, floor_area: 50_000 }, ['DQ-11 critical building_value']],
    ['DQ-11 for a low value', { building_value: 6_500_000, floor_area: 50_000 }, ['DQ-11 warning building_value']],
    ['no check of a value within 10% of the band', { building_value: 7_000_000, floor_area: 50_000 }, []],
    ['no check of the value band of a leased property', { building_value: 1_000_000, floor_area: 50_000, interest: 'leased' }, []],
    ['no check of the value band of infrastructure', { building_value: 90_000_000, floor_area: 50_000, property_type: 'utility' }, []],
    ['no check of the value band in Canadian dollars', { building_value: 40_000_000, floor_area: 50_000, currency: 'CAD' }, []],
    [
      'DQ-03 once for a construction text that was not understood',
      { construction_class: null, construction_original: '555451' },
      ['DQ-03 warning construction_class'],
    ],
    [
      'DQ-06 once for an occupancy text without a type',
      { property_type: 'other', occupancy_original: 'stables' },
      ['DQ-06 warning property_type'],
    ],
    [
      'no missing characteristics for land without a building',
      { occupancy_original: 'LAND', construction_class: null, year_built: null, stories: null, floor_area: null },
      [],
    ],
    ['no DQ-14 while a value is missing', { building_value: null, stated_tiv: 20_000_000 }, ['DQ-10 critical building_value']],
    ['DQ-14 for another stated total', { stated_tiv: 20_000_000 }, ['DQ-14 warning stated_tiv']],
    ['DQ-15 for a missing date', { valuation_date: null }, ['DQ-15 warning valuation_date']],
    ['no check for a valuation of exactly 36 months ago', { valuation_date: '2023-11-21' }, []],
    ['DQ-15 for an older valuation', { valuation_date: '2023-11-20' }, ['DQ-15 warning valuation_date']],
    ['DQ-15 for a valuation older than 60 months', { valuation_date: '2021-11-20' }, ['DQ-15 critical valuation_date']],
    ['DQ-15 once for a missing date and another basis', { valuation_date: null, valuation_basis: 'acv' }, ['DQ-15 warning valuation_date']],
    ['DQ-15 for another basis', { valuation_basis: 'acv' }, ['DQ-15 info valuation_basis']],
    ['only DQ-11 for less than 80% of the band', { building_value: 5_900_000, floor_area: 50_000 }, ['DQ-11 warning building_value']],
    [
      'only DQ-17 for less than 80% of an appraisal',
      { building_value: 5_900_000, floor_area: 50_000, appraisals: { 'Appraised RCV': '$12,000,000' } },
      ['DQ-17 critical building_value'],
    ],
    [
      'DQ-17 for less than 80% of a cost model',
      { building_value: 15_000_000, appraisals: { 'Marshall & Swift': '20000000' } },
      ['DQ-17 warning building_value'],
    ],
    ['no check against the value of a tax assessor', { building_value: 15_000_000, appraisals: { 'Appraised value': '20000000' } }, []],
    ['no check against an appraisal at least 80% covered', { appraisals: { 'Appraisal replacement cost': '18,000,000' } }, []],
  ])('has the findings of %s', (_rule, changes, expected) => {
    expect(findingsOf(changes)).toEqual(expected)
  })

  it.each<[string, Partial<CheckedProperty>, string]>([
    ['seven stories of frame', { construction_class: '1', stories: 7 }, 'stories'],
    ['joisted masonry of 1799', { construction_class: '2', year_built: 1799 }, 'year_built'],
    ['a parking structure of eleven stories', { property_type: 'parking', stories: 11, building_value: 5_000_000 }, 'stories'],
    [
      'less than 400 sq ft a story',
      { stories: 3, floor_area: 1199, building_value: 300_000, contents_value: 0, bi_value: 0 },
      'floor_area',
    ],
    [
      'a home of less than 250 sq ft a story',
      { property_type: 'residential', stories: 2, floor_area: 499, building_value: 100_000, contents_value: 0, bi_value: 0 },
      'floor_area',
    ],
    ['a mobile home of masonry', { occupancy_original: 'Mobile home', construction_class: '2' }, 'construction_class'],
    ['contents of more than ten times the building', { contents_value: 200_000_000 }, 'contents_value'],
    ['business income of more than ten times the building', { bi_value: 200_000_000 }, 'bi_value'],
    ['contents and business income of more than ten times the building, once', { contents_value: 2e8, bi_value: 2e8 }, 'contents_value'],
    ['full sprinklers at 50%', { percent_sprinklered: 50 }, 'percent_sprinklered'],
    ['a roof older than the building', { year_built: 1990, roof_year: 1980 }, 'roof_year'],
    ['a building of next year', { year_built: 2027 }, 'year_built'],
  ])('has the finding DQ-13 for %s', (_rule, changes, field) => {
    expect(findingsOf(changes)).toEqual([`DQ-13 warning ${field}`])
  })

  it.each<[string, Partial<CheckedProperty>]>([
    ['a tenant with small area for its stories', { interest: 'leased', stories: 3, floor_area: 900 }],
    ['a tenant with large contents', { interest: 'leased', contents_value: 200_000_000 }],
    ['a frame building of seven stories that is not insured', { construction_class: '1', stories: 7, building_value: 0, interest: null }],
    ['a home of 380 sq ft a story', { property_type: 'residential', stories: 2, floor_area: 760, building_value: 150_000, bi_value: 0 }],
  ])('has no finding DQ-13 for %s', (_rule, changes) => {
    expect(findingsOf(changes)).toEqual([])
  })

  it.each<[string, Partial<CheckedProperty>, string]>([
    ['the construction text', { construction_class: null, construction_original: 'Stilts' }, 'Construction "Stilts" was not understood'],
    ['the occupancy text', { property_type: 'other', occupancy_original: 'Stables' }, 'Occupancy "Stables" matches no property type'],
    ['no text that means unknown', { construction_class: null, construction_original: 'OED 5000' }, 'Construction (ISO) is missing'],
    ['the missing date of the values', { valuation_date: null }, 'No valuation date. Enter the date of the valuation.'],
    ['the stated total of a missing value', { building_value: null, stated_tiv: 20_000_000 }, 'The TIV as given is $20,000,000.'],
    ['the appraisal', { appraisals: { 'Appraisal RCV': '30,000,000' } }, '50% of the $30,000,000 in "Appraisal RCV"'],
  ])('has a finding that names %s', (_rule, changes, text) => {
    expect(checkOne(soundProperty(changes)).map(({ message }) => message)).toEqual([expect.stringContaining(text)])
  })

  it.each(['One Lakeshore Center', 'Niagara & Riverway Sts', 'NHN Bumble Bee Access Rd'])('has no address finding for %s', (address) => {
    expect(findingsOf({ address })).toEqual([])
  })
  it('has an address finding for a building as address', () => {
    expect(findingsOf({ address: 'Smith & Sons Depot' })).toEqual(['DQ-01 warning address'])
  })

  it('has the address finding of a placeholder with a number', () => {
    expect(findingsOf({ address: '1 Unknown St' })).toEqual(['DQ-01 critical address'])
  })

  it('has findings that say what is wrong and what to do, without the name of the document in the message', () => {
    const sources = { year_built: { source: 'import', by: null, at: '2026-01-02T00:00:00Z', ref: 'SOV.xlsx, cell K14' } }
    const [finding] = checkOne(soundProperty({ year_built: null, sources }))
    expect(finding?.message).toBe('Year built is missing. Enter the year, or take it from a document.')
    expect(finding?.place_at).toBe('Year built is missing'.length)
    expect(finding?.left_value).toEqual({ source: 'register', value: null, as_of: '2026-01-02T00:00:00Z', ref: 'SOV.xlsx, cell K14' })
  })
})

describe('the settings of a company', () => {
  it('can switch off a check', () => {
    expect(findingsOf({ year_built: null }, { checks: { 'DQ-04': { enabled: false } } })).toEqual([])
  })
  it('can change a severity', () => {
    expect(findingsOf({ year_built: null }, { checks: { 'DQ-04': { severity: { usual: 'critical' } } } })).toEqual([
      'DQ-04 critical year_built',
    ])
  })
  it('can change a number', () => {
    expect(findingsOf({ valuation_date: '2025-06-01' }, { numbers: { staleMonths: 12 } })).toEqual(['DQ-15 warning valuation_date'])
  })
  it('can change a value band', () => {
    expect(findingsOf({ building_value: 40_000_000, floor_area: 50_000 }, { value_bands: { office: [150, 900] } })).toEqual([])
  })
  it('leave every check on if they are empty', () => {
    const { enabled } = contextOf({})
    expect(CHECK_IDS.filter((check) => !enabled(check))).toEqual([])
  })
})

describe('the fingerprint of a finding', () => {
  const fingerprints = (changes: Partial<CheckedProperty>) =>
    checkOne(soundProperty({ id: 'p', ...changes })).map(({ fingerprint }) => fingerprint)
  it('stays the same while the value does, regardless of other changes', () => {
    expect(fingerprints({ address: 'Elm  Street', tiv: 1 })).toEqual(fingerprints({ address: 'elm street', property_name: 'New name' }))
    expect(fingerprints({ valuation_date: '2023-11-20' })).toHaveLength(1)
  })
  it('changes with the value', () => {
    expect(fingerprints({ address: 'Elm Street' })).not.toEqual(fingerprints({ address: 'Oak Street' }))
  })
})

describe('a check of the whole register', () => {
  const summary = async (...input: Parameters<typeof registerFindings>) =>
    (await registerFindings(...input)).map(({ check_id, severity, property_id }) => ({ check_id, severity, property_id }))
  const many = (count: number, changes: Partial<CheckedProperty>) => Array.from({ length: count }, () => soundProperty(changes))

  it('DQ-09 finds the later of two similar entries, once', async () => {
    const first = soundProperty({ property_name: 'Sky Park Office' })
    const second = soundProperty({ ...first, id: `${first.id}b`, location_number: '99', property_name: 'Sky Park (entered twice)' })
    expect(await summary([second, first, ...many(9, {})])).toEqual([{ check_id: 'DQ-09', severity: 'critical', property_id: second.id }])
  })
  it('DQ-09 accepts two buildings of one address', async () => {
    const first = soundProperty()
    expect(await summary([first, soundProperty({ ...first, id: `${first.id}b`, building_number: '2' }), ...many(9, {})])).toEqual([])
  })
  it('DQ-09 accepts two suites of one building', async () => {
    const first = soundProperty({ address_2: 'Suite 100' })
    const second = soundProperty({ ...first, id: `${first.id}b`, address_2: 'Suite 200', address_key: 'other' })
    expect(await summary([first, second, ...many(9, {})])).toEqual([])
  })
  it('DQ-09 gives no points for the default building number', async () => {
    const sameBuilding = async (building_number: string) => {
      const first = soundProperty({ building_number, property_name: null, building_value: 0, contents_value: 0, bi_value: 0 })
      const findings = await summary([first, soundProperty({ ...first, id: `${first.id}b`, address_key: 'other' })])
      return findings.map(({ check_id }) => check_id).filter((check) => check === 'DQ-09')
    }
    expect([await sameBuilding('1'), await sameBuilding('7')]).toEqual([[], ['DQ-09']])
  })
  it.each<[string, Partial<CheckedProperty>]>([
    ['value', { building_value: 10_000_000 }],
    ['area', { floor_area: 60_000 }],
    ['name', { property_name: 'Gate house' }],
    ['property type', { property_type: 'government' }],
    ['construction', { construction_class: '6' }],
    ['year', { year_built: 1944 }],
    ['client reference', { external_id: 'B-2' }],
  ])('DQ-09 counts a different %s at one address against a duplicate', async (_fact, changes) => {
    const bare = {
      floor_area: null,
      building_value: null,
      contents_value: null,
      bi_value: null,
      tiv: 0,
      property_name: null,
      year_built: null,
    }
    const base = { ...bare, address_key: 'one', ...('building_value' in changes && { building_value: 15_000_000, tiv: 15_000_000 }) }
    const known = { floor_area: 50_000, property_name: 'Main office', year_built: 1990, external_id: 'A-1' }
    const kept = Object.fromEntries(Object.entries(known).filter(([name]) => name in changes))
    const shared = { stories: 2, ...base, ...kept }
    const duplicates = async (second: Partial<CheckedProperty>) =>
      (await registerFindings([soundProperty(shared), soundProperty({ ...shared, ...second })])).filter(
        ({ check_id }) => check_id === 'DQ-09',
      )
    expect(await duplicates({})).toHaveLength(1)
    expect(await duplicates({ ...changes, ...('building_value' in changes && { tiv: 10_000_000 }) })).toEqual([])
  })
  it('DQ-09 accepts two buildings that differ in the number or letter of their names', async () => {
    for (const [one, other] of [
      ['Fed Ctr Shed 13', 'Fed Ctr Shed 14'],
      ['Warehouse A', 'Warehouse B'],
    ] as const) {
      const first = soundProperty({ property_name: one })
      expect(await summary([first, soundProperty({ ...first, id: `${first.id}b`, property_name: other }), ...many(9, {})])).toEqual([])
    }
  })
  it('DQ-09 warns about two entries at one place on the map with the same value and name', async () => {
    const first = soundProperty({ property_name: 'Main office' })
    const second = soundProperty({
      latitude: (first.latitude ?? 0) + 0.0002,
      property_name: first.property_name,
      year_built: first.year_built,
      stories: first.stories,
      address_key: null,
    })
    expect(await summary([first, second, ...many(9, {})])).toEqual([{ check_id: 'DQ-09', severity: 'warning', property_id: second.id }])
  })
  it('DQ-09 accepts neighbors with addresses of their own', async () => {
    const first = soundProperty()
    const second = soundProperty({ latitude: (first.latitude ?? 0) + 0.0002, building_value: 17_000_000 })
    expect(await summary([first, second, ...many(9, {})])).toEqual([])
  })
  it('DQ-09 ignores a pair that a user decided is no duplicate', async () => {
    const first = soundProperty()
    const second = soundProperty({ ...first, id: `${first.id}b` })
    expect(await summary([first, second, ...many(9, {})], new Set([pairKey(second.id, first.id)]))).toEqual([])
  })
  it('DQ-16 finds one value on at least five properties and a fifth of all', async () => {
    expect(await summary([...many(4, { year_built: 1900 }), ...many(4, {})])).toEqual([])
    const findings = await summary([...many(5, { year_built: 1900 }), ...many(20, {})])
    expect(findings.map(({ check_id, severity }) => `${check_id} ${severity}`)).toEqual(Array.from({ length: 5 }, () => 'DQ-16 info'))
  })
  it('DQ-16 ignores stories, and years that are not round', async () => {
    expect(await summary(many(10, { stories: 2, year_built: 1987 }))).toEqual([])
  })
  it('DQ-18 finds the address with more than a quarter of the value, from ten locations on', async () => {
    const large = soundProperty({ building_value: 90_000_000, floor_area: 300_000 })
    expect(await summary([...many(9, {}), large])).toEqual([{ check_id: 'DQ-18', severity: 'info', property_id: large.id }])
    expect(await summary([...many(8, {}), large])).toEqual([])
    expect(await summary([...many(8, {}), large, soundProperty({ ...large, id: `${large.id}b`, building_number: '2' })])).toEqual([])
  })
  it('DQ-18 counts only locations that have a value', async () => {
    const large = soundProperty({ building_value: 90_000_000, floor_area: 300_000 })
    const unvalued = many(13, { building_value: null, contents_value: null, bi_value: null })
    const concentrated = async (valued: number) =>
      (await summary([...many(valued, {}), ...unvalued, large])).filter(({ check_id }) => check_id === 'DQ-18')
    expect(await concentrated(0)).toEqual([])
    expect(await concentrated(8)).toEqual([])
    expect(await concentrated(9)).toHaveLength(1)
  })
})
