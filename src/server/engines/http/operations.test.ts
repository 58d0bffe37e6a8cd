import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { routes } from '#server/features/index.ts'
import { testApp, type TestApp } from '#server/testing/app.ts'
import { makeUser } from '#server/testing/factories/people.ts'

let app: TestApp
let trusting: TestApp
beforeAll(async () => {
  app = await testApp()
  trusting = await testApp({ env: { TRUST_PROXY: '1' } })
})
afterAll(() => Promise.all([app.stop(), trusting.stop()]))

describe('/readyz', () => {
  it('answers 200 when database, migrations and storage are usable', async () => {
    const { status, body } = await app.anonymous.get('/readyz')
    expect({ status, body }).toEqual({
      status: 200,
      body: { status: 'ready', checks: { database: 'ok', migrations: 'ok', storage: 'ok' } },
    })
  })

  it('answers 503 and names the migration that is not applied', async () => {
    const [removed] = await app.asOwner('DELETE FROM kysely_migration WHERE name = (SELECT max(name) FROM kysely_migration) RETURNING *')
    const { status, body } = await app.anonymous.get('/readyz')
    await app.asOwner('INSERT INTO kysely_migration (name, timestamp) VALUES ($1, $2)', [removed?.['name'], removed?.['timestamp']])
    expect({ status, body }).toEqual({
      status: 503,
      body: { status: 'not ready', checks: { database: 'ok', migrations: `not applied: ${String(removed?.['name'])}`, storage: 'ok' } },
    })
    expect((await app.anonymous.get('/readyz')).status).toBe(200)
  })

  it('answers 503 while documents cannot be stored', async () => {
    const folder = join(app.dataDir, 'objects')
    await rename(folder, `${folder}-moved`)
    const { status, body } = await app.anonymous.get('/readyz')
    await rename(`${folder}-moved`, folder)
    expect(status).toBe(503)
    expect(body.checks).toMatchObject({ database: 'ok', migrations: 'ok', storage: expect.stringContaining('cannot be written') })
  })
})

describe('/metrics', () => {
  it('counts requests and sums their times by method and route, and counts responses by status', async () => {
    await app.anonymous.get('/api/v1/status')
    await app.anonymous.get('/api/v1/nothing')
    const { headers, body } = await app.anonymous.get('/metrics')
    expect(headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8')
    expect(body).toContain('http_route_duration_seconds_count{method="GET",route="/api/v1/status"} 1')
    expect(body).toMatch(/^http_route_duration_seconds_sum\{method="GET",route="none"\} 0\.\d+$/m)
    expect(body).toMatch(/^http_request_duration_seconds_bucket\{le="\+Inf",method="GET"\} \d+$/m)
    expect(body).toMatch(/^http_responses_total\{status="404"\} 1$/m)
  })

  it('stays small after requests to all routes with several statuses', async () => {
    const admin = app.as((await makeUser(app.system, { role: 'admin' })).id)
    const send = { GET: 'get', POST: 'post', PUT: 'put', PATCH: 'patch', DELETE: 'delete' } as const
    for (const { call } of routes) {
      const url = `/api/v1${call.path.replace(/:\w+/g, '00000000-0000-7000-8000-000000000000')}`
      for (const client of [app.anonymous, admin]) await client[send[call.method]](url)
    }
    const { raw } = await app.anonymous.get('/metrics')
    expect(raw.length).toBeLessThan(20_000 + 200 * routes.length)
  })

  it('reports memory, processor time and event loop lag of the process', async () => {
    const { body } = await app.anonymous.get('/metrics')
    for (const name of ['process_resident_memory_bytes', 'process_cpu_seconds_total', 'nodejs_eventloop_lag_p99_seconds'])
      expect(body).toMatch(new RegExp(`^${name} \\d`, 'm'))
  })

  it('uses a separate registry for each server in a process', async () => {
    const other = await testApp()
    await other.anonymous.get('/api/v1/status')
    const { body } = await other.anonymous.get('/metrics')
    await other.stop()
    expect(body).not.toContain('route="none"')
  })
})

describe('pages for operators', () => {
  const PAGES = ['/metrics', '/api/docs', '/api/docs/openapi.json']
  const statuses = (server: TestApp['api']['server'], from: { remoteAddress?: string; headers?: Record<string, string> }) =>
    Promise.all(PAGES.map(async (url) => (await server.inject({ url, ...from })).statusCode))
  const remote = { remoteAddress: '192.0.2.7' }

  it.each([
    ['from 127.0.0.1', '127.0.0.1', 'localhost', 200],
    ['from ::1', '::1', '[::1]:3000', 200],
    ['from an IPv4 address in IPv6 form', '::ffff:127.0.0.1', '127.0.0.1:3000', 200],
    ['for a host in capitals', '127.0.0.1', 'LOCALHOST:3000', 200],
    ['from another machine', '192.0.2.7', 'localhost', 404],
    ['from another machine in IPv6 form', '::ffff:192.0.2.7', 'localhost', 404],
    ['for a host that resolves to this machine', '127.0.0.1', 'rebound.example', 404],
    ['for a host that starts with localhost', '127.0.0.1', 'localhost.rebound.example', 404],
  ])('answer requests %s', async (_which, remoteAddress, host, status) => {
    expect(await statuses(app.api.server, { remoteAddress, headers: { host } })).toEqual([status, status, status])
  })

  it.each([
    'X-Forwarded-For X-Forwarded-Host X-Forwarded-Proto X-Forwarded-Server X-Original-Forwarded-For X-Original-Host',
    'Forwarded Via CDN-Loop X-Real-IP X-Client-IP CF-Connecting-IP CF-Ray True-Client-IP Fastly-Client-IP Fly-Client-IP',
    'X-Cluster-Client-IP X-Envoy-External-Address X-Azure-ClientIP X-Appengine-User-IP X-Remote-Addr',
  ])('are not shown through a proxy on this machine that sends one of %s, trusted or not', async (names) => {
    for (const server of [app.api.server, trusting.api.server]) {
      for (const name of names.split(' '))
        expect(await statuses(server, { headers: { [name]: '127.0.0.1' } }), name).toEqual([404, 404, 404])
    }
  })

  it('are shown to all, or to none, when configured so', async () => {
    const shown = await testApp({ env: { METRICS: 'on', API_DOCS: 'off' } })
    expect(await statuses(shown.api.server, remote)).toEqual([200, 404, 404])
    expect(await statuses(shown.api.server, {})).toEqual([200, 404, 404])
    await shown.stop()
  })
})
