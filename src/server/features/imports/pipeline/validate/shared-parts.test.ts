import { expect, test } from 'vitest'
import { collectGarbage } from '#server/engines/jobs/idle-memory.ts'
import type { ReadRow } from './results.ts'
import { sharedParts } from './shared-parts.ts'

const ROWS = 10_000
const TEXT_CHARACTERS = 500

/** A string of its own, as a file or a database returns it. */
const newText = (start: string) => Buffer.from(start.padEnd(TEXT_CHARACTERS, '.')).toString('latin1')

const makeRow = (): ReadRow => ({
  fields: { city: newText('Fresno') },
  custom: {},
  empty: [],
  origin: { city: 'A' },
  assumed: [],
  issues: [
    { column: 'A', field: 'city', value: newText('Fresno'), code: 'unknown_code', severity: 'warning', message: newText('Choose a city') },
  ],
})

function bytesOf(share: (row: ReadRow) => ReadRow): number {
  collectGarbage()
  const before = process.memoryUsage().heapUsed
  const rows = Array.from({ length: ROWS }, () => share(makeRow()))
  collectGarbage()
  const bytes = process.memoryUsage().heapUsed - before
  expect(rows.at(-1)).toEqual(makeRow())
  return bytes
}

test('rows with the same texts and messages hold each of them once', () => {
  const separate = bytesOf((row) => row)
  expect(separate).toBeGreaterThan(ROWS * 3 * TEXT_CHARACTERS)
  expect(bytesOf(sharedParts())).toBeLessThan(separate / 2)
})
