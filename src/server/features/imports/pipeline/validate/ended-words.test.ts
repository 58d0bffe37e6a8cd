import { describe, expect, test } from 'vitest'
import type { ReadPlan } from '#server/features/imports/pipeline/map/read-plan.ts'
import type { ScheduleRow } from '#server/features/imports/pipeline/read/classify-rows.ts'
import { endedSections } from './ended-sections.ts'
import { isEndedNote, isEndedRemark, isEndedTitle } from '#server/features/imports/pipeline/read/ended-words.ts'
import { markKind, markKindOf, markOf } from './marked-rows.ts'

const isNameMarked = (text: string): boolean => {
  const kind = markKindOf('property_name')
  return kind !== undefined && markOf([text], [{ index: 0, column: 'A', header: 'Name', kind }]) !== undefined
}
const isMarked = (header: string, text: string): boolean => {
  const kind = markKind(header)
  return kind !== undefined && markOf([text], [{ index: 0, column: 'A', header, kind }]) !== undefined
}

describe('a name with a remark', () => {
  test.each([
    'West Warehouse - remove, building demolished',
    'East Warehouse - SOLD 3/15/26',
    '*SOLD* East Warehouse',
    'SOLD - East Warehouse',
    'DELETE East Warehouse',
    'East Warehouse (Sold)',
    'East Warehouse - closed',
    'East Warehouse (no longer owned)',
    'East Warehouse / DELETED',
    'East Warehouse - sold to ABC Corp',
    'East Warehouse – Closed March 2026',
    'East Warehouse - sold in 2025',
    'East Warehouse (to be removed at renewal)',
    'East Warehouse - please remove',
    'East Warehouse - take off policy',
    'East Warehouse, SOLD 15-Mar-26',
    'East Warehouse SOLD',
    'East Warehouse (demolished)',
    '[DELETED] East Warehouse',
    '**SOLD 3/15/26** East Warehouse',
    'Sold 3/15/26 - East Warehouse',
    'DELETE: East Warehouse',
    'SOLD East Warehouse',
    'DELETE EAST WAREHOUSE',
    'SOLD',
    'Sold 12',
    '12 DELETE',
  ])('“%s” marks a row', (text) => expect(isNameMarked(text)).toBe(true))

  test.each([
    'Sold Street Store',
    'SOLD STREET STORE',
    'Closed-loop plant',
    'Plant - Closed-loop cooling',
    'Demolition yard',
    'Old Sold Road',
    'Removal Services Inc',
    '123 - Drop Forge',
    'Closed Circuit TV Ltd',
    'Boston-Closed Circuit TV',
    'Bay 3 - Closed 2 car garage',
    'Lodge - closed in winter',
    'Store - Sold Out Tickets',
    'Mail Drop',
    'Yard - Off Main Street',
    '7 Removed Lane',
    'Dropped Anchor Bar',
    'Disposal Plant',
    'Mill / Canceled Stamp Shop',
    '2',
  ])('“%s” does not mark a row', (text) => expect(isNameMarked(text)).toBe(false))
})

describe('the title of a section', () => {
  test.each([
    'To come off the schedule:',
    'Please take off policy as of renewal',
    'Locations to remove',
    'Remove:',
    'Locations coming off',
    'Off the schedule',
    'Please remove the following:',
    'Drop the following',
    'Drop:',
    'Locations to drop',
    'Please drop at renewal',
    'Not on this policy',
    'Take off',
    'Deletes',
    'Sales / dispositions',
    'Not to be insured',
    'DELETED LOCATIONS',
  ])('“%s” says that locations ended', (title) => expect(isEndedTitle(title)).toBe(true))

  test.each([
    'Take-out restaurants',
    'Removable structures',
    'Off-site storage',
    'Off premises',
    'Coming soon',
    'Drop-off sites',
    'Drop boxes',
    'Mail drop',
    'New locations to add',
    'Please add the following:',
    'Sales offices',
    'Properties on this policy',
    'California',
  ])('“%s” says nothing', (title) => expect(isEndedTitle(title)).toBe(false))

  test('marks the rows below it up to the next section', () => {
    const sections = [
      { number: 3, text: 'Locations to remove' },
      { number: 6, text: 'Nevada' },
    ]
    const markOfRow = endedSections({ sheets: new Map([[0, { sections }]]) as unknown as NonNullable<ReadPlan['sheets']> })
    const marks = [2, 4, 5, 7].map((number) => markOfRow({ sheet: 0, number, cells: [] } as unknown as ScheduleRow)?.value)
    expect(marks).toEqual([undefined, 'Locations to remove', 'Locations to remove', undefined])
  })
})

