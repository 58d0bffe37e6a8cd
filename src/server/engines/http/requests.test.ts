import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { randomUUID } from 'node:crypto'
import type { InjectOptions } from 'fastify'
import { routes } from '#server/features/index.ts'
import { openSession } from '#server/features/session/session.commands.ts'
import { testApp, type TestApp } from '#server/testing/app.ts'
import { makeUser } from '#server/testing/factories/people.ts'
import { transact } from '../transaction/transact.ts'

/** Malformed requests get an error response, never a 5xx. */
let app: TestApp
let authorization: string

beforeAll(async () => {
  app = await testApp()
  const admin = await makeUser(app.system, { role: 'admin' })
  const { token } = await transact(app.system, (tx) => openSession(tx, { userId: admin.id, kind: 'user', remember: false, address: '' }))
  authorization = `Bearer ${token}`
})
afterAll(() => app.stop())

const send = async (options: InjectOptions) => {
  const answer = await app.api.server.inject({ ...options, headers: { authorization, ...options.headers } })
  return {
    status: answer.statusCode,
    headers: answer.headers,
    body: answer.body,
    data: () => JSON.parse(answer.body) as Record<string, unknown>,
  }
}
const post = (payload: string | Buffer, type: string | undefined = 'application/json') =>
  send({ method: 'POST', url: '/api/v1/companies', payload, headers: type === undefined ? {} : { 'content-type': type } })

describe('a call with the id of a record in its path', () => {
  const UNKNOWN = '00000000-0000-7000-8000-000000000000'
  const withId = routes.filter(
    ({ call: { path, can } }) => can !== 'public' && /:(id|account_id)\b/.test(path) && !path.startsWith('/archives/'),
  )
  it.each(withId.map(({ call: { method, path } }) => [method, path] as const))(
    '%s %s answers 404 for a record that is not visible, also with an invalid body or query',
    async (method, path) => {
      const url = `/api/v1${path.replace(/:\w+/g, UNKNOWN)}`
      const body = method === 'GET' ? {} : { payload: { nonsense: true } }
      expect((await send({ method, url, ...body })).status).toBe(404)
      expect((await send({ method, url: `${url}?nonsense=1`, ...(method === 'GET' ? {} : { payload: {} }) })).status).toBe(404)
    },
  )
  it.each(withId.map(({ call: { method, path } }) => [method, path] as const))(
    '%s %s answers 404 for a malformed id',
    async (method, path) => {
      for (const id of ['1', 'x'.repeat(301)]) {
        const answer = await send({ method, url: `/api/v1${path.replace(/:\w+/g, id)}`, ...(method === 'GET' ? {} : { payload: {} }) })
        expect([answer.status, answer.data()['kind']]).toEqual([404, 'not_found'])
      }
    },
  )
})

describe('request bodies', () => {
  it.each([
    ['truncated JSON', '{"name": '],
    ['two JSON objects', '{"name":"a"}{"name":"b"}'],
    ['a bare word', 'undefined'],
    ['invalid UTF-8', Buffer.from([0x7b, 0x22, 0x6e, 0x22, 0x3a, 0x22, 0xff, 0xfe, 0x22, 0x7d])],
    ['UTF-16', Buffer.from('{"name":"x"}', 'utf16le')],
    ['a number out of range', '{"name": 1e999999}'],
    ['null', 'null'],
    ['an array', '[]'],
    ['a text', '"name"'],
    ['arrays nested a hundred thousand times', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
    ['objects nested deeply in a field', `{"name":${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}}`],
    ['NUL in a text', '{"name":"a\\u0000b"}'],
    ['a lone surrogate', '{"name":"\\ud800"}'],
    ['NUL in a field name', '{"na\\u0000me":"x"}'],
    ['an unknown field', '{"name":"x","color":"red"}'],
    ['prototype pollution', '{"name":"x","__proto__":{"admin":true},"constructor":{"prototype":{}}}'],
    ['no bytes', ''],
  ])('with %s are rejected with errors by field', async (_content, payload) => {
    const answer = await post(payload)
    expect(answer.status).toBe(400)
    expect(answer.data()).toMatchObject({ response: 'validationError', message: expect.any(String), kind: 'invalid' })
    expect(answer.data()['errors']).toEqual(answer.data()['data'])
    expect(Object.values(answer.data()['errors'] as object).flat().length).toBeGreaterThan(0)
  })

  it('larger than 1 MiB are rejected', async () => {
    const answer = await post(JSON.stringify({ name: 'x'.repeat(1_100_000) }))
    expect(answer.status).toBe(413)
    expect(answer.data()).toEqual({ response: 'error', message: 'The request is too large.', kind: 'too_large' })
  })

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/xml',
    'nonsense',
    'application/json, text/plain',
  ])('of type %s are rejected', async (type) => {
    const answer = await post('{"name":"x"}', type)
    expect(answer.status).toBe(415)
    expect(answer.data()).toMatchObject({ response: 'error', kind: 'unsupported_media' })
  })

  it('with a charset or a byte order mark are accepted', async () => {
    expect((await post('{"name":"Charset Ltd"}', 'application/json; charset=utf-8')).status).toBe(201)
    expect((await post('\uFEFF{"name":"Marked Ltd"}')).status).toBe(201)
  })

  it('are required', async () => {
    const answer = await send({ method: 'POST', url: '/api/v1/companies' })
    expect(answer.status).toBe(400)
    expect(answer.data()['errors']).toHaveProperty('name')
  })
})

