import { expect, it } from 'vitest'
import { makeProperty } from '#server/testing/factories/accounts.ts'
import { makeFile } from '#server/testing/factories/files.ts'
import { testTenant } from '#server/testing/tenants.fixture.ts'

const { app, tenant, owner, ownerCtx } = await testTenant()
const property = async () => `/api/v1/account_properties/${(await makeProperty(ownerCtx, tenant.account)).id}`
const ifMatch = (value: string) => ({ 'if-match': value })

it('a save with If-Match of another version is rejected as one with that version in the body', async () => {
  const path = await property()
  expect((await owner.put(path, { property_name: 'First' }, ifMatch('"1"'))).status).toBe(200)
  const stale = await owner.put(path, { property_name: 'Second' }, ifMatch('"1"'))
  const inBody = await owner.put(path, { property_name: 'Second', version: 1 })
  expect([stale.status, stale.body.data.version]).toEqual([409, 2])
  const { request_id: _one, ...answer } = stale.body
  const { request_id: _other, ...expected } = inBody.body
  expect(answer).toEqual(expected)
  expect((await owner.get(path)).body.data).toMatchObject({ version: 2 })
  expect((await owner.put(path, { property_name: 'Second' }, ifMatch('"2"'))).status).toBe(200)
  expect((await owner.put(`/api/v1/accounts/${tenant.account}`, { website: null }, ifMatch('*'))).status).toBe(200)
})

it('a patch of a document honors If-Match, too', async () => {
  const path = `/api/v1/accounts/${tenant.account}/files/${(await makeFile(ownerCtx, tenant.account)).id}`
  expect((await owner.patch(path, { vanity_name: 'One' }, ifMatch('"7"'))).status).toBe(409)
  expect((await owner.patch(path, { vanity_name: 'One' }, ifMatch('"1"'))).status).toBe(200)
})

it('an If-Match that cannot be honored is rejected, and nothing is saved', async () => {
  const path = await property()
  for (const value of ['"abc"', 'W/"1"', '1', '"1", "2"', '']) {
    const { status, body } = await owner.put(path, { property_name: 'New' }, ifMatch(value))
    expect([status, body.errors], value).toEqual([400, { 'if-match': ['Please send the version of the record in quotes, such as "4".'] }])
  }
  const both = await owner.put(path, { property_name: 'New', version: 2 }, ifMatch('"1"'))
  expect([both.status, both.body.errors]).toEqual([400, { version: ['This is not the version in If-Match.'] }])
  const setting = await owner.put('/api/v1/notifications/all', {}, ifMatch('"1"'))
  expect([setting.status, setting.body.errors]).toEqual([
    400,
    { 'if-match': ['This call compares no version. Please leave out If-Match.'] },
  ])
  expect((await owner.get(path)).body.data.version).toBe(1)
})

it('the documentation of the calls describes the header where it is honored', async () => {
  const { paths } = (await app.anonymous.get('/api/docs/openapi.json')).body
  const names = (path: string, method: string) => paths[path][method].parameters.map(({ name }: { name: string }) => name)
  expect(names('/api/v1/accounts/{id}', 'put')).toContain('If-Match')
  expect(names('/api/v1/accounts/{id}', 'get')).not.toContain('If-Match')
})
