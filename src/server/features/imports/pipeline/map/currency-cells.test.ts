import { describe, expect, test } from 'vitest'
import { SETTINGS } from '#server/features/imports/imports.fixture.ts'
import { proposeMapping } from './propose-mapping.ts'

/** The targets of a column, after one with building values, and of those after it. */
const targets = async (...columns: [header: string, ...cells: string[]][]) => {
  const sheet = columns.map(([header, ...cells], index) => ({ column: 'BCD'.charAt(index), header, cells }))
  const building = { column: 'A', header: 'Building Value', cells: [500_000, 600_000] }
  const proposals = await proposeMapping([building, ...sheet], new Map(), SETTINGS)
  return proposals.slice(1).map(({ target }) => target)
}

describe('a column with codes of currencies', () => {
  test.each(['Cur.', 'Cur', 'Values in', 'Value', 'Money', '', 'All $ in', 'Reporting'])('has the currency below “%s”', async (header) => {
    expect(await targets([header, 'EUR', 'USD', 'EUR', 'USD'])).toEqual(['currency'])
    expect(await targets([header, 'usd', 'Euro', 'cad'])).toEqual(['currency'])
  })
  test('is the one that its header names, if there are several', async () =>
    expect(await targets(['Rents in', 'EUR', 'USD'], ['Currency', 'USD', 'USD'])).toEqual([null, 'currency']))
  test('has at most a tenth of other cells', async () => {
    expect(await targets(['Note A', ...Array<string>(9).fill('CAD'), 'see note'])).toEqual(['currency'])
    expect(await targets(['Note A', 'CAD', 'USD', 'see note'])).toEqual([null])
  })
  test('does not have words that are only by chance codes', async () =>
    expect(await targets(['Perils', 'ALL', 'ALL', 'Top'], ['Sign', '$', '$', '$'])).toEqual([null, null]))
})
