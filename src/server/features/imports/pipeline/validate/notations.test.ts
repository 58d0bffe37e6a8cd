import { describe, expect, test } from 'vitest'
import type { PropertyFieldName } from '#contract/property-fields.ts'
import { SETTINGS } from '#server/features/imports/imports.fixture.ts'
import { columnStyle } from '#server/features/imports/pipeline/map/column-style.ts'
import { parseNumber } from '#server/features/imports/pipeline/read/cells.ts'
import { normalizeHeader } from '#server/features/imports/pipeline/read/headers.ts'
import { readCell } from './read-cell.ts'
import { isUnreadable, type ColumnStyle, type FilledCell } from './results.ts'

/** The notations that people use in schedules, by kind of field; undefined where a cell cannot be read. */
const PLAIN = columnStyle(normalizeHeader(''), [], SETTINGS)
const read = (field: PropertyFieldName, cell: FilledCell, over: Partial<ColumnStyle> = {}) => {
  const result = readCell(cell, field, { ...PLAIN, ...over })
  return isUnreadable(result) ? undefined : result.value
}
const all = (field: PropertyFieldName, cells: FilledCell[], over: Partial<ColumnStyle> = {}) => cells.map((cell) => read(field, cell, over))

describe('an amount', () => {
  test('may have a currency, a suffix and parentheses', () => {
    expect(all('bi_value', ['US$ 5', 'C$5', '£5', '€ 5', '5 EUR', '5 dollars', 'GBP 5 usd'])).toEqual([5, 5, 5, 5, 5, 5, 5])
    expect(all('bi_value', ['2k', '2 thousand', '2mil', '2 mio', '2 million', '2m.', '1bn', '1 billion', '1B'])).toEqual([
      2e3, 2e3, 2e6, 2e6, 2e6, 2e6, 1e9, 1e9, 1e9,
    ])
    expect(all('bi_value', ['(0)', '5 zorp', '1e3', '.5', '5.', '12,34', '5m x', '5(2)', '5)2'])).toEqual([
      0,
      undefined,
      1000,
      1,
      5,
      undefined,
      undefined,
      undefined,
      undefined,
    ])
  })
  test('is rounded to whole units after the factor, which an amount with its own multiple does not have', () => {
    expect(all('bi_value', [1.4, 1.5, '2.49'], { factor: 1 })).toEqual([1, 2, 2])
    expect(all('bi_value', [1.4, '1.4k'], { factor: 1_000 })).toEqual([1_400, 1_400])
    expect(all('bi_value', [' 7 ', '1 234', "1'234", '–5', '0'])).toEqual([7, 1234, 1234, undefined, 0])
  })
  test('may be written as nothing or as included elsewhere', () => {
    expect(all('bi_value', ['--', '—', 'NIL', 'zero', 'no value'])).toEqual([0, 0, 0, 0, 0])
    expect(all('bi_value', ['Including stock', '(incl.)', 'see above', 'w/bldg', 'with building', 'in TIV'])).toEqual(Array(6).fill(null))
  })
})

describe('a number', () => {
  test('is read in American or European notation', () => {
    expect(['1,234.5', '(5)', '1.234', '−5', '+5', '1,2345', '1 000', '', '5%'].map((text) => parseNumber(text, false))).toEqual([
      1234.5,
      -5,
      1.234,
      -5,
      5,
      undefined,
      1000,
      undefined,
      undefined,
    ])
    expect(['1,25,00,000', '12,50,000.50', '-2,00,000', '1,25,00'].map((text) => parseNumber(text, false))).toEqual([
      12_500_000,
      1_250_000.5,
      -200_000,
      undefined,
    ])
    expect(['.25', '1e12', '1.5e+3', '2E-1', '1ex', '5.'].map((text) => parseNumber(text, false))).toEqual([
      0.25,
      1e12,
      1500,
      0.2,
      undefined,
      5,
    ])
    expect(['1.234,5', '1.234', '0,5', '5'].map((text) => parseNumber(text, true))).toEqual([1234.5, 1234, 0.5, 5])
    expect(['4200000.00', '1.5'].map((text) => parseNumber(text, true))).toEqual([undefined, undefined])
  })
  test('may have a unit of its field', () => {
    expect(all('hydrant_distance_ft', ['500 ft', "500'", '500 feet.', '500ft'])).toEqual([500, 500, 500, 500])
    expect(all('fire_station_miles', ['2 miles', '2.5mi', '2 mile'])).toEqual([2, 2.5, 2])
    expect(all('units', ['12 units', '12 beds', '1 room', '0', 1_000_000, 1_000_001, '-', 'none'])).toEqual([
      12,
      12,
      1,
      0,
      1_000_000,
      undefined,
      null,
      null,
    ])
  })
  test('that is not a text is never European', () => {
    const european = { european: true }
    expect([read('fire_station_miles', 1.5, european), read('floor_area', 1234.5, european)]).toEqual([1.5, 1234.5])
    expect([read('bi_value', 1234.25, european), read('stories', 2.5, european)]).toEqual([1234, 2.5])
    expect(read('bi_months', 182.5, { ...european, days: true })).toBe(6)
  })
  test('of months may be given in days', () => {
    expect(all('bi_months', ['180days', '30 day', '180 days ago'], { days: true })).toEqual([6, 1, undefined])
    expect(all('bi_months', ['1 month', '1 mo.'])).toEqual([1, 1])
    expect(all('units', ['1 unit', '1 bed', '2 rooms'])).toEqual([1, 1, 2])
    expect(all('bi_months', [365, '180 days', 10, '0', 'zorp'], { days: true })).toEqual([12, 6, 1, null, undefined])
    expect(all('bi_months', [12, '12 months', '6 mos', 0])).toEqual([12, 12, 6, null])
  })
  test('of basement levels may be a word', () =>
    expect(all('basement_levels', ['Yes', 'y', true, 'Full', 'partial', 'No', 'n', false, 'none', 'slab', 2, '2'])).toEqual([
      1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 2, 2,
    ]))
})

