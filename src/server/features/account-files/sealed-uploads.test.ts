import { afterAll, expect } from 'vitest'
import { testApp } from '#server/testing/app.ts'
import { makeAccount } from '#server/testing/factories/accounts.ts'
import { makeUser } from '#server/testing/factories/people.ts'
import { testNeeding } from '#server/testing/needs.ts'

const stopping: (() => Promise<void>)[] = []
afterAll(async () => {
  for (const stop of stopping) await stop()
})

// scripts/rgw.sh starts a store for this.
testNeeding('S3 store')('a document in S3 is not changed by a form that is posted again', async () => {
  const app = await testApp({ env: { STORAGE_URL: process.env['PLUMBLINE_TEST_S3_URL'] ?? '' } })
  stopping.push(app.stop)
  const broker = await makeUser(app.system)
  const account = await makeAccount(app.system, { companyId: broker.companyId })
  const files = `/api/v1/accounts/${account.id}/files`
  const request = { filePath: 'a.txt', contentType: 'text/plain', size: 4 }
  const { postEndpoint, fields } = (await app.as(broker.id).post(`${files}/signed-url`, request)).body.data
  const post = async (bytes: string) => {
    const form = new FormData()
    for (const [name, value] of Object.entries<string>(fields)) form.append(name, value)
    form.append('file', new Blob([bytes]))
    return (await fetch(postEndpoint, { method: 'POST', body: form })).status
  }
  const register = () =>
    app.as(broker.id).post('/api/v1/account_files', {
      file: { name: 'a.txt', size: 4 },
      s3ObjectLocation: fields.key,
      account_id: account.id,
    })

  expect(await post('good')).toBe(204)
  const { status, body } = await register()
  expect(status).toBe(201)
  expect(await app.system.storage.head(fields.key)).toBeUndefined()
  expect(await post('evil')).toBe(204)
  const repeated = await register()
  expect(repeated.body.data.id).toBe(body.data.id)
  const shown = await app.as(broker.id).get(`${files}/${body.data.id}`)
  expect(await (await fetch(shown.body.data.url)).text()).toBe('good')
})
