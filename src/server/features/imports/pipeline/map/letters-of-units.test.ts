import { describe, expect, test } from 'vitest'
import { readTable } from '#server/features/imports/imports.fixture.ts'
import { factorOf } from '#server/features/imports/pipeline/read/amount-notation.ts'
import type { Cell } from '#server/features/imports/pipeline/read/cells.ts'
import { normalizeHeader, scoreHeader } from '#server/features/imports/pipeline/read/headers.ts'

const PLACE: Cell[][] = [
  ['Address', 'City', 'State', 'Zip', 'Building Value'],
  ['1 Main St', 'Fresno', 'CA', '93721', 1_000_000],
  ['2 Main St', 'Fresno', 'CA', '93721', 2_000_000],
]
/** A schedule with one more column. */
async function withColumn(header: string, ...cells: Cell[]) {
  const { proposals = [], read = [] } = await readTable(PLACE.map((row, at) => [...row, [header, ...cells][at] ?? null]))
  return { proposal: proposals.at(-1), rows: read.map(({ fields }) => fields), issues: read.flatMap(({ issues }) => issues) }
}

describe('an M after months in a header is no million', () => {
  test.each(['BI (12 M)', 'BI 12M', 'BI EUR 12 M', 'BI 12 M (USD)', 'GBP 12M BI', 'BU (12 M)', 'Business Income 12m'])(
    '“%s” is the business income as written',
    async (header) => {
      expect([factorOf(header), normalizeHeader(header).factor]).toEqual([1, 1])
      const { proposal, rows } = await withColumn(header, 150_000, 250_000)
      expect(proposal).toMatchObject({ target: 'bi_value', status: 'mapped' })
      expect(rows.map(({ bi_value }) => bi_value)).toEqual([150_000, 250_000])
    },
  )
  test.each(['BI (18 M)', 'BI 24M CHF', 'BI 6m'])('“%s” is the income of another span, which is not proposed', async (header) => {
    expect((await withColumn(header, 150_000, 250_000)).proposal?.target).toBeNull()
  })
  test.each(['Indemnity period 18M', 'Indemnity Period (M)', 'Max Indemnity Period (M)', 'Haftzeit (M)'])(
    '“%s” is a number of months',
    async (header) => {
      const { proposal, rows, issues } = await withColumn(header, '12M', '18 m')
      expect(proposal).toMatchObject({ target: 'bi_months', status: 'mapped' })
      expect(rows.map(({ bi_months }) => bi_months)).toEqual([12, 18])
      expect(issues).toEqual([])
    },
  )
  test.each(['BI $M', 'BI (USD M)', 'Building €m', 'Contents (CHF m)'])('“%s” still announces millions', (header) =>
    expect(normalizeHeader(header).factor).toBe(1_000_000),
  )
})

describe('an M after an area is no multiple', () => {
  test.each(['Area m', 'Area (m)', 'Floor area m', 'Nutzfläche m', 'GIA (m)'])('“%s” is in square meters', async (header) => {
    const { proposal, rows } = await withColumn(header, 1_000, 2_000)
    expect(proposal).toMatchObject({ target: 'floor_area' })
    expect(rows.map(({ floor_area }) => floor_area)).toEqual([10_764, 21_528])
  })
  test('a capital letter names no unit', async () => {
    const { rows } = await withColumn('Floor area (M)', 1_000, 2_000)
    expect(rows.map(({ floor_area }) => floor_area)).toEqual([1_000, 2_000])
  })
  test.each(['Area SF', 'Floor area (sq ft)', 'Area', 'Area manager'])('“%s” is not in square meters', (header) => {
    expect(normalizeHeader(header).squareMeters).toBe(false)
  })
  test('the name of a manager is no area', () =>
    expect(scoreHeader(normalizeHeader('Area manager')).some(({ target, score }) => target === 'floor_area' && score > 0.6)).toBe(false))
})