describe('an area', () => {
  test('may have a unit, and is in square meters if the column is', () => {
    expect(all('floor_area', ['approx. 500 sq. ft.', '~500', '500 +/- sf', '500 GSF', '500 square feet', '1,500'])).toEqual([
      500, 500, 500, 500, 500, 1500,
    ])
    expect(all('floor_area', ['100 sqm', '100 m²', '100 square meters'])).toEqual([1076, 1076, 1076])
    expect(all('floor_area', [100, '100', '100 sf', '100 sf x'], { squareMeters: true })).toEqual([1076, 1076, 100, undefined])
    expect(all('floor_area', [-1, 20_000_000, 20_000_001, 'x 500'])).toEqual([undefined, 20_000_000, undefined, undefined])
  })
})

describe('a percentage', () => {
  test('is a share in a column of shares, unless it has a sign', () => {
    expect(all('percent_occupied', [0.5, '0.5', '50%', '50 pct', '50 percent', ' 50 '], { share: true })).toEqual([
      50,
      50,
      50,
      50,
      50,
      undefined,
    ])
    expect(all('percent_occupied', [0, 100, 33.333, '45.678%', -1, ' TBD ', '-'])).toEqual([0, 100, 33.33, 45.68, undefined, null, null])
    expect(all('percent_occupied', [25, '100%'], { inverted: true })).toEqual([75, 0])
  })
})

describe('the number of stories', () => {
  test('may be a word, a range or have a basement', () => {
    expect(all('stories', ['Three', 'twenty', '2 floors', '2 fl.', '1 story', '3 storeys', '2.5'])).toEqual([3, 20, 2, 2, 1, 3, 2.5])
    expect(all('stories', ['2 to 4', '4/2', '10-12 stories', '2–3', 'G + 12', 'g+1'])).toEqual([4, 4, 12, 3, 13, 2])
    expect(all('stories', ['12 & basement', 'two with a bsmt.', '3w/b', '2 and basement', '1 + bsmt'])).toEqual([12, 2, 3, 2, 1])
    expect(readCell('2 with basement', 'stories', PLAIN).derived).toEqual({ basement_levels: 1 })
    expect(all('stories', ['high rise', 'Various', 'varies', 'none', '-', 1, 150, -1])).toEqual([
      null,
      null,
      null,
      null,
      null,
      1,
      150,
      undefined,
    ])
    expect(all('stories', ['2 + bsmt storage', 'big g+3', 'g+3 tower', 'low risers', '1-3 towers', 'about 1-3'])).toEqual(
      Array(6).fill(undefined),
    )
  })
})

