import { describe, expect, test } from 'vitest'
import { HEADER_SYNONYMS, isFieldName } from './header-synonyms.ts'
import { normalizeHeader, scoreHeader } from './headers.ts'

const best = (header: string) => scoreHeader(normalizeHeader(header))[0]

describe('a header is compared by its words', () => {
  test.each([
    ['Loc\n#', 'location number'],
    ['PropertyName', 'property name'],
    ['tiv_2025', 'tiv'],
    ['2025 Building Value', 'building value'],
    ['Bldg Value 2025', 'building value'],
    ['ISO Const.\nClass', 'iso construction class'],
    ['% Sprink.', 'percent sprinkler'],
    ['Sq. Ft.', 'square feet'],
    ['St.', 'state'],
    ['2025', '2025'],
    ['Building Value ($000s)', 'building value'],
    ['TIV (USD)', 'tiv'],
    ["Building Value ('000)", 'building value'],
    ['TIV ($000)', 'tiv'],
    ['FY27 BI 12mo', 'bi'],
    ['Contents €', 'contents'],
    ['Floor Area (m²)', 'floor area'],
    ['USD', 'usd'],
    ['RCVBuilding', 'rcv building'],
    ['bldg_value', 'building value'],
    ['Building EUR Value', 'building value'],
  ])('%j becomes %s', (header, words) => expect(normalizeHeader(header).words).toBe(words))

  test('the year of a header is returned separately', () =>
    expect(['TIV 2024', 'TIV', "PD '08", 'RCV ’26'].map((header) => normalizeHeader(header).year)).toEqual([2024, null, 2008, 2026]))
  test.each([
    'Area (m2)',
    'Area m²',
    'Area sq m',
    'Area (sq.m.)',
    'Area sqm',
    'Area sq. m',
    'Area in square meters',
    'Mètres carrés',
    'Metros cuadrados',
  ])('%s is in square meters', (header) => expect(normalizeHeader(header).squareMeters).toBe(true))
  test.each(['Sq Ft', 'Area', 'M2M contract'])('%s is not in square meters', (header) =>
    expect(normalizeHeader(header).squareMeters).toBe(false),
  )
  test.each([
    ['Bldg Value (in thousands)', 1_000],
    ['TIV ($000)', 1_000],
    ['Contents (000s)', 1_000],
    ['BI $mm', 1_000_000],
    ['Building Value', 1],
  ])('%s announces the factor %d', (header, factor) => expect(normalizeHeader(header).factor).toBe(factor))
})

describe('what a header may mean', () => {
  test('every synonym matches its own field', () => {
    for (const { target, header } of HEADER_SYNONYMS) {
      const targets = scoreHeader(normalizeHeader(header))
        .filter(({ score }) => score === 1)
        .map((entry) => entry.target)
      expect(targets, header).toContain(target)
    }
  })
  test('nearly every importable field has synonyms', () => {
    const named = new Set(HEADER_SYNONYMS.map(({ target }) => target).filter(isFieldName))
    expect(named.size).toBeGreaterThan(50)
  })
  test.each([
    ['PD', 'building_value', 1],
    ["PD '08", 'building_value', 1],
    ['Property Damage Value', 'building_value', 1],
    ['Value Building', 'building_value', 0.9],
    ['Bldg Value', 'building_value', 1],
    ['AreaCode', 'state', 1],
    ['BITIV', 'bi_value', 1],
    ['Roof Construction', 'roof_cover', 1],
    ['Reconstruction Date', 'year_upgraded', 1],
    ['Construction', 'construction_class', 1],
    ['Owned / Leased', 'interest', 1],
    ['2024 - Increase 10%', 'ignore', 1],
    ['Contents %', 'ignore', 1],
    ['Contents (% of Bldg)', 'ignore', 1],
    ['Contents Change', 'ignore', 1],
    ['Valution Date', 'valuation_date', 1],
    ['GFA', 'floor_area', 1],
    ['policyID', 'location_number', 1],
    ['Année de construction', 'year_built', 1],
    ['N° de bâtiment', 'building_number', 1],
    ['Nombre d’étages', 'stories', 1],
    ['Valeur du bâtiment (EUR)', 'building_value', 1],
    ['Pertes d’exploitation', 'bi_value', 1],
    ['Superficie (m²)', 'floor_area', 1],
    ['Dirección', 'address', 1],
    ['Código postal', 'postal_code', 1],
    ['Año de construcción', 'year_built', 1],
    ['Número de pisos', 'stories', 1],
    ['Suma asegurada', 'stated_tiv', 1],
    ['Valor de reposición 2026', 'building_value', 1],
    ['Standort-Nr.', 'location_number', 1],
    ['Straße', 'address', 1],
    ['Fläche m²', 'floor_area', 1],
    ['Betriebsunterbrechung (€)', 'bi_value', 1],
  ])('%s is %s with a score of %d', (header, target, score) => expect(best(header)).toMatchObject({ target, score }))
  test.each([
    ['Site', 'location_group'],
    ['Area', 'state'],
    ['Unit Number', 'address_2'],
  ])('%s, a name of two fields, is %s first, where it is more usual', (header, target) =>
    expect(best(header)).toMatchObject({ target, score: 1 }),
  )
  test('shared words score between 0.6 and 0.85', () => {
    const { score = 0, target } = best('Building Replacement Cost Estimate') ?? {}
    expect(target).toBe('building_value')
    expect(score).toBeGreaterThanOrEqual(0.6)
    expect(score).toBeLessThanOrEqual(0.85)
  })
  test('generic words alone match no field', () => expect(best('Building Shape')).toBeUndefined())
  test('words with common letters match no field', () => expect(best('Buildup Valve')).toBeUndefined())
})
