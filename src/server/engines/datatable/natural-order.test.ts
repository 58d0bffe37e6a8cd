import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { testTenant } from '#server/testing/tenants.fixture.ts'
import { compareNatural, naturalOrder } from './natural-order.ts'

const { app } = await testTenant()

/** In this order; those in one line are equal. */
const ORDERED: readonly (readonly (string | null)[])[] = [
  ['0', '000'],
  ['1', '01'],
  ['2'],
  ['10'],
  ['999999999999999'],
  [''],
  ['1A', '1a', '01a'],
  ['2 Oak St'],
  ['10 Oak St'],
  ['9999999999999999'],
  ['A', 'a'],
  ['A2', 'a02'],
  ['A10'],
  ['A10-1'],
  ['B'],
  ['Ä1'],
  ['楼2'],
  ['楼10'],
  [null],
]

it('puts numbers by their value before other texts, in which the first number counts by its value', async () => {
  const values = ORDERED.flat().toReversed()
  const { rows } = await sql<{ value: string | null }>`SELECT value FROM unnest(${values}::text[]) AS t (value)
    ORDER BY ${naturalOrder('t.value')}, value COLLATE "C"`.execute(app.system.db)
  const byCode = (a: string | null, b: string | null) => (String(a) < String(b) ? -1 : 1)
  const byGroup = ORDERED.flatMap((group) => group.toSorted(byCode))
  expect(rows.map(({ value }) => value)).toEqual(byGroup)
  expect(values.toSorted((a, b) => compareNatural(a, b) || byCode(a, b))).toEqual(byGroup)
})

it('does not distinguish numbers that are written in different ways', () => {
  for (const [first = null, ...others] of ORDERED) for (const other of others) expect(compareNatural(first, other)).toBe(0)
})
