import Fastify from 'fastify'
import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { routedUrl, servePage } from './page.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'page-'))
  await mkdir(join(folder, 'assets'))
  await writeFile(join(folder, 'index.html'), '<title>Plumbline</title><meta name="application-name" content="Plumbline">')
  await writeFile(join(folder, 'assets/main.js'), 'export {}')
})
afterAll(() => rm(folder, { recursive: true }))

async function answers(built: string, path: string, productName = 'Plumbline', method: 'GET' | 'POST' = 'GET') {
  const app = Fastify({ rewriteUrl: routedUrl })
  await servePage(app, built, productName)
  const { statusCode: status, body, headers } = await app.inject({ method, url: path })
  await app.close()
  return { status, body, cached: headers['cache-control'] }
}

describe('the built page', () => {
  it.each(['/', '/index.html', '/accounts/7?tab=files'])('is the answer to %s, with the product’s name as text', async (path) => {
    const { status, body, cached } = await answers(folder, path, 'Ash$& & Oak')
    expect({ status, body, cached }).toEqual({
      status: 200,
      body: '<title>Ash$&#38; &#38; Oak</title><meta name="application-name" content="Ash$&#38; &#38; Oak">',
      cached: 'no-cache',
    })
  })

  it('is the answer to an address that cannot be decoded, such as a link that was cut, if it is none of the server', async () => {
    for (const path of ['/reset-password/%E0%A4%A', '/%', '/accounts/%FF?tab=files'])
      expect(await answers(folder, path), path).toMatchObject({ status: 200, cached: 'no-cache' })
    for (const path of ['/api/v1/password/find/%E0%A4%A', '/storage/%', '/assets/%FF.js'])
      expect((await answers(folder, path)).status, path).toBe(400)
    expect((await answers(folder, '/%', 'Plumbline', 'POST')).status).toBe(400)
    expect((await answers(folder, '/accounts?search=%')).status).toBe(200)
  })

  it('has scripts that are cached for a year', async () => {
    expect(await answers(folder, '/assets/main.js')).toEqual({
      status: 200,
      body: 'export {}',
      cached: 'public, max-age=31536000, immutable',
    })
  })

  it.each(['/api/v1/nothing', '/storage/x', '/assets/old.js', '/healthz/x'])(
    'is not the answer to %s, which does not exist',
    async (path) => {
      const { status, body } = await answers(folder, path)
      expect([status, JSON.parse(body).kind]).toEqual([404, 'not_found'])
    },
  )

  it('is not the answer to other methods, or where nothing was built', async () => {
    expect((await answers(folder, '/accounts', 'Plumbline', 'POST')).status).toBe(404)
    expect((await answers(join(folder, 'none'), '/accounts')).status).toBe(404)
  })
})