describe('a year', () => {
  test('may be approximate, a date, two years or two digits', () => {
    expect(all('year_built', ['ca. 1985', '~1985', 'est 1985', '1985?', '1985 (est)', "the 1960's", '1,985', 'Built 1985'])).toEqual([
      1985, 1985, 1985, 1985, 1985, 1965, 1985, 1985,
    ])
    expect(all('year_built', ['5/1/1985', '1985-05-01', '1985; 2015', '1985 renovated 2015', 26, 27, 10, 9])).toEqual([
      1985,
      1985,
      1985,
      1985,
      2026,
      1927,
      2010,
      undefined,
    ])
    expect(all('year_built', [99, 100, '12/31/1985'])).toEqual([1999, undefined, 1985])
    expect(all('year_built', ['5/1/19850', 'on 5/1/1985', 'on 1985-05-01'])).toEqual(Array(3).fill(undefined))
    expect(all('year_built', [1700, 1699, 2029, 'various', 'none', '1111'])).toEqual([1700, undefined, 2029, null, null, null])
    expect(all('roof_year', [20, 199, 200, 1985], { age: true })).toEqual([2006, 1827, undefined, 1985])
    for (const text of ['1985 reno 2015', '1985 (reno 2015)', '1985 (remodeled in 2015)', '1985/2015'])
      expect(readCell(text, 'year_built', PLAIN)).toEqual({ value: 1985, derived: { year_upgraded: 2015 } })
  })
  test('that is only limited stays empty, with a warning and the year as a suggestion', () => {
    for (const text of ['pre-1950', '1950+', 'after 1950', '<1950', 'before 1950', '1950 or older', 'post-1950'])
      expect([text, readCell(text, 'year_built', PLAIN)]).toMatchObject([
        text,
        { value: null, problem: { code: 'placeholder_value', suggestion: '1950' } },
      ])
  })
  test('has no renovation in a range of years, one that is denied, or one that is no year', () => {
    const [range, denied, wrong] = ['1985-1990', '1985, not renovated 2010', '1985/9999'].map((text) => readCell(text, 'year_built', PLAIN))
    expect(range).toMatchObject({ value: 1985, problem: { code: 'placeholder_value', severity: 'warning' } })
    expect([range?.derived, denied?.derived, wrong?.derived]).toEqual([undefined, undefined, undefined])
    expect([denied?.value, wrong?.value, wrong?.problem?.code]).toEqual([null, 1985, 'placeholder_value'])
  })
})

describe('a date', () => {
  test('may be written with the name of the month, as a number of days or as a year', () => {
    expect(all('valuation_date', ['March 5, 2025', 'Mar 5 2025', 'Mar. 5th, 2025', '5 March 2025', '5-Mar-71', '05MAR2025'])).toEqual([
      '2025-03-05',
      '2025-03-05',
      '2025-03-05',
      '2025-03-05',
      '1971-03-05',
      '2025-03-05',
    ])
    const unclear = ['on March 5, 2025', 'March 5, 20251', '0025-03-05', '2025-13-05', '2025-04-31']
    expect(all('valuation_date', ['March 15, 2025', ...unclear])).toEqual(['2025-03-15', ...unclear.map(() => undefined)])
    expect(all('valuation_date', [20_000, 45_658.7, 19_999, '80001', 'FY2025', '2025.00', '2025/3/5', '2025-03-05T10:00'])).toEqual([
      '1954-10-03',
      '2025-01-01',
      undefined,
      undefined,
      '2025-01-01',
      '2025-01-01',
      '2025-03-05',
      '2025-03-05',
    ])
  })
  test('has the day first if the column has, or if it must', () => {
    const cells = ['3.4.2025', '13/4/2025', '4-13-2025', '3/4/70', '3/4/71', '3/4/025', 'on 3/4/2025', 'due 5 March 2025']
    expect(all('valuation_date', cells)).toEqual([
      '2025-03-04',
      '2025-04-13',
      '2025-04-13',
      undefined,
      '1971-03-04',
      undefined,
      undefined,
      undefined,
    ])
    expect(all('valuation_date', cells.slice(0, 3), { dayFirst: true })).toEqual(['2025-04-03', '2025-04-13', '2025-04-13'])
    expect(all('valuation_date', [...cells.slice(0, 3), '4/4/2025'], { unclearDates: true })).toEqual([
      undefined,
      '2025-04-13',
      '2025-04-13',
      '2025-04-04',
    ])
    expect(all('valuation_date', ['2026-11-21', '2026-11-22', '13/13/2025', '0/1/2025', '5-Zor-2025', '-', 'TBD'])).toEqual([
      '2026-11-21',
      undefined,
      undefined,
      undefined,
      undefined,
      null,
      null,
    ])
  })
})

describe('a coordinate', () => {
  test('may have a side, minutes and seconds', () => {
    expect(all('longitude', ['W 74.5', '74,5 W', '-74.5', 'E74.5°', '74.5S', "74°30'W", '-74 30 0', '74d 30m N'])).toEqual([
      -74.5, -74.5, -74.5, 74.5, -74.5, -74.5, -74.5, 74.5,
    ])
    expect(all('latitude', [40.123456789, '40.123456789', '1234', 'TBD', `40° 30' 36" N`])).toEqual([
      40.123456789,
      40.1234568,
      undefined,
      null,
      40.51,
    ])
  })
})
