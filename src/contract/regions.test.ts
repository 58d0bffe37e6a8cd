import { expect, test } from 'vitest'
import { countryFromText } from './countries.ts'
import { stateBox, stateFromText, stateOfZip, US_STATES, zipLosesZero } from './regions.ts'

test('the states are 50, with the district and five territories 56', () => expect(Object.keys(US_STATES)).toHaveLength(56))
test.each([
  ['N.Y.', 'NY'],
  ['Calif.', 'CA'],
  ['Mass.', 'MA'],
  ['V.I.', 'VI'],
  ['new  jersey', 'NJ'],
  ['W. Va.', 'WV'],
  ['D.C.', 'DC'],
  ['N. Dakota', 'ND'],
  ['No. Carolina', 'NC'],
  ['S Dakota', 'SD'],
  ['So. Carolina', 'SC'],
  ['W. Virginia', 'WV'],
  ['N. Mexico', 'NM'],
  ['N.Hampshire', 'NH'],
])('the state %s has the code %s', (text, code) => expect(stateFromText(text)).toBe(code))
test('a word that is no state has no code', () =>
  expect(['Bavaria', '', '1113'].map((text) => stateFromText(text))).toEqual([undefined, undefined, undefined]))
test('a province is found in Canada only', () => expect([stateFromText('Ont.', 'CA'), stateFromText('Ont.')]).toEqual(['ON', undefined]))
test('a ZIP has one or more states', () =>
  expect(['10730', '92123', '06390', '96799', '00000'].map(stateOfZip)).toEqual([['NY'], ['CA'], ['CT', 'NY'], ['HI', 'AS'], undefined]))
test('some states have ZIP codes with a leading zero', () =>
  expect(Object.keys(US_STATES).filter(zipLosesZero).sort()).toEqual(['CT', 'MA', 'ME', 'NH', 'NJ', 'NY', 'PR', 'RI', 'VI', 'VT']))
test('every state has a valid bounding box', () => {
  for (const code of Object.keys(US_STATES)) {
    const box = stateBox(code)
    expect(box && box.south < box.north && box.west < box.east, code).toBe(true)
  }
})
test('a country is found by its usual names', () =>
  expect(['USA', 'U.S.', 'United States', 'Canada', 'UK', 'Atlantis'].map(countryFromText)).toEqual([
    'US',
    'US',
    'US',
    'CA',
    'GB',
    undefined,
  ]))
