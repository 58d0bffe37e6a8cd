import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testApp, type TestApp } from '#server/testing/app.ts'
import { prepare } from '../prepare.ts'
import { demoSignIns } from './sign-ins.ts'

let app: TestApp
let welcome: string

beforeAll(async () => {
  app = await testApp({ env: { SEED: 'demo' } })
  welcome = await prepare(app.api.services)
}, 60_000)
afterAll(() => app.stop())

const rows = async <T extends object>(text: string) => (await app.system.pool.query<T>(text)).rows
const one = async (text: string) => (await rows<Record<string, number>>(text))[0]
const idOf = async (email: string) =>
  (await app.system.db.selectFrom('users').select('id').where('email', '=', email).executeTakeFirstOrThrow()).id
const as = async (name: string) => app.as(await idOf(`${name}@plumbline.example`))

describe('the demo', () => {
  it('has the same records every time', async () => {
    expect(
      await one(`SELECT (SELECT count(*) FROM companies) AS companies, (SELECT count(*) FROM users) AS users, (SELECT count(*) FROM accounts) AS accounts,
        (SELECT count(*) FROM account_properties) AS properties, (SELECT sum(tiv) FROM account_properties) AS tiv, (SELECT count(*) FROM account_files) AS files`),
    ).toEqual({ companies: 5, users: 12, accounts: 31, properties: 974, tiv: 13_182_119_511, files: 77 })
  })

  it('holds the 771 real locations with their sums, some divested', async () => {
    expect(
      await one(`SELECT count(*) AS locations, count(*) FILTER (WHERE status = 'divested') AS divested, sum(building_value) AS building, sum(contents_value) AS contents,
        sum(bi_value) AS bi FROM account_properties p JOIN accounts a ON a.id = p.account_id WHERE a.account_number LIKE 'HV-%-0771'`),
    ).toEqual({ locations: 771, divested: 15, building: 5_100_144_295, contents: 2_244_938_510, bi: 1_904_746_539 })
  })

  it('has accounts in every status and a managed account in every state', async () => {
    const used = await rows<{ name: string }>(`SELECT DISTINCT s.name FROM accounts a JOIN statuses s ON s.id = a.status_id ORDER BY 1`)
    expect(used.map(({ name }) => name)).toEqual([
      'Active',
      'Archived',
      'Bound',
      'Declined',
      'Gathering Data',
      'In Review',
      'New',
      'Processing',
      'Quoted',
      'Submitted',
      'Uploading',
    ])
  })

  it('has correct totals and no dates in the future', async () => {
    const wrong = await rows(`SELECT a.name FROM accounts a JOIN account_totals t ON t.account_id = a.id
      WHERE t.tiv <> (SELECT coalesce(sum(tiv), 0) FROM account_properties p WHERE p.account_id = a.id AND p.status = 'active')
        OR t.files_disclosed + t.files_sov <> (SELECT count(*) FROM account_files f WHERE f.account_id = a.id)`)
    expect(wrong).toEqual([])
    const late =
      await one(`SELECT (SELECT count(*) FROM accounts WHERE created_at > now() OR updated_at > now() OR updated_at < created_at) AS accounts,
      (SELECT count(*) FROM account_files WHERE created_at > now() OR report_author_date > current_date) AS files,
      (SELECT count(*) FROM account_properties WHERE created_at > now() OR valuation_date > current_date OR divested_on > current_date) AS properties,
      (SELECT count(*) FROM activities WHERE created_at > now()) AS activities`)
    expect(late).toEqual({ accounts: 0, files: 0, properties: 0, activities: 0 })
  })

  it.each([
    ['admin', 31],
    ['provider', 31],
    ['broker', 27],
    ['client', 4],
    ['carrier', 10],
  ])('shows %s %d accounts', async (name, total) => {
    const list = await (await as(name)).get('/api/v1/accounts?paginate=100')
    expect(list.body.meta.total).toBe(total)
    const foreign = list.body.data.filter((row: { name: { text: string } }) => row.name.text.startsWith('Foreign'))
    expect(foreign).toHaveLength(name === 'admin' || name === 'provider' ? 1 : 0)
  })

  it('stores valid documents of every content type', async () => {
    const files = await app.system.db
      .selectFrom('account_files')
      .select(['storage_key', 'content_type', 'size', 'crc32', 'original_file_name'])
      .execute()
    expect(new Set(files.map(({ content_type }) => content_type))).toEqual(
      new Set([
        'application/pdf',
        'image/png',
        'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
        'text/plain',
        'message/rfc822',
      ]),
    )
    expect(files.filter(({ crc32 }) => crc32 === null)).toEqual([])
    const pdf = files.find(({ original_file_name }) => original_file_name === 'ACORD 125 signed.pdf')
    const bytes = await buffer(await app.system.storage.read(pdf?.storage_key ?? ''))
    const table = Number(/startxref\n(\d+)/.exec(bytes.toString('latin1'))?.[1])
    expect(bytes.toString('latin1', table, table + 4)).toBe('xref')
    expect(bytes.length).toBe(pdf?.size)
  })

  it('names the document of an import in its activity line only to users who see the document', async () => {
    const [file] = await rows<{
      id: string
      account_id: string
      original_file_name: string
    }>(`SELECT f.id, f.account_id, f.original_file_name
      FROM account_files f JOIN accounts a ON a.id = f.account_id WHERE a.account_number LIKE 'HV-%-0771' AND f.original_file_name LIKE '%final.xlsx'`)
    const [broker, client] = [await as('broker'), await as('client')]
    const names = async (user: typeof client) =>
      JSON.stringify((await user.get(`/api/v1/accounts/${file?.account_id}/activity?paginate=100`)).body).includes(
        ` imported ${file?.original_file_name}`,
      )
    expect([await names(broker), await names(client)]).toEqual([true, true])
    expect((await broker.patch(`/api/v1/accounts/${file?.account_id}/files/${file?.id}`, { private: true })).status).toBe(200)
    expect([await names(broker), await names(client)]).toEqual([true, false])
    await broker.patch(`/api/v1/accounts/${file?.account_id}/files/${file?.id}`, { private: false })
  })

  it('records the activity of its users and requests one run of the checks for each register', async () => {
    const activities = await rows<{ message: string }>(
      `SELECT v.message FROM activities v JOIN accounts a ON a.id = v.account_id WHERE a.account_number LIKE 'HV-%-0771'`,
    )
    const messages = activities.map(({ message }) => message)
    expect(messages).toEqual(
      expect.arrayContaining([
        'Jordan Blake created this account',
        expect.stringMatching(/^Jordan Blake imported SOV \d{4}-\d\d final.xlsx: 771 added, 0 changed, 0 divested$/),
      ]),
    )
    const runs = await sql<{ n: number }>`SELECT count(*) AS n FROM pgboss.job_common WHERE name = 'reconcile'`.execute(app.system.db)
    expect(runs.rows[0]?.n).toBe(28)
  })
})

