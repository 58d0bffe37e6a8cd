import { afterAll, beforeAll, expect, it } from 'vitest'
import { UPLOAD_PART_BYTES } from '#contract/limits.ts'
import { testApp, type As, type TestApp } from '#server/testing/app.ts'
import { makeAccount } from '#server/testing/factories/accounts.ts'
import { makeUser } from '#server/testing/factories/people.ts'

let app: TestApp
let broker: As
let origin: string
let files: string
beforeAll(async () => {
  app = await testApp()
  const { id, companyId } = await makeUser(app.system)
  const account = await makeAccount(app.system, { companyId })
  broker = app.as(id)
  origin = await app.api.server.listen({ port: 0, host: '127.0.0.1' })
  files = `/api/v1/accounts/${account.id}/files`
})
afterAll(() => app.stop())

it('an upload whose completion leaves out a part is not completed and retains its parts', async () => {
  const bytes = Buffer.alloc(UPLOAD_PART_BYTES + 1, 'a')
  const { body } = await broker.post(`${files}/multipart`, { filePath: 'a.txt', contentType: 'text/plain', size: bytes.length })
  const upload = `${files}/multipart/${body.data.upload_id}`
  const parts: { number: number; etag: string | null }[] = []
  for (const [index, part] of [bytes.subarray(0, UPLOAD_PART_BYTES), bytes.subarray(UPLOAD_PART_BYTES)].entries()) {
    const { url } = (await broker.post(`${upload}/part`, { number: index + 1 })).body.data
    const sent = await fetch(new URL(url, origin), { method: 'PUT', body: new Uint8Array(part) })
    parts.push({ number: index + 1, etag: sent.headers.get('etag') })
  }
  for (const some of [parts.slice(0, 1), parts.slice(1)]) {
    expect((await broker.post(`${upload}/complete`, { parts: some })).status).toBe(409)
    expect((await broker.get(upload)).body.data.parts).toHaveLength(2)
  }
  const completed = { status: 200, size: bytes.length }
  for (const _call of ['first', 'repeated']) {
    const { status, body: answer } = await broker.post(`${upload}/complete`, { parts })
    expect({ status, size: answer.data.size }).toEqual(completed)
  }
})
