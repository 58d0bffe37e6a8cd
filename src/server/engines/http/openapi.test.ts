import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { routes } from '#server/features/index.ts'
import { testApp, type TestApp } from '#server/testing/app.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app.stop())

interface Operation {
  operationId: string
  summary: string
  security: unknown[]
  parameters: { name: string; in: string; required: boolean; schema: object }[]
  requestBody?: { content: Record<string, { schema: object }> }
  responses: Record<string, { description: string; content?: Record<string, { schema: object }> }>
}

const load = async () =>
  (await app.anonymous.get('/api/docs/openapi.json')).body as {
    openapi: string
    info: object
    paths: Record<string, Record<string, Operation>>
  }

describe('the OpenAPI document', () => {
  it('describes all calls', async () => {
    const { openapi, info, paths } = await load()
    expect(openapi).toMatch(/^3\.1\.\d$/)
    expect(info).toEqual({ title: 'Plumbline', version: '1' })
    const described = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    )
    const mounted = routes.map(({ call }) => `${call.method} /api/v1${call.path.replace(/:(\w+)/g, '{$1}')}`)
    expect(described.sort()).toEqual(mounted.sort())
  })

  it('contains all path parameters and a schema for each response', async () => {
    const { paths } = await load()
    for (const [path, methods] of Object.entries(paths)) {
      for (const [method, operation] of Object.entries(methods)) {
        const inPath = operation.parameters.filter((parameter) => parameter.in === 'path')
        expect(inPath.map(({ name }) => `{${name}}`).sort(), `${method} ${path}`).toEqual((path.match(/\{\w+\}/g) ?? []).sort())
        expect(
          inPath.every(({ required }) => required),
          `${method} ${path}`,
        ).toBe(true)
        expect(operation.summary.length, `${method} ${path}`).toBeGreaterThan(3)
        const [answer] = Object.values(operation.responses['200']?.content ?? {})
        expect(answer?.schema, `${method} ${path}`).toEqual(expect.objectContaining({ type: expect.any(String) }))
        expect('401' in operation.responses, `${method} ${path}`).toBe(operation.security.length > 0)
      }
    }
  })

  it('has unique operation ids', async () => {
    const { paths } = await load()
    const names = Object.values(paths).flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId))
    expect(names.length - new Set(names).size).toBe(0)
  })

  it('describes request bodies', async () => {
    const { paths } = await load()
    const login = paths['/api/v1/login']?.['post']?.requestBody?.content['application/json']?.schema
    expect(login).toMatchObject({ type: 'object', required: ['email', 'password'], additionalProperties: false })
  })

  it('is available as a page without scripts', async () => {
    const page = await app.anonymous.get('/api/docs')
    expect(page.status).toBe(200)
    expect(String(page.headers['content-type'])).toContain('text/html')
    expect(page.raw.toString()).not.toContain('<script')
    for (const { call } of routes) expect(page.raw.toString()).toContain(`/api/v1${call.path}</code>`)
  })
})
