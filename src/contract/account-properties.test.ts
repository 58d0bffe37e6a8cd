import { afterEach, describe, expect, test, vi } from 'vitest'
import { FilePatch } from './account-files.ts'
import { DivestInput, PropertyUpdate } from './account-properties.ts'

afterEach(() => vi.useRealTimers())

/** Of the last alternative, a year; the first two are an empty text and null. */
const messages = (year_built: number) =>
  PropertyUpdate.safeParse({ version: 1, year_built }).error?.issues.flatMap((issue) =>
    issue.code === 'invalid_union' ? (issue.errors.at(-1) ?? []).map(({ message }) => message) : [issue.message],
  ) ?? []

test('the latest allowed year of a property moves with the clock', () => {
  vi.useFakeTimers({ now: new Date('2026-12-31T23:59:59Z'), toFake: ['Date'] })
  expect(messages(2029)).toEqual([])
  expect(messages(2030)).toEqual(['Year built must be at most 2029.'])
  vi.setSystemTime(new Date('2027-01-01T00:00:00Z'))
  expect(messages(2030)).toEqual([])
  expect(messages(2031)).toEqual(['Year built must be at most 2030.'])
})

describe('a choice of a property', () => {
  test.each(['constructor', 'toString', 'hasOwnProperty', '__proto__'])('cannot be "%s", which every object has', (value) => {
    for (const field of ['construction_class', 'property_type', 'sprinklered'])
      expect(PropertyUpdate.safeParse({ version: 1, [field]: value }).success, field).toBe(false)
  })
})

/** The messages for one field, of the last alternative of a union. */
const problems = (values: Record<string, unknown>) =>
  PropertyUpdate.safeParse({ version: 1, ...values }).error?.issues.flatMap((issue) =>
    issue.code === 'invalid_union' ? (issue.errors.at(-1) ?? []).map(({ message }) => message) : [issue.message],
  ) ?? []

describe('an input of a property', () => {
  test.each(['stories', 'basement_levels', 'building_count', 'units', 'bi_months'])('rejects half a unit as %s', (field) => {
    for (const value of [1.5, '1.5']) expect(problems({ [field]: value })).toEqual(['Please enter a whole number.'])
    for (const value of [2, '2', '2.0']) expect(PropertyUpdate.safeParse({ version: 1, [field]: value }).data).toMatchObject({ [field]: 2 })
    expect(problems({ [field]: '' })).toEqual([])
  })
  test.each(['c. 1992', 'c.1992', 'circa 1992', 'ca. 1992', '1992'])('reads the year %j as 1992', (year_built) =>
    expect(PropertyUpdate.safeParse({ version: 1, year_built }).data?.year_built).toBe(1992),
  )
  test.each([
    [{ country: 'XX' }, 'XX is not the code of a country. Please use a two-letter code such as US.'],
    [{ currency: 'ZZZ' }, 'ZZZ is not the code of a currency. Please use a three-letter code such as USD.'],
    [{ valuation_date: '2999-01-01' }, 'Values as of must not be in the future.'],
    [{ acquired_on: '2999-01-01' }, 'Acquired on must be at most three years from now.'],
    [{ valuation_date: '0000-01-01' }, 'Please enter a date after 1799.'],
    [{ acquired_on: '0000-01-01' }, 'Please enter a date after 1799.'],
    [{ year_built: 2999 }, `Year built must be at most ${new Date().getUTCFullYear() + 3}.`],
  ])('%j is rejected with a sentence', (values, message) => expect(problems(values)).toEqual([message]))
  test('a divestment date in the future is rejected with a sentence', () =>
    expect(DivestInput.safeParse({ divested_on: '2999-01-01' }).error?.issues.map(({ message }) => message)).toEqual([
      'The date of divestment must not be in the future.',
    ]))
  test.each(['0000-01-01', '2999-01-01'])('a report date of %s is rejected', (report_author_date) =>
    expect(FilePatch.safeParse({ report_author_date }).success).toBe(false),
  )
  test('inner spaces are collapsed, line breaks of a description are not', () =>
    expect(PropertyUpdate.safeParse({ version: 1, city: ' San   Diego ', description: 'Two \t halls\nand a  shed' }).data).toMatchObject({
      city: 'San Diego',
      description: 'Two halls\nand a shed',
    }))
  test('numbers are accepted for numeric codes', () =>
    expect(PropertyUpdate.safeParse({ version: 1, construction_class: 4, geocode_level: 2 }).data).toMatchObject({
      construction_class: '4',
      geocode_level: '2',
    }))
})
