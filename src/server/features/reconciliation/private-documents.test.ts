import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { testApp, type As, type TestApp } from '#server/testing/app.ts'
import { makeFile } from '#server/testing/factories/files.ts'
import { makeCompany, makeUser } from '#server/testing/factories/people.ts'
import { addToAccount, makeAccount, makeProperty, makeSoundProperties, reconcile, stored } from '#server/testing/factories/register.ts'

const NAME = 'Secret merger schedule.xlsx'
const CELL = `${NAME}, cell I4`
const MESSAGE = 'Year built is missing. Enter the year, or take it from a document.'
const PLACED = `Year built is missing (${CELL}). Enter the year, or take it from a document.`

let app: TestApp
let accountId: string
let propertyId: string
let discrepancyId: string
let fileId: string
let broker: As
let client: As
beforeAll(async () => {
  app = await testApp()
  const company = await makeCompany(app.system)
  const owner = await makeUser(app.system, { role: 'broker', companyId: company.id })
  const insured = await makeUser(app.system, { role: 'client' })
  accountId = await makeAccount(app, company.id)
  for (const { id } of [owner, insured]) await addToAccount(app, accountId, id)
  fileId = (await makeFile({ ...app.system, viewer: await app.viewer(owner.id) }, accountId, { name: NAME })).id
  await makeSoundProperties(app, accountId)
  const sources = { year_built: { source: 'import', by: null, at: '2026-01-02T00:00:00Z', ref: CELL } }
  propertyId = await makeProperty(app, accountId, { year_built: null, sources: JSON.stringify(sources) })
  await reconcile(app, accountId)
  discrepancyId = (await stored(app, accountId))[0]?.id ?? ''
  broker = app.as(owner.id)
  client = app.as(insured.id)
})
afterAll(() => app.stop())

const setPrivate = async (isPrivate: boolean) =>
  expect((await broker.patch(`/api/v1/accounts/${accountId}/files/${fileId}`, { private: isPrivate })).status).toBe(200)

/** Every answer with a finding: lists, records, an export and a rejected decision. */
async function answers(as: As) {
  const [list, show, properties, property, csv, rejected] = await Promise.all([
    as.get(`/api/v1/discrepancies?filter__account_id=${accountId}`),
    as.get(`/api/v1/discrepancies/${discrepancyId}`),
    as.get(`/api/v1/account_properties?filter__account_id=${accountId}`),
    as.get(`/api/v1/account_properties/${propertyId}`),
    as.post('/api/v1/discrepancies/actions', { action: 'export_csv', input: 'all', account_id: accountId }),
    as.put(`/api/v1/discrepancies/${discrepancyId}`, { status: 'kept', decided_at: '2020-01-01T00:00:00.000Z' }),
  ])
  expect(rejected.status).toBe(409)
  const row = properties.body.data.find(({ id }: { id: string }) => id === propertyId)
  const messages = [
    list.body.data[0].message.text,
    show.body.data.message,
    row.findings[0].message,
    property.body.data.findings[0].message,
    rejected.body.data.current.message,
  ]
  const everything = [list, show, properties, property, rejected].map(({ body }) => JSON.stringify(body)).join()
  return { messages, ref: show.body.data.left.ref, csv: csv.raw.toString(), everything }
}

it('a finding names the cell of its value in every answer to users who see the document', async () => {
  for (const user of [broker, client]) {
    const { messages, ref, csv } = await answers(user)
    expect(messages).toEqual(Array(5).fill(PLACED))
    expect(ref).toBe(CELL)
    expect(csv).toContain(PLACED)
  }
})

