import { afterEach, describe, expect, test, vi } from 'vitest'
import { PropertyUpdate } from './account-properties.ts'

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