describe('the sign-ins of the demo', () => {
  const savedSignIns = () => readFileSync(join(app.dataDir, 'demo-sign-ins.json'), 'utf8')

  it('work, and are printed at every start of a local server', async () => {
    const password = /the password (\S+)/.exec(welcome)?.[1] ?? ''
    expect((await app.anonymous.post('/api/v1/login', { email: 'broker@plumbline.example', password })).status).toBe(200)
    expect(statSync(join(app.dataDir, 'demo-sign-ins.json')).mode & 0o077).toBe(0)
    expect(await prepare(app.api.services)).toBe(welcome)
    expect(await one('SELECT count(*) AS accounts FROM accounts')).toEqual({ accounts: 31 })
  })

  it('are not printed by a server that other machines can reach', async () => {
    const { config } = app.api.services
    const lines = await demoSignIns({ ...app.api.services, config: { ...config, host: '0.0.0.0' } })
    expect(lines.join('\n')).not.toContain(JSON.parse(savedSignIns())[0].password)
    expect(lines.join('\n')).toContain('demo-sign-ins.json')
  })

  it('omit a user who has changed the password', async () => {
    await app.system.db.updateTable('users').set({ password_hash: 'changed' }).where('email', '=', 'carrier@plumbline.example').execute()
    const lines = (await demoSignIns(app.api.services)).join('\n')
    expect(lines).toContain('client@plumbline.example')
    expect(lines).not.toContain('carrier@plumbline.example')
  })
})
