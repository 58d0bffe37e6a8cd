import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { makeAccount, makeProperty } from '#server/testing/factories/accounts.ts'
import { makeUser } from '#server/testing/factories/people.ts'
import { testBroker } from '#server/testing/tenants.fixture.ts'

const { app, broker } = await testBroker()
const { id: accountId } = await makeAccount(app.system, { companyId: broker.companyId })
const { id: lotId } = await makeProperty(app.system, accountId, {
  address: '1200 N Harbor Drive',
  location_number: '12',
  property_name: 'Pier 9',
})
await makeProperty(app.system, accountId, { address: '1300 N Harbor Drive', location_number: '13' })

async function register(name: string, content: string | Buffer, more: object = {}, userId = broker.id) {
  const key = `accounts/${accountId}/${randomUUID()}`
  const { size } = await app.system.storage.put(key, content, { contentType: 'text/csv' })
  await app.system.db
    .insertInto('uploads')
    .values({
      key,
      account_id: accountId,
      user_id: userId,
      file_name: name,
      content_type: 'text/csv',
      size,
      expires_at: new Date(Date.now() + 60_000),
    })
    .execute()
  const { file, ...chosen } = { file: {}, ...more }
  const body = { file: { name, size, ...file }, s3ObjectLocation: key, account_id: accountId, ...chosen }
  const { body: answer } = await app.as(userId).post('/api/v1/account_files', body)
  return answer.data
}

const SCHEDULE = 'Harbor Point\n\nLoc #,Street Address,City,State,Year Built,Building Value\n1,1 Main St,Reno,NV,1990,100000\n'

it('a spreadsheet with the columns of a schedule becomes a submission document although its name says nothing', async () => {
  expect(await register('Final.csv', SCHEDULE)).toMatchObject({ category: 'sov', sov: true })
  expect(await register('Contacts.csv', 'Name,Phone\nDana,555\n')).toMatchObject({ category: 'other', sov: false })
})

it('a file that only claims to be a spreadsheet is categorized by its name', async () => {
  expect(await register('Loss runs.xlsx', 'not a workbook')).toMatchObject({ category: 'loss_run' })
  expect(await register('Broken.xlsx', Buffer.from('PK\u0003\u0004broken'))).toMatchObject({ category: 'other' })
})

it('the category that the user chose is never replaced', async () => {
  expect(await register('SOV.csv', SCHEDULE, { category: 'correspondence' })).toMatchObject({ category: 'correspondence', sov: false })
})

it('the property that the path names is proposed and not linked', async () => {
  const lot = { id: lotId, full_address: expect.stringContaining('1200 N Harbor Drive') }
  const added = await register('Roof report 1200 Harbor Dr.pdf', 'x1')
  expect(added).toMatchObject({ category: 'roof', proposed_properties: [lot] })
  const shown = await app.as(broker.id).get(`/api/v1/accounts/${accountId}/files/${added.id}`)
  expect(shown.body.data.propertyIds).toEqual([])
  expect(await register('IMG_1.jpg', 'x2', { file: { path: 'Loc 12/IMG_1.jpg' } })).toMatchObject({
    category: 'photo',
    proposed_properties: [lot],
  })
  expect(await register('Pier 9 lease.pdf', 'x3')).toMatchObject({ proposed_properties: [lot] })
})

it('no property is proposed for a document of the account, one with chosen properties, or a user who cannot link', async () => {
  expect(await register('Loss runs Pier 9.pdf', 'y1')).toMatchObject({ proposed_properties: [] })
  expect(await register('Pier 9 roof.pdf', 'y2', { property_ids: [lotId] })).toMatchObject({ proposed_properties: [] })
  const uploader = await makeUser(app.system, { companyId: broker.companyId, role: 'upload_only' })
  await app.system.db.insertInto('account_users').values({ account_id: accountId, user_id: uploader.id }).execute()
  expect(await register('Pier 9 roof.pdf', 'y3', {}, uploader.id)).toMatchObject({ category: 'roof', proposed_properties: [] })
})
