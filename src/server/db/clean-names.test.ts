import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { text } from '#contract/route.ts'
import { createTestDatabase } from '#server/testing/database.ts'
import { openPool } from './client.ts'

let database: Awaited<ReturnType<typeof createTestDatabase>>
let pool: ReturnType<typeof openPool>
let statements = ''
let composing = ''
beforeAll(async () => {
  database = await createTestDatabase()
  pool = openPool(database.url, { max: 1 })
  statements = await readFile(join(import.meta.dirname, 'migrations/041-names-without-hidden-characters.sql'), 'utf8')
  composing = await readFile(join(import.meta.dirname, 'migrations/045-composed-and-unique-names.sql'), 'utf8')
})
afterAll(async () => {
  await pool.close()
  await database.drop()
})

/** The names of companies with these names after a migration. */
async function migrated(names: readonly string[], sql = statements): Promise<string[]> {
  const query = async (statement: string, values?: unknown[]) => (await pool.pool.query<{ name: string }>(statement, values)).rows
  await query('DELETE FROM companies')
  await query('INSERT INTO companies (name) SELECT * FROM unnest($1::text[])', [names])
  const order = await query('SELECT id AS name FROM companies ORDER BY array_position($1::text[], name)', [names])
  await query(`BEGIN; ${sql} COMMIT`)
  const ids = order.map(({ name }) => name)
  return (await query('SELECT name FROM companies ORDER BY array_position($1::uuid[], id)', [ids])).map(({ name }) => name)
}

const MARKS = [
  ...'\u0080\u0092\u00AD\u061C\u200B\u200C\u200D\u200E\u200F\u202A\u202E\u2060\u2064\u2066\u2069\uFDD0\uFEFF\uFFF9\uFFFE\uFFFF',
]
const BREAKS = ['\n', '\r\n', '\t', '\u0085', '\u2028', '\u2029', '\n\t\r']
/** Words of Persian, Hindi, Bengali, Sinhala, Malayalam, Armenian, Georgian, Latin, Greek and Cyrillic letters, and an emoji. */
const WORDS = [
  '\u0645\u06CC',
  '\u0915\u094D',
  '\u0995\u09CD',
  '\u0D9A\u0DCA',
  '\u0D28\u0D4D',
  '\u0561',
  '\u10D0',
  'e\u0301',
  'Ac',
  '\u03B1',
  '\u0416',
  '7',
  '.',
  '\u{1F469}',
]

it('stored names are cleaned by the rule for new ones', async () => {
  const marked = [...MARKS, ...BREAKS].flatMap((mark) => [`${mark}Acme${mark} ${mark} Re${mark}`, `Har${mark}bor`])
  const joined = WORDS.flatMap((one) =>
    WORDS.flatMap((other) => [`${one}\u200C${other}`, `${one}\u200D\u200C${other}`, `\u200D${one} ${other}\u200D`]),
  )
  const names = [...new Set(['Plain & Co', '\u00A0\u200BPadded\u3000', ...marked, ...joined])]
  // The migration was written before names were composed.
  expect((await migrated(names)).map((name) => name.normalize('NFC'))).toEqual(names.map((name) => text(100).parse(name)))
})

it('a stored name without a visible character is retained', async () => {
  expect(await migrated(['\u200B\u202E', '\uFEFF \u200D'])).toEqual(['\u200B\u202E', '\uFEFF \u200D'])
})

it('stored names are composed, so that they are found by what people type', async () => {
  expect(await migrated(['Cafe\u0301 Zu\u0308rich', 'Plain & Co'], composing)).toEqual(['Caf\u00E9 Z\u00FCrich', 'Plain & Co'])
})

it('names that repeat get the next free number, except the oldest, and nothing is deleted', async () => {
  const names = ['Acme', 'ACME ', 'Acme (2)', 'Cafe\u0301', 'Caf\u00E9', `${'x'.repeat(119)}Y`, `${'x'.repeat(119)}y`]
  expect(await migrated(names, composing)).toEqual([
    'Acme',
    'ACME (3)',
    'Acme (2)',
    'Caf\u00E9',
    'Caf\u00E9 (2)',
    `${'x'.repeat(119)}Y`,
    `${'x'.repeat(116)} (2)`,
  ])
  const { rows } = await pool.pool.query<{ message: string }>("SELECT message FROM activities WHERE actor_name = 'Update' ORDER BY message")
  expect(rows[0]?.message).toBe('An update renamed ACME  to ACME (3), because another company has the same name')
  expect(rows).toHaveLength(3)
})

it('the number of a property is composed unless another property has the result', async () => {
  const query = async (statement: string, values?: unknown[]) => (await pool.pool.query(statement, values)).rows
  const [company] = await query("INSERT INTO companies (name) VALUES ('Numbers') RETURNING id")
  const [account] = await query("INSERT INTO accounts (company_id, name, type) VALUES ($1, 'Numbers', 'standard') RETURNING id", [
    company.id,
  ])
  const numbers = ['A\u0301', '\u00C1', 'E\u0301']
  await query(
    `INSERT INTO account_properties (account_id, location_number, building_number, address, city, country)
     SELECT $1, number, '1', 'a', 'b', 'US' FROM unnest($2::text[]) number`,
    [account.id, numbers],
  )
  await query(`BEGIN; ${composing} COMMIT`)
  const rows = await query('SELECT location_number FROM account_properties WHERE account_id = $1', [account.id])
  expect(new Set(rows.map(({ location_number }) => location_number))).toEqual(new Set(['A\u0301', '\u00C1', '\u00C9']))
})