describe('paths and queries', () => {
  it.each([
    '1',
    '-1',
    'null',
    'undefined',
    '%00',
    '%0a',
    '%ff',
    '..%2f..',
    "1'--",
    'x'.repeat(299),
    'x'.repeat(301),
    'x'.repeat(9_000),
    `${randomUUID()}x`,
    'ＡＢＣ',
    '💥',
    '%F0%9F',
  ])('with the id %s answer 404', async (id) => {
    for (const path of [`/companies/${id}`, `/accounts/${id}/activity`, `/accounts/${id}/files/${id}`, `/settings/${id}`]) {
      const answer = await send({ method: 'GET', url: `/api/v1${path}` })
      expect(answer.status, path).toBe(404)
      expect(answer.data(), path).toMatchObject({ response: 'error', kind: 'not_found' })
    }
  })

  it('with an id of more than 300 characters answer 404 without a session, too', async () => {
    const answer = await app.anonymous.get(`/api/v1/companies/${'x'.repeat(301)}`)
    expect([answer.status, answer.body.kind]).toEqual([404, 'not_found'])
  })

  it.each([
    'page=0',
    'page=-1',
    'page=x',
    'page=1e99',
    'page=1&page=2',
    'paginate=0',
    'paginate=10000',
    'paginate=1.5',
    'order=up',
    `search=${'x'.repeat(201)}`,
    'search=%00',
    'search=a%00b',
    'search[]=x&search[]=y',
    'filter__type=a&filter__type=b',
    `filter__type=${'x'.repeat(2_001)}`,
    `sort=${'x'.repeat(61)}`,
    'sort=%00',
  ])('with ?%s are rejected with errors by field', async (query) => {
    const answer = await send({ method: 'GET', url: `/api/v1/accounts?${query}` })
    expect(answer.status).toBe(400)
    expect(answer.data()).toMatchObject({ response: 'validationError', errors: expect.any(Object) })
  })

  it.each([
    'filter__constructor=x',
    'filter__toString=1',
    'filter____proto__=x',
    'filter__hasOwnProperty=1',
    'filter__=x',
    'sort=constructor',
    'sort=__proto__',
    'sort=toString',
    'filter__favorites=%27',
    'filter__status=,,,',
    'filter__type=%25',
    'search=%25_%5C%27%22',
    'search=%20',
    'page=1000000&paginate=9999',
    '%F0=1',
    '=',
    '&&',
    'filter__account_id=x',
  ])('with ?%s are accepted by lists, which ignore unknown filters and sort columns', async (query) => {
    for (const list of ['accounts', 'account_properties', 'account_files', 'discrepancies', 'companies', 'users']) {
      const answer = await send({ method: 'GET', url: `/api/v1/${list}?${query}` })
      expect(answer.status, `${list} ${answer.body}`).toBe(200)
    }
  })

  it('with an unknown parameter are rejected', async () => {
    const answer = await send({ method: 'GET', url: '/api/v1/init?debug=1' })
    expect(answer.status).toBe(400)
    expect(answer.data()['errors']).toEqual({ debug: ['Unknown parameter.'] })
  })

  it.each([
    '/api/v1/nothing',
    '/api/v2/accounts',
    '/api',
    '/api/v1/',
    '/api/v1//accounts',
    '/nothing',
    '/%',
    '/assets/../../package.json',
    '/..%2f..%2fetc/passwd',
  ])('%s without a route answer 400 or 404', async (url) => {
    const answer = await send({ method: 'GET', url })
    expect([400, 404]).toContain(answer.status)
    expect(answer.data()).toMatchObject({ response: expect.stringMatching(/rror/), message: expect.any(String) })
    expect(answer.body).not.toContain('root:')
  })

  it('with a trailing slash are accepted', async () => {
    expect((await send({ method: 'GET', url: '/api/v1/accounts/' })).status).toBe(200)
  })

  it('with another method answer 404', async () => {
    for (const method of ['PUT', 'PATCH', 'OPTIONS'] as const)
      expect((await send({ method, url: '/api/v1/accounts' })).status, method).toBe(404)
  })

  it('answer HEAD like GET, with the same permission check', async () => {
    const head = await send({ method: 'HEAD', url: '/api/v1/accounts' })
    expect([head.status, head.body]).toEqual([200, ''])
    expect((await send({ method: 'HEAD', url: '/api/v1/accounts', headers: { authorization: 'Bearer x' } })).status).toBe(401)
  })
})

