import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { Import } from '#contract/imports.ts'
import { prepareImport } from './prepare.job.ts'
import { SOV, begin, commit, put, register, rowsOf, settled } from '#server/testing/factories/import-flow.ts'
import { deskForEachTest } from '#server/testing/desk.fixture.ts'

const desk = deskForEachTest()

/** By row number, the transaction that wrote the row last. */
async function writersOf(id: string): Promise<Record<number, string>> {
  const { rows } = await sql<{ row_number: number; writer: string }>`SELECT row_number, xmin::text AS writer FROM import_rows
    WHERE import_id = ${id}`.execute(desk.app.system.db)
  return Object.fromEntries(rows.map(({ row_number, writer }) => [row_number, writer]))
}

describe('a change that alters no result', () => {
  test('confirms the mapping without writing a row', async () => {
    const data = await begin(desk, SOV)
    const before = await writersOf(data.id)
    const mapping = Object.fromEntries(data.columns.flatMap(({ letter, field }) => (field === null ? [] : [[letter, field]])))
    const { status, body } = await put(desk, data.id, { mapping })
    expect([status, body.data.state, body.data.activity, body.data.version]).toEqual([200, 'validated', null, data.version + 1])
    expect(body.data.columns.map(({ state }: { state: string }) => state)).not.toContain('confirm')
    expect(await writersOf(data.id)).toEqual(before)
    expect(body.data.sums).toEqual(data.sums)
  })

  test('makes a new preview without writing a row that is a location', async () => {
    const data = await begin(desk, SOV)
    const before = await writersOf(data.id)
    const { status, body } = await put(desk, data.id, { empty_clears: true })
    expect([status, body.data.state, body.data.empty_clears]).toEqual([200, 'validated', true])
    const after = await writersOf(data.id)
    const locations = (await rowsOf(desk, data.id, '&tab=add')).map(({ row }) => row)
    expect(locations.map((row) => after[row])).toEqual(locations.map((row) => before[row]))
  })
})

test('a page past the end of a tab is answered with the last page', async () => {
  const data = await begin(desk, SOV)
  const page = async (query: string) => (await desk.app.as(desk.userId).get(`/api/v1/properties/import/${data.id}/rows?${query}`)).body
  const last = await page('tab=add&paginate=2&page=2')
  expect(last.data.map(({ row }: { row: number }) => row)).toEqual([5])
  expect(await page('tab=add&paginate=2&page=9')).toEqual(last)
  expect((await page('tab=remove&page=3')).meta).toMatchObject({ current_page: 1, total: 0 })
})

test.each(['page=1000000000', 'page=1000000000&paginate=9999', 'page=2147483649&paginate=1'])(
  'all rows are answered without any for %s, far beyond the end',
  async (query) => {
    const data = await begin(desk, SOV)
    const { status, body } = await desk.app.as(desk.userId).get(`/api/v1/properties/import/${data.id}/rows?${query}`)
    expect([status, body.data]).toEqual([200, []])
    expect(body.meta).toMatchObject({ current_page: Number(/page=(\d+)/.exec(query)?.[1]), from: null, to: null, total: data.sheet_rows })
  },
)

/** A seeded sequence of pseudo-random numbers below 1 (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const COLUMNS =
  'Loc #,Bldg #,Location Name,Street Address,City,ST,Zip,Lat,Long,Construction,Year Built,Sq. Ft.,Bldg Value,Contents,Fine Art,TIV,Ref,As of'
/** Few different values, so that numbers, addresses and references often collide. */
const VALUES: Record<string, readonly string[]> = {
  A: ['1', '2', '3', '4', '5', '7', '8', ''],
  B: ['1', '2', ''],
  C: ['Mill', 'Depot', 'Head Office', ''],
  D: ['1 Main St', '2 Main St', '3 Oak Ave', '4 Elm Rd', 'TBD', ''],
  E: ['Fresno', 'Fresno', 'Midland', ''],
  F: ['CA', 'CA', 'TX', 'XX'],
  G: ['93721', '93721', '79701', '12', ''],
  H: ['36.7400', '36.7402', '31.9', ''],
  I: ['-119.7800', '-119.7801', '-102.1', ''],
  J: ['Frame', 'JM', 'Stone', 'Unk', 'steel-ish'],
  K: ['1990', 'c. 1975', '1900', '3000', 'Unk'],
  L: ['10000', '2,000', '1', '900 sf'],
  M: ['1000000', '$200,000', '2.500,00', '400', 'Included', '€5,000', ''],
  N: ['100000', '0', '50', ''],
  O: ['5000', '', 'n/a'],
  P: ['1100000', '200000', ''],
  Q: ['R1', 'R2', 'R3', '', ''],
  R: ['3/4/2025', '14/2/2025', '2025-01-01', ''],
}
const LETTERS = Object.keys(VALUES)

/** Everything that a check of the whole file would store or show. */
async function resultOf(data: Pick<Import, 'id'>) {
  const { version: _version, ...shown } = await settled(desk, data.id)
  const { rows } = await sql`SELECT row_number, fields, issues, has_error, tab, property_id, match_rule, candidates, changes, tiv,
      (SELECT array_agg(k ORDER BY k) FROM jsonb_array_elements_text(match_keys) AS k) AS keys
    FROM import_rows WHERE import_id = ${data.id} ORDER BY row_number`.execute(desk.app.system.db)
  const counts = await sql`SELECT counts - 'validatedAt' AS counts, sums, progress_total FROM imports WHERE id = ${data.id}`.execute(
    desk.app.system.db,
  )
  return { shown, rows, counts: counts.rows }
}