it('a finding does not name a document that was made private, except to users who see it', async () => {
  await answers(client)
  await setPrivate(true)
  const { messages, ref, csv, everything } = await answers(client)
  expect(messages).toEqual(Array(5).fill(MESSAGE))
  expect(ref).toBeNull()
  expect(csv).toContain(MESSAGE)
  expect(csv + everything).not.toContain('merger')
  const found = await client.get(`/api/v1/discrepancies?filter__account_id=${accountId}&search=merger`)
  expect(found.body.meta.total).toBe(0)
  expect((await answers(broker)).messages).toEqual(Array(5).fill(PLACED))
  await setPrivate(false)
  expect((await answers(client)).messages).toEqual(Array(5).fill(PLACED))
})

it('a check stores the cell of a value that was imported again', async () => {
  const sources = { year_built: { source: 'import', by: null, at: '2026-01-03T00:00:00Z', ref: `${NAME}, cell I9` } }
  const set = (value: object) =>
    app.system.db
      .updateTable('account_properties')
      .set({ sources: JSON.stringify(value) })
      .where('id', '=', propertyId)
      .execute()
  await set(sources)
  await reconcile(app, accountId)
  expect((await answers(client)).messages[1]).toContain('missing (Secret merger schedule.xlsx, cell I9).')
})

it('an update takes the names out of stored messages and notes, and adds the documents to stored lines about imports', async () => {
  const { pool } = app.system
  const migration = await readFile(join(import.meta.dirname, '../../db/migrations/058-names-of-private-documents.sql'), 'utf8')
  const lines = [`Ann imported ${NAME}: 1 added`, `Ann undid the import of ${NAME}`, 'Ann imported other.xlsx: 1 added']
  const client = await pool.connect()
  try {
    await client.query('BEGIN')
    await client.query(
      `UPDATE discrepancies SET message = $1, place_at = NULL, left_value = left_value || jsonb_build_object('ref', $2::text) WHERE id = $3`,
      [PLACED, CELL, discrepancyId],
    )
    await client.query(
      `INSERT INTO activities (model, model_id, account_id, actor_name, class, message)
        SELECT 'accounts', $1, $1, 'Ann', 'imported', unnest($2::text[])`,
      [accountId, lines],
    )
    const notes = [`Not in ${NAME}`, `Row 3 of “Sold” in ${NAME}`, 'Not in use']
    const { rows: imported } = await client.query(
      `INSERT INTO imports (account_id, file_name, created_by_name, state) VALUES ($1, $2, 'Ann', 'committed') RETURNING id`,
      [accountId, NAME],
    )
    await client.query(
      `WITH noted AS (INSERT INTO account_properties (account_id, address, city, divested_note)
          SELECT $1, n, 'Salem', n FROM unnest($2::text[]) n RETURNING id, divested_note)
        INSERT INTO import_effects (import_id, property_id, effect, before, version_after)
          SELECT $3, id, 'divested', jsonb_build_object('divested_note', divested_note), 1 FROM noted`,
      [accountId, notes, imported[0].id],
    )
    // Only an owner of the table adds the column.
    await client.query(migration.slice(migration.indexOf('UPDATE discrepancies')))
    const { rows } = await client.query('SELECT message, place_at FROM discrepancies WHERE id = $1', [discrepancyId])
    expect(rows).toEqual([{ message: MESSAGE, place_at: 'Year built is missing'.length }])
    const named = await client.query(`SELECT message, file_ids FROM activities WHERE message = ANY($1) ORDER BY id`, [lines])
    expect(named.rows.map((row: { file_ids: string[] }) => row.file_ids)).toEqual([[fileId], [fileId], []])
    const noted = await client.query(
      `SELECT p.divested_note, e.before->>'divested_note' AS restored FROM account_properties p
        JOIN import_effects e ON e.property_id = p.id WHERE p.address = ANY($1) ORDER BY array_position($1, p.address)`,
      [notes],
    )
    const cleaned = ['Not in the imported file', 'Row 3 of “Sold” in the imported file', 'Not in use']
    expect(noted.rows).toEqual(cleaned.map((note) => ({ divested_note: note, restored: note })))
  } finally {
    await client.query('ROLLBACK')
    client.release()
  }
})