describe('a note', () => {
  test.each([
    'Please remove',
    'Please remove this location',
    'property sold to ABC Corp',
    'Sold to ABC Corp 3/15/2026',
    'Sold in March',
    '3/15/26 - sold',
    'lease ended - tenant moved out',
    'No longer own',
    'We no longer own this property',
    'No longer owned',
    'torn down',
    'building was demolished',
    'Demolished in 2025',
    'foreclosed',
    'Lease not renewed',
    'insured by landlord',
    'drop at renewal',
    'take off at renewal',
    'delete at renewal',
    'remove from policy',
    'Please delete eff 3/1/26',
    'Please remove at renewal - building sold',
    'Remove 3/1/26 per client',
    'Demolished 2025, replaced by loc 12',
    'Store closed 3/1/26',
    'Sale closed 3/1/26',
  ])('“%s” marks a row', (text) => expect(isMarked('Comments', text)).toBe(true))

  test.each([
    'Torn down wall between units 2 and 3',
    'sold out 2025 season',
    'Sold by weight only',
    'Closed loop cooling',
    'lease ends 2030',
    'Lease expired, now month-to-month',
    'Old wing demolished 2019, rebuilt',
    'Demolished 2019, rebuilt 2021',
    'Demolished wing in 2019',
    'drop ceiling in office',
    'Removed in 2015 the old boiler',
    'not insured for flood',
    'remove snow annually',
    'Please remove contents coverage',
    'foreclosure attorney office',
    'Tenant insures contents',
    'Insured by landlord; contents only',
    'Building insured by landlord',
    'Store closed Sundays',
    'No longer leased to Sears',
    'Take off shoes at entrance',
    '100 sold per year',
    'Removed underground tanks 2015',
    'Removed 2015: two underground tanks',
    'Off site storage',
    'Closed sprinkler valves',
    'New roof 2019',
  ])('“%s” does not mark a row', (text) => expect(isMarked('Comments', text)).toBe(false))

  test.each([
    'Explanation',
    "Add'l Info",
    'Additional Info',
    'Insured Comments',
    'Comments from Insured',
    'Renewal Notes',
    'Reason',
    'Reason for Change',
  ])('counts below “%s”', (header) =>
    expect([isMarked(header, 'Sold to ABC Corp 3/15/2026'), isMarked(header, 'New roof 2019')]).toEqual([true, false]),
  )

  test.each([
    ['Flood Notes', 'Not insured'],
    ['Tenant Comments', 'Lease expired'],
    ['Roof info', 'Demolished 2019'],
  ])('counts for the location, not below “%s”', (header, text) => expect(isMarked(header, text)).toBe(false))

  test.each([
    ['Status', 'Property sold to ABC Corp'],
    ['Changes', 'Please remove at renewal'],
    ['Column1', 'Please delete'],
  ])('counts below “%s”', (header, text) => expect(isMarked(header, text)).toBe(true))
})

test('long texts are read in linear time', () => {
  const texts = [' - ', '* ', 'lease ended ', 'please ', 'sold by ', 'demolished, ', '1', '- please now ', ' '].map((part) =>
    part.repeat(20_000),
  )
  const start = performance.now()
  for (const text of texts) [isEndedNote, isEndedRemark, isEndedTitle].forEach((read) => read(text))
  expect(performance.now() - start).toBeLessThan(1000)
})
