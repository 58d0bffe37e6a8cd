import { sql, type Expression, type SqlBool } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { DocumentCategoryCode } from '#contract/document-categories.ts'
import { MINUTE_MS } from '#contract/limits.ts'
import { PERMISSION_NAMES } from '#contract/permissions.ts'
import { visibleLines } from '#server/access/activity.ts'
import { seesDiscrepancies } from '#server/access/discrepancies.ts'
import { visibleImports } from '#server/access/imports.ts'
import { visibleRiskControl } from '#server/access/risk-control.ts'
import type { Viewer } from '#server/access/viewer.ts'
import type { Context } from '#server/engines/context.ts'
import { testApp, type As, type TestApp } from './app.ts'
import { makeAccount, makeProperty } from './factories/accounts.ts'
import { makeFile } from './factories/files.ts'
import { makeInvite } from './factories/guests.ts'
import { makeUser, subscribe } from './factories/people.ts'
import { makeReport } from './factories/reports.ts'

let app: TestApp
let owner: As
let asOwner: Context
let account: string
let pier: string
let survey: string

beforeAll(async () => {
  app = await testApp()
  const { id, companyId } = await makeUser(app.system, { lastName: 'Whitfield' })
  await subscribe(app.system, companyId)
  owner = app.as(id)
  asOwner = { ...app.system, viewer: await app.viewer(id) }
  account = (await makeAccount(asOwner, { companyId })).id
  pier = (await makeProperty(asOwner, account)).id
  const quay = (await makeProperty(asOwner, account)).id
  survey = await addFile('appraisal', [pier])
  await addFile('photo', [quay])
  await addFile('policy', [])
})
afterAll(() => app.stop())

async function addFile(category: DocumentCategoryCode, properties: string[]): Promise<string> {
  const { id } = await makeFile(asOwner, account, { name: `${category}.txt` })
  expect((await owner.patch(`/api/v1/accounts/${account}/files/${id}`, { category, properties })).status).toBe(200)
  return id
}

async function makeLink(input: object) {
  const { id, link } = (await owner.post(`/api/v1/accounts/${account}/links`, { label: 'Carrier', ...input })).body.data
  const { body } = await app.anonymous.post(`/api/v1/accounts/${account}/share`, { share_token: link.split('/').at(-1) })
  return { id, visitor: app.bearing(`Bearer ${body.token}`) }
}

/** A visitor of the link, with all permissions: as if these did not take anything away. */
async function allowedVisitor(input: object): Promise<Viewer> {
  const { id } = await makeLink(input)
  const user = await app.system.db.selectFrom('users').select('id').where('grant_id', '=', id).executeTakeFirstOrThrow()
  return { ...(await app.viewer(user.id)), permissions: new Set(PERMISSION_NAMES) }
}

describe('what changed since the last visit', () => {
  it.each([
    ['all properties and documents', 5, () => ({})],
    ['a property and its document', 2, () => ({ property_ids: [pier] })],
    ['a property, its document and the one of no property', 3, () => ({ property_ids: [pier], unlinked_files: true })],
    ['all properties and the documents of a category', 3, () => ({ categories: ['photo'] })],
    ['a property without a document of the category', 1, () => ({ property_ids: [pier], categories: ['photo'] })],
  ])('is counted for a link to %s', async (_what, count, input) => {
    const { id, visitor } = await makeLink(input())
    await visitor.get('/api/v1/init')
    const later = new Date(Date.now() + MINUTE_MS)
    for (const table of ['account_files', 'account_properties'] as const)
      await app.system.db.updateTable(table).set({ updated_at: later }).where('account_id', '=', account).execute()
    const visits = (await owner.get(`/api/v1/accounts/${account}/visits`)).body.data
    expect(visits.find((one: { id: string }) => one.id === id).changed_since).toBe(count)
  })
})

describe('a link to a part of the account, with a role that has all permissions,', () => {
  let whole: Viewer
  let part: Viewer
  beforeAll(async () => {
    whole = await allowedVisitor({})
    part = await allowedVisitor({ property_ids: [pier] })
  })
  const count = async (table: string, condition: Expression<SqlBool>) => {
    const from = sql`FROM ${sql.table(table)} WHERE ${sql.ref(`${table}.account_id`)} = ${account} AND ${condition}`
    const { rows } = await sql<{ found: number }>`SELECT count(*)::int AS found ${from}`.execute(app.system.db)
    return rows[0]?.found
  }

  it('shows no activity', async () => {
    expect(await count('activities', visibleLines(whole))).toBeGreaterThan(0)
    expect(await count('activities', visibleLines(part))).toBe(0)
  })

  it('shows no imports', async () => {
    const values = { account_id: account, created_by_name: 'Dana', file_name: 'schedule.csv' }
    await app.system.db.insertInto('imports').values(values).execute()
    expect([await count('imports', visibleImports(whole)), await count('imports', visibleImports(part))]).toEqual([1, 0])
  })

  it('shows no discrepancies', () => {
    expect([seesDiscrepancies(whole), seesDiscrepancies(part)]).toEqual([true, false])
  })

  it('shows reports of its properties alone', async () => {
    const other = await makeProperty(asOwner, account)
    await makeReport(asOwner, pier)
    await makeReport(asOwner, other.id)
    const shown = (viewer: Viewer) => count('risk_control', visibleRiskControl(viewer))
    expect([await shown(whole), await shown(part)]).toEqual([2, 1])
  })
})

it('the versions of a document name its uploader only to users', async () => {
  const path = `/api/v1/accounts/${account}/files/${survey}/versions`
  const uploaderFor = async (as: As) => (await as.get(path)).body.data[0].created_by
  expect(await uploaderFor(owner)).toMatchObject({ full_name: expect.stringContaining('Whitfield'), email: expect.stringContaining('@') })
  const { userId } = await makeInvite(asOwner, account, {})
  expect(await uploaderFor(app.as(userId))).toBeNull()
  for (const input of [{}, { property_ids: [pier] }]) expect(await uploaderFor((await makeLink(input)).visitor)).toBeNull()
})

it('answers to a visitor of a link to a part change neither with the rest of the account nor with its settings', async () => {
  const { visitor } = await makeLink({ property_ids: [pier] })
  const paths = [
    `/api/v1/accounts/${account}`,
    '/api/v1/accounts',
    '/api/v1/account_properties',
    '/api/v1/account_files',
    `/api/v1/account_properties/${pier}`,
  ]
  const read = async () => {
    const answers: unknown[] = []
    for (const path of paths) {
      const { headers, raw } = await visitor.get(path)
      answers.push([path, headers['etag'], raw.toString()])
    }
    return answers
  }
  await read()
  const before = await read()
  await makeFile(asOwner, account, { private: true, property_ids: [pier] })
  expect((await owner.put(`/api/v1/accounts/${account}`, { sharing_enabled: true, account_number: 'HP-7' })).status).toBe(200)
  expect(await read()).toEqual(before)
  const { data } = (await visitor.get(paths[0] ?? '')).body
  expect(data).toMatchObject({ created_at: null, updated_at: null, version: 0, sharing_enabled: false })
  const row = (await visitor.get('/api/v1/accounts')).body.data[0]
  expect([row.created_at.value, row.updated_at.value]).toEqual([null, null])
})
