import { describe, expect, test } from 'vitest'
import type { PropertyFieldName } from '#contract/property-fields.ts'
import { SETTINGS } from '#server/features/imports/imports.fixture.ts'
import { columnStyle } from '#server/features/imports/pipeline/map/column-style.ts'
import { normalizeHeader } from '#server/features/imports/pipeline/read/headers.ts'
import { readCell } from './read-cell.ts'
import type { FilledCell } from './results.ts'

const style = columnStyle(normalizeHeader(''), [], SETTINGS)
const read = (field: PropertyFieldName, cell: FilledCell, over = {}) => readCell(cell, field, { ...style, ...over })
const EMPTY = 'so the field stays empty.'

describe('the message for a cell', () => {
  test.each<[PropertyFieldName, FilledCell, string]>([
    ['building_value', 'TBD', '“TBD” is a placeholder, so the field stays empty. Type the value if you know it.'],
    [
      'building_value',
      'incl.',
      '“incl.” means the value is part of another column, so this one stays empty. Type an amount if it is separate.',
    ],
    ['building_value', 'a lot', `“a lot” is not an amount, ${EMPTY} Type a number such as 1,250,000.`],
    ['building_value', -5, `-5 is negative, ${EMPTY} Insured values are 0 or more: correct the amount.`],
    ['building_value', 1e15, `1000000000000000 is more than a property can be worth, ${EMPTY} Check the amount and its unit.`],
    ['floor_area', 'big', `“big” is not an area, ${EMPTY} Type square feet such as 24,000.`],
    ['floor_area', '3 acres', `“acres” is not a unit of floor area, ${EMPTY} Type the area of all floors in square feet.`],
    ['floor_area', 0, 'A floor area of 0 means “unknown”, so the field stays empty. Type the area if you know it.'],
    ['floor_area', 1e12, `1000000000000 is not between 1 and 20,000,000 square feet, ${EMPTY} Correct the area.`],
    ['percent_occupied', 'half', `“half” is not a percentage, ${EMPTY} Type a number from 0 to 100.`],
    ['percent_occupied', 101, `101 is not between 0 and 100 %, ${EMPTY} Correct the percentage.`],
    ['stories', 'mid-rise', '“mid-rise” is not a number of stories, so the field stays empty. Type the number if you know it.'],
    ['stories', '1-3', '“1-3” is read as 3, the highest. Type one number if that is wrong.'],
    ['stories', 'tall', `“tall” is not a number of stories, ${EMPTY} Type a number such as 2.`],
    ['stories', 0, '0 stories means “unknown”, so the field stays empty. Type the number if you know it.'],
    ['stories', 151, `151 is not between 1 and 150 stories, ${EMPTY} Correct the number.`],
    ['stories', 1.5, '1.5 stories is imported as written. Type a whole number if that is wrong.'],
    ['latitude', 'north', '“north” is not a coordinate, so it is left out. Type decimal degrees such as 40.7128.'],
    ['year_built', '1960s', '“1960s” is read as 1965. Type the year if you know it.'],
    ['year_built', 'soon', `“soon” is not a year, ${EMPTY} Type four digits such as 1985.`],
    ['year_built', 9999, '9999 means “unknown”, so the year stays empty. Type the year if you know it.'],
    ['year_built', 1985.5, `1985.5 is not a year, ${EMPTY} Type four digits such as 1985.`],
    ['year_built', 85, '85 is read as 1985. Type four digits if that is wrong.'],
    ['year_built', 2030, `2030 is not between 1700 and 2029, ${EMPTY} Correct the year.`],
    ['valuation_date', '2025', '“2025” is read as January 1 of that year. Type the full date if you know it.'],
    ['valuation_date', 'soon', `“soon” is not a date, ${EMPTY} Type it as YYYY-MM-DD or MM/DD/YYYY.`],
    ['valuation_date', '2027-01-01', `2027-01-01 is in the future, ${EMPTY} Correct the date.`],
    ['location_number', '7'.repeat(30), `The text has 30 characters; 20 fit, ${EMPTY} Shorten it.`],
    ['address', '7'.repeat(101), 'The text has 101 characters; 100 fit. Shorten it.'],
    ['units', 'many', `“many” is not a number for Units / rooms / beds, ${EMPTY} Type a number.`],
    ['units', -1, `-1 is not between 0 and 1,000,000 for Units / rooms / beds, ${EMPTY} Correct it.`],
    ['units', 1.5, `1.5 is not a whole number for Units / rooms / beds, ${EMPTY} Correct it.`],
    ['country', 'Atlantis', '“Atlantis” is not a known country. Type its name or two-letter code, such as US.'],
    ['currency', 'gold', '“gold” is not a known currency. Type its three-letter code, such as USD.'],
    ['country', 'XX', '“XX” is not a known country. Type its name or two-letter code, such as US.'],
    ['foundation', 'zorp', '“zorp” is not in the list of Foundation, so the field stays empty. Choose one from the list.'],
    ['flood_zone', 'QQ', '“QQ” is not in the list of FEMA flood zone, so the field stays empty. Choose one from the list.'],
    ['sprinklered', 'Partial', '“Partial” is read as partial. Partial cover changes the rate: confirm it, or type the covered share.'],
    ['sprinklered', 'Zorp', '“Zorp” is not a known sprinkler protection, so the field stays empty. Type Full, Partial or None.'],
    ['sprinklered', 13, '13 is read as a full system to NFPA 13. Type 13 % if it is the covered share.'],
    ['sprinklered', 130, '130 is not a share from 0 to 100 %. Type Full, Partial or None.'],
    ['sprinklered', 50, '50 % is read as partial. Partial cover changes the rate: please confirm it.'],
    [
      'construction_class',
      'Zorp',
      '“Zorp” is not a known construction class. The text is imported as given; choose a class from 1 Frame to 6 Fire resistive.',
    ],
    [
      'construction_class',
      'Mixed frame',
      '“Mixed frame” contains several kinds of construction and is read as ISO 1, the lowest. Confirm the class.',
    ],
    ['construction_class', 'Masonry', '“Masonry” can mean several classes and is read as ISO 2. Confirm the class.'],
    [
      'property_type',
      'Zorp',
      '“Zorp” is not a known occupancy. The text is imported as given with the type Other; choose a type from the list.',
    ],
    [
      'property_type',
      'Office / Warehouse',
      '“Office / Warehouse” contains more than one use and is read as office. Confirm the property type.',
    ],
  ])('%s %j says what is wrong and what to do', (field, cell, message) => expect(read(field, cell).problem?.message).toBe(message))

  test('with a code of another scheme names the scheme', () =>
    expect(read('construction_class', 5106, { constructionScheme: 'oed' }).problem?.message).toBe(
      'Code 5106 (OED) is read as ISO 4, the usual class of its material. Confirm the class.',
    ))
  test('with a code that its scheme does not have says so', () =>
    expect(read('construction_class', 5300, { constructionScheme: 'oed' }).problem?.message).toContain(
      '“5300” is not a known construction class.',
    ))
  test('is absent for a placeholder of a country', () => expect(read('country', 'TBD')).toEqual({ value: null }))
  test('with 1900 in several rows says that it is probably a placeholder', () =>
    expect(read('year_built', 1900, { repeats1900: true }).problem?.message).toBe(
      '1900 occurs in several rows and is probably a placeholder. Check the year.',
    ))
})
