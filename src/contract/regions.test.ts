import { expect, test } from 'vitest'
import { countryFromText } from './countries.ts'
import { stateBox, stateFromText, stateOfZip, US_STATES, zipLosesZero } from './regions.ts'

test('there are 50 states, the district and five territories', () => expect(Object.keys(US_STATES)).toHaveLength(56))
test.each([
  ['N.Y.', 'NY'],
  ['Calif.', 'CA'],
  ['Mass.', 'MA'],
  ['V.I.', 'VI'],
  ['new  jersey', 'NJ'],
  ['W. Va.', 'WV'],
  ['D.C.', 'DC'],
])('%s is %s', (text, code) => expect(stateFromText(text)).toBe(code))
test('a word that is no state is none', () =>
  expect(['Bavaria', '', '1113'].map((text) => stateFromText(text))).toEqual([undefined, undefined, undefined]))
test('provinces belong to Canada', () => expect([stateFromText('Ont.', 'CA'), stateFromText('Ont.')]).toEqual(['ON', undefined]))
test('a ZIP names its state', () =>
  expect(['10730', '92123', '06390', '96799', '00000'].map(stateOfZip)).toEqual([['NY'], ['CA'], ['CT', 'NY'], ['HI', 'AS'], undefined]))
test('states whose ZIPs lose a nought', () =>
  expect(Object.keys(US_STATES).filter(zipLosesZero).sort()).toEqual(['CT', 'MA', 'ME', 'NH', 'NJ', 'NY', 'PR', 'RI', 'VI', 'VT']))
test('every box is a box', () => {
  for (const code of Object.keys(US_STATES)) {
    const box = stateBox(code)
    expect(box && box.south < box.north && box.west < box.east, code).toBe(true)
  }
})
test('countries by usual words', () =>
  expect(['USA', 'U.S.', 'United States', 'Canada', 'UK', 'Atlantis'].map(countryFromText)).toEqual([
    'US',
    'US',
    'US',
    'CA',
    'GB',
    undefined,
  ]))