describe('list actions', () => {
  it.each(['constructor', '__proto__', 'toString', 'nothing', ''])('named %j are rejected', async (action) => {
    const answer = await send({ method: 'POST', url: '/api/v1/accounts/actions', payload: { action, selectedIds: [randomUUID()] } })
    expect(answer.status).toBe(400)
    expect(answer.data()['errors']).toEqual({
      action: ['This action is not known. Known: add-favorite, remove-favorite, export_excel, export_csv.'],
    })
  })
})

describe('headers', () => {
  it('prevent caching, framing and content sniffing', async () => {
    const answers = await Promise.all(
      ['/api/v1/init', '/api/v1/companies/nothing', '/api/v1/nowhere', '/api/v1/status'].map((url) => send({ method: 'GET', url })),
    )
    expect(answers.map(({ status }) => status)).toEqual([200, 404, 404, 200])
    for (const { headers } of answers) {
      expect(headers['cache-control']).toBe('no-store')
      expect(headers['x-content-type-options']).toBe('nosniff')
      expect(headers['x-frame-options']).toBe('SAMEORIGIN')
      expect(headers['referrer-policy']).toBe('no-referrer')
      expect(headers['x-request-id']).toMatch(/^[\da-f-]{36}$/)
      expect(headers).not.toHaveProperty('x-powered-by')
      expect(headers).not.toHaveProperty('access-control-allow-origin')
    }
  })

  it('allow scripts from this server only', async () => {
    const policy = String((await send({ method: 'GET', url: '/api/v1/status' })).headers['content-security-policy'])
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("script-src 'self';")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toContain('unsafe-eval')
    expect(/script-src[^;]*unsafe-inline/.test(policy)).toBe(false)
  })

  it('allow conditional requests for lists in private caches only', async () => {
    const { headers } = await send({ method: 'GET', url: '/api/v1/accounts' })
    expect(headers['cache-control']).toBe('private, no-cache')
    expect(headers['etag']).toMatch(/^"[\w-]+"$/)
  })

  it('with unusual values never cause a 5xx', async () => {
    const unusual: Record<string, string>[] = [
      { 'if-none-match': '*' },
      { 'if-none-match': '"' },
      { range: 'bytes=99-1' },
      { 'x-forwarded-for': '1.2.3.4, x' },
      { accept: 'nonsense' },
      { 'content-length': '5' },
    ]
    for (const headers of unusual)
      expect((await send({ method: 'GET', url: '/api/v1/accounts', headers })).status, JSON.stringify(headers)).toBeLessThan(500)
  })
})

describe('all calls', () => {
  it.each([
    ['an array as the body', '[1]'],
    ['a text as the body', '"x"'],
    ['null as the body', 'null'],
    ['a body with wrong types', JSON.stringify(bodyWithWrongTypes())],
  ])('answer %s without a 5xx', async (_content, payload) => {
    const failures: string[] = []
    for (const { name, call } of routes.filter((route) => route.call.method !== 'GET' && route.call.path !== '/logout')) {
      const url = `/api/v1${call.path.replace(/:\w+/g, () => randomUUID())}`
      const { status } = await send({ method: call.method, url, payload, headers: { 'content-type': 'application/json' } })
      if (status >= 500) failures.push(`${name} ${status}`)
    }
    expect(failures).toEqual([])
  })
})

function bodyWithWrongTypes(): Record<string, unknown> {
  const names = [
    'ids',
    'selectedIds',
    'action',
    'input',
    'filters',
    'files',
    'name',
    'users',
    'meta',
    'version',
    'value',
    'status',
    'file',
    'size',
    'parts',
    'properties',
  ]
  return Object.fromEntries(names.map((name, at) => [name, [{ a: [null] }, 1e308, -1, '\u202E', [[]], true][at % 6]]))
}
