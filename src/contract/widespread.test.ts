import { describe, expect, it } from 'vitest'
import { isWidespread, scheduleSentence } from './widespread.ts'

const on = (field: string, count: number, empty = true) => ({ field, empty, count })

describe('a check', () => {
  it('is widespread if it hits more than 80% of the properties, and at least five', () => {
    expect([isWidespread(80, 100), isWidespread(81, 100), isWidespread(4, 4), isWidespread(5, 5), isWidespread(0, 0)]).toEqual([
      false,
      true,
      false,
      true,
      false,
    ])
  })
})

describe('the sentence about a schedule', () => {
  it('says on how many properties something is missing and what to do', () => {
    expect(scheduleSentence('DQ-07', 756, [on('sprinklered', 756, false)], 756)).toBe(
      'Sprinkler protection is missing on all 756 properties: ask for one column',
    )
    expect(scheduleSentence('DQ-07', 7_000, [on('sprinklered', 7_000, false)], 8_645)).toBe(
      'Sprinkler protection is missing on 7,000 of 8,645 properties: ask for one column',
    )
  })
  it('names each field if one of them is widespread', () => {
    const fields = [on('stories', 7), on('floor_area', 100)]
    expect(scheduleSentence('DQ-05', 100, fields, 100)).toBe(
      'The floor area is missing on all 100 properties: ask for one column. The number of stories is missing on 7 of 100 properties: ask for the missing ones',
    )
    expect(scheduleSentence('DQ-05', 100, fields, 100, false)).toBe(
      'The floor area is missing on most properties: ask for one column. The number of stories is missing on some properties: ask for the missing ones',
    )
    expect(scheduleSentence('DQ-15', 100, [on('valuation_basis', 98, false), on('valuation_date', 2, false)], 100)).toContain(
      'The values are too old on 2 of 100 properties: ask for current values',
    )
    expect(scheduleSentence('DQ-05', 100, [on('stories', 90), on('floor_area', 95)], 100)).toBe(
      'The number of stories is missing on 90 of 100 properties: ask for one column. The floor area is missing on 95 of 100 properties: ask for one column',
    )
    expect(scheduleSentence('DQ-05', 100, [on('stories', 60), on('floor_area', 50)], 100)).toBe(
      'Stories or floor area are missing on all 100 properties: ask for two columns',
    )
  })
  it('names each value that is repeated, the most frequent first', () => {
    const fields = [
      { ...on('floor_area', 1_800, false), fact: 'Total floor area is 10,000 sq ft' },
      { ...on('year_built', 4_772, false), fact: 'Year built is 2000' },
    ]
    expect(scheduleSentence('DQ-16', 5_000, fields, 8_645)).toBe(
      'Year built is 2000 on 4,772 of 8,645 properties: confirm that it is no placeholder. Total floor area is 10,000 sq ft on 1,800 of 8,645 properties: confirm that it is no placeholder',
    )
    expect(scheduleSentence('DQ-16', 4_772, fields.slice(1), 8_645, false)).toBe(
      'Year built is 2000 on several properties: confirm that it is no placeholder',
    )
  })
  it('names each kind of valuation if current values of some properties have no known basis', () => {
    const fields = [on('valuation_date', 3), on('valuation_date', 3, false), on('valuation_basis', 14, false)]
    expect(scheduleSentence('DQ-15', 20, fields, 20)).toBe(
      'The valuation date is missing on 3 of 20 properties: ask for one date. The values are too old on 3 of 20 properties: ask for current values. The values are not known to be replacement cost on 14 of 20 properties: confirm the basis',
    )
    expect(scheduleSentence('DQ-15', 20, [on('valuation_date', 10), on('valuation_date', 10, false)], 20)).toBe(
      'There is no current valuation on all 20 properties: ask for current values and their date',
    )
  })
  it('distinguishes no valuation date from an old one', () => {
    expect(scheduleSentence('DQ-15', 10, [on('valuation_date', 10)], 10)).toBe(
      'The valuation date is missing on all 10 properties: ask for one date',
    )
    expect(scheduleSentence('DQ-15', 9, [on('valuation_date', 9, false)], 10)).toBe(
      'The values are too old on 9 of 10 properties: ask for current values',
    )
  })
})
