import { expect, test } from 'vitest'
import { markKind, markOf } from './marked-rows.ts'

const isMarked = (header: string, text: string): boolean => {
  const kind = markKind(header)
  return kind !== undefined && markOf([text], [{ index: 0, column: 'A', header, kind }]) !== undefined
}

test.each([
  ['Status', 'SOLD'],
  ['Status', 'Sold 3/1/26'],
  ['Property Status', 'Disposed'],
  ['Status', 'Not insured'],
  ['Insured?', 'N - self insured'],
  ['Insured (Y/N)', 'n'],
  ['Active', 'No'],
  ['Active/Inactive', 'Inactive'],
  ['Sold?', 'Yes'],
  ['Excluded', 'x'],
  ['Date Sold', '2026-03-01'],
  ['Disposition Date', '3/1/2026'],
  ['Notes', 'Sold 3/1/26'],
  ['Comments', 'No longer owned'],
  ['Status_Cd', 'I'],
  ['STATUS CODE', 'i'],
  ['Active Y/N', 'N'],
  ['Active Flag', '0'],
  ['IsActive', 'FALSE'],
  ['Active/Inactive', 'I'],
  ['Inactive Flag', '1'],
  ['Disposed', 'Y'],
  ['Disposed Y/N', 'X'],
  ['A/I', 'I'],
])('below “%s”, “%s” marks a row', (header, text) => expect(isMarked(header, text)).toBe(true))

test.each([
  ['Status', 'Active'],
  ['Status', 'Northern region'],
  ['Status', 'Under contract'],
  ['Insured?', 'Yes'],
  ['Sold?', 'No'],
  ['Sold?', 'N/A'],
  ['Date Sold', 'TBD'],
  ['Notes', 'Sold by weight only'],
  ['Notes', 'Next to the closed mill'],
  ['Closing Date', '2019-03-01'],
  ['City', 'Sold'],
  ['Status_Cd', 'A'],
  ['Active Y/N', 'Y'],
  ['Active Flag', '1'],
  ['Active/Inactive', 'Active'],
  ['Disposed', 'N'],
  ['Status', '0'],
  ['Status', 'Industrial'],
])('below “%s”, “%s” does not mark a row', (header, text) => expect(isMarked(header, text)).toBe(false))
