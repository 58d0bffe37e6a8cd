import { describe, expect, test } from 'vitest'
import { fileSettings } from './file-settings.ts'
import { proposeMapping, sheetColumns } from './propose-mapping.ts'
import { learnedKeys } from '#server/features/imports/pipeline/read/learned-keys.ts'

const PLACE = ['Loc #', 'Address', 'City', 'State', 'Zip']
/** The fields and states of columns of values, each with other amounts. */
async function mapped(...headers: string[]) {
  const rows = [1, 2, 3, 4, 5].map((at) => [
    at,
    `${at} Main St`,
    'Tulsa',
    'OK',
    '74103',
    ...headers.map((_, column) => 1_000_000 * at + column * 90_000),
  ])
  const settings = fileSettings({}, new Date('2026-11-22'))
  const proposals = await proposeMapping(sheetColumns([...PLACE, ...headers], rows), new Map(), settings)
  return proposals.slice(PLACE.length).map(({ target, status }) => (target === null ? null : `${target} ${status}`))
}

describe('columns of one value from different sources', () => {
  test.each([
    ['Building Value - Client', 'Building Value - Broker Recommended'],
    ['Building Value (Client)', 'Building Value (Recommended)'],
    ["Insured's Building Value", 'Appraised Building Value'],
    ['Client Building RCV', 'Broker Recommended RCV'],
    ['Building - per insured', 'Building - per appraisal'],
    ['Building Value', 'Underwriter Building Value'],
    ['Reported Building Value', 'Suggested Building Value'],
  ])('propose “%s” to be confirmed, and leave “%s” without a field in any order', async (client, other) => {
    expect(await mapped(client, other)).toEqual(['building_value confirm', null])
    expect(await mapped(other, client)).toEqual([null, 'building_value confirm'])
  })
  test('are decided for each value', async () =>
    expect(await mapped('Bldg Value - Broker', 'Bldg Value - Client', 'Contents - Broker', 'Contents - Client')).toEqual([
      null,
      'building_value confirm',
      null,
      'contents_value confirm',
    ]))
  test('leave totals of others without a field', async () => {
    expect(await mapped("Insured's Value", 'Appraised Value', 'Recommended Value')).toEqual(['stated_tiv mapped', null, null])
    expect(await mapped('Building Value', 'Marshall & Swift Value')).toEqual(['building_value mapped', null])
  })
  test('must be confirmed if there is only a recommended value, but not if there is only that of the client', async () => {
    expect(await mapped('Recommended Building Value')).toEqual(['building_value confirm'])
    expect(await mapped('Building Value - Client')).toEqual(['building_value mapped'])
  })
  test('do not change which ordinary columns are proposed', async () => {
    expect(await mapped('Building Value', 'Appraised Building Value')).toEqual(['building_value mapped', null])
    expect(await mapped('Insured Value', 'Building RCV')).toEqual(['stated_tiv mapped', 'building_value mapped'])
    expect(await mapped('Reported Values')).toEqual(['stated_tiv mapped'])
  })
  test('are learned separately', () =>
    expect(learnedKeys(['Building Value - Client', 'Building Value - Recommended'])).toEqual([
      'building value',
      'building value (recommended)',
    ]))
})
