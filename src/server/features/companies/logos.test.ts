import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LOGO_TYPE_ERROR } from '#contract/companies.ts'
import { testApp, type TestApp } from '#server/testing/app.ts'
import { makeAccount } from '#server/testing/factories/accounts.ts'
import { makeUser } from '#server/testing/factories/people.ts'

let app: TestApp
let broker: Awaited<ReturnType<typeof makeUser>>

beforeAll(async () => {
  app = await testApp()
  broker = await makeUser(app.system, { role: 'broker' })
})
afterAll(() => app.stop())

const company = () => `/api/v1/companies/${broker.companyId}`
const image = (width = 800, height = 200) => sharp({ create: { width, height, channels: 4, background: '#14202b' } })

/** Signs an upload and stores the bytes under its key. Returns the address that a browser saves. */
async function upload(bytes: Buffer, contentType = 'image/png'): Promise<string> {
  const { body } = await app.as(broker.id).post(`${company()}/files/signed-url`, { filePath: 'logo.png', contentType })
  await app.system.storage.put(body.data.fields.key, bytes, { contentType })
  return `https://store.example/${body.data.fields.key}`
}
const save = (logo_url: string | null) => app.as(broker.id).put(company(), { logo_url })
const pathOf = async () => (await app.as(broker.id).get(company())).body.data.logo_url

describe('the logo of a company', () => {
  it.each(['jpeg', 'gif', 'png', 'tiff', 'webp'] as const)('is made from %s as a small PNG image', async (format) => {
    const saved = await save(await upload(await image().toFormat(format).toBuffer(), `image/${format}`))
    const shown = await app.anonymous.get(saved.body.data.logo_url)
    expect(shown.headers).toMatchObject({ 'content-type': 'image/png', 'cache-control': 'public, max-age=31536000, immutable' })
    expect(await sharp(shown.raw).metadata()).toMatchObject({ format: 'png', width: 512, height: 128 })
  })

  it('is made from SVG without what a picture does not need', async () => {
    const svg =
      '<svg xmlns="http://www.w3.org/2000/svg" width="100" height="50"><script>alert(1)</script><rect width="100" height="50"/></svg>'
    const saved = await save(await upload(Buffer.from(svg), 'image/svg+xml'))
    const shown = await app.anonymous.get(saved.body.data.logo_url)
    expect(await sharp(shown.raw).metadata()).toMatchObject({ format: 'png', width: 100, height: 50 })
    expect(shown.raw.includes('alert')).toBe(false)
  })

  it('shows in the session and on the accounts of the company at once', async () => {
    const { id } = await makeAccount(app.system, { companyId: broker.companyId })
    const account = () => app.as(broker.id).get(`/api/v1/accounts/${id}`)
    const { etag } = (await account()).headers
    await save(await upload(await image().png().toBuffer()))
    const url = await pathOf()
    expect((await app.as(broker.id).get('/api/v1/init')).body.data.auth_user.company.logo_url).toBe(url)
    const after = await app.as(broker.id).get(`/api/v1/accounts/${id}`, { 'if-none-match': String(etag) })
    expect(after.body.data.company.logo_url).toBe(url)
  })

  it('remains when its own address is saved, and goes with null', async () => {
    await save(await upload(await image().png().toBuffer()))
    const url = await pathOf()
    expect((await save(url)).body.data.logo_url).toBe(url)
    expect((await save(null)).body.data.logo_url).toBeNull()
    expect((await app.anonymous.get(url)).status).toBe(404)
  })

  it('is rejected for a type that is no image, content that is none, and a picture of too many pixels', async () => {
    const signed = await app.as(broker.id).post(`${company()}/files/signed-url`, { filePath: 'a.pdf', contentType: 'application/pdf' })
    expect(signed.body.errors).toEqual({ contentType: [LOGO_TYPE_ERROR] })
    expect((await save(await upload(Buffer.from('not an image')))).body.errors).toEqual({ logo_url: [LOGO_TYPE_ERROR] })
    const huge = await sharp({ create: { width: 10_000, height: 10_000, channels: 3, background: '#fff' } })
      .png()
      .toBuffer()
    expect((await save(await upload(huge))).body.errors).toEqual({
      logo_url: ['This image has too many pixels. Please choose a smaller one.'],
    })
    expect((await save('https://store.example/other.png')).body.errors).toEqual({
      logo_url: ['The image was not uploaded. Please choose it again.'],
    })
  })

  it('cannot be set by users of another company or without the permission, nor from the upload of another user', async () => {
    const [stranger, client] = [await makeUser(app.system, { role: 'broker' }), await makeUser(app.system, { role: 'client' })]
    const body = { filePath: 'logo.png', contentType: 'image/png' }
    expect((await app.as(stranger.id).post(`${company()}/files/signed-url`, body)).status).toBe(404)
    expect((await app.as(client.id).post(`/api/v1/companies/${client.companyId}/files/signed-url`, body)).status).toBe(403)
    const url = await upload(await image().png().toBuffer())
    const taken = await app.as(stranger.id).put(`/api/v1/companies/${stranger.companyId}`, { logo_url: url })
    expect(taken.body.errors).toEqual({ logo_url: ['The image was not uploaded. Please choose it again.'] })
  })
})