/** Checks the whole file again, as if nothing were stored. */
async function checkAll(id: string): Promise<void> {
  await sql`UPDATE imports SET state = 'mapped', activity = 'validating', counts = counts - 'styles' - 'tally' WHERE id = ${id}`.execute(
    desk.app.system.db,
  )
  await prepareImport(desk.app.system, id)
}

/** Vertically merged cells: the number of one location and the address of another. */
const MERGES = [
  { top: 5, bottom: 7, left: 1, right: 1 },
  { top: 7, bottom: 9, left: 4, right: 4 },
]

async function mergeCells(id: string): Promise<void> {
  await sql`UPDATE imports SET sheets = jsonb_set(sheets, '{0,merges}', ${JSON.stringify(MERGES)}::jsonb) WHERE id = ${id}`.execute(
    desk.app.system.db,
  )
  await checkAll(id)
}

describe('after random changes', () => {
  const pick = <T>(random: () => number, list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
  /** Half of the rows have a number and an address of their own. */
  const cell = (random: () => number, letter: string, own: string) => {
    const value = pick(random, VALUES[letter] ?? [])
    return /[AD]/.test(letter) && own !== '' && value !== '' ? `${own}${value}` : value
  }
  const line = (random: () => number, row: number) => {
    const own = random() < 0.5 ? String(row) : ''
    return LETTERS.map((letter) => `"${cell(random, letter, own)}"`).join(',')
  }
  const sheet = (random: () => number, rows: number) =>
    ['Schedule,,,', COLUMNS, ...Array.from({ length: rows }, (_, row) => line(random, row)), 'TOTAL,,,,,,,,,,,,5000000,,,,,'].join('\n')

  async function change(random: () => number, data: Import) {
    const rows = await rowsOf(desk, data.id)
    const { row, candidates } = pick(random, rows)
    const letter = pick(random, LETTERS)
    const kind = random()
    if (kind < 0.5) return { edits: [{ row, column: letter, value: pick(random, VALUES[letter] ?? []) }] }
    if (kind < 0.6) return { exclusions: [{ row, ...(random() < 0.3 ? { automatic: true } : { excluded: random() < 0.6 }) }] }
    if (kind < 0.7) return { replace: { column: letter, from: pick(random, VALUES[letter] ?? []), to: pick(random, VALUES[letter] ?? []) } }
    if (kind < 0.85) {
      const known = (await register(desk)).map(({ id }) => id)
      return {
        matches: [
          {
            row,
            ...(random() < 0.3 ? { automatic: true } : { property_id: pick(random, [...candidates.map(({ id }) => id), ...known, null]) }),
          },
        ],
      }
    }
    if (kind < 0.95)
      return { mapping: { [letter]: pick(random, [null, 'ignore', data.columns[LETTERS.indexOf(letter)]?.field ?? 'custom']) } }
    return { mode: pick(random, ['add_and_update', 'add_only', 'update_only', 'full_replacement']) }
  }

  test.each([1, 2, 3, 4])('the preview is that of a check of the whole file (seed %i)', async (seed) => {
    const random = seeded(seed)
    const first = await begin(desk, sheet(random, 14))
    const answers = Object.fromEntries(first.questions.map(({ constant, suggestion }) => [constant, suggestion]))
    await commit(desk, (await put(desk, first.id, { constants: answers })).body.data)
    let data = await begin(desk, sheet(random, 18), 'renewal.csv')
    if (seed % 2 === 0) await mergeCells(data.id)
    let incremental = 0
    for (let round = 0; round < 20; round += 1) {
      const patch = await change(random, data)
      const before = await writersOf(data.id)
      const { status, body } = await put(desk, data.id, patch)
      expect([status, JSON.stringify(patch)]).toEqual([200, JSON.stringify(patch)])
      data = body.data
      // A check of the whole file writes every row.
      if ((await writersOf(data.id))[1] === before[1]) incremental += 1
      const result = await resultOf(data)
      await checkAll(data.id)
      expect({ patch, ...result }).toEqual({ patch, ...(await resultOf(data)) })
    }
    expect(incremental).toBeGreaterThan(5)
  })

  test.each([5, 6])('a changed mapping has the preview of a check of the whole file (seed %i)', async (seed) => {
    const random = seeded(seed)
    const { id, columns } = await begin(desk, sheet(random, 18))
    const fields = [...columns.flatMap(({ field }) => field ?? []), 'ignore', 'custom', null]
    for (let round = 0; round < 10; round += 1) {
      const mapping = { [pick(random, LETTERS)]: pick(random, fields), [pick(random, LETTERS)]: pick(random, fields) }
      const { status } = await put(desk, id, { mapping })
      expect([status, mapping]).toEqual([200, mapping])
      const result = await resultOf({ id })
      await checkAll(id)
      expect({ mapping, ...result }).toEqual({ mapping, ...(await resultOf({ id })) })
    }
  })
})
