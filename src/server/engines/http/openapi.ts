import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { ErrorBody } from '#contract/errors.ts'
import { once } from '#contract/once.ts'
import type { Call } from '#contract/route.ts'
import { escapeHtml } from '#server/kernel/html.ts'
import type { Config } from '#server/kernel/config.ts'
import { API_ROOT } from './answer.ts'
import { hasVersion } from './if-match.ts'
import { requireAudience } from './operations.ts'

type Schema = Record<string, unknown>
type Calls = readonly { name: string; call: Call }[]

/** A zod schema as JSON Schema. Parts that JSON Schema cannot express, such as the result of a transform, accept any value. */
function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Schema {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return rest
}

const jsonOf = (schema: Schema) => ({ 'application/json': { schema } })

const IF_MATCH = {
  name: 'If-Match',
  in: 'header',
  required: false,
  description:
    'The version of the record in quotes, such as "4", instead of `version` in the body. If the record has another version, the answer is 409 with both values.',
  schema: { type: 'string', pattern: '^"[0-9]+"$' },
}

function parametersOf(call: Call): Schema[] {
  const parameters = (schema: z.ZodObject | undefined, place: 'path' | 'query') =>
    Object.entries(schema?.shape ?? {}).map(([name, field]) => ({
      name,
      in: place,
      required: place === 'path' || !(field as z.ZodType).safeParse(undefined).success, // the values of a shape are schemas
      schema: schemaOf(field as z.ZodType, 'input'), // as above
    }))
  const version = call.method !== 'GET' && hasVersion(call) ? [IF_MATCH] : []
  return [...parameters(call.params, 'path'), ...parameters(call.query, 'query'), ...version]
}

function responseOf(call: Call): Schema {
  if (call.output.kind === 'blob') return { [call.output.contentType]: { schema: { type: 'string', format: 'binary' } } }
  const extra = call.output.extra instanceof z.ZodObject ? (schemaOf(call.output.extra, 'output')['properties'] as Schema) : {} // an object schema has properties
  const properties = { response: { const: 'success' }, message: { type: 'string' }, data: schemaOf(call.output.data, 'output'), ...extra }
  const file = call.mayAnswerFile === true ? { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } } : {}
  return { ...jsonOf({ type: 'object', required: ['response', 'message', 'data'], properties }), ...file }
}

const errorResponse = (description: string) => ({ description, content: jsonOf(schemaOf(ErrorBody, 'output')) })
const PROTECTED_RESPONSES = { '401': errorResponse('No session, or an expired one.'), '403': errorResponse('The permission is missing.') }

/** Such as getAccountsIdFiles; client generators need unique ids. */
const operationId = ({ method, path }: Call) =>
  method.toLowerCase() + path.replace(/[^A-Za-z]+([A-Za-z])/g, (_whole, letter: string) => letter.toUpperCase())

const DESCRIPTIONS: Partial<Record<Call['can'], string>> = { public: 'Open to anyone.', 'signed-in': 'For signed-in users.' }

function operationOf(call: Call): Schema {
  return {
    operationId: operationId(call),
    summary: call.summary,
    tags: [call.path.split('/')[1]],
    description: DESCRIPTIONS[call.can] ?? `Needs the permission ${call.can}.`,
    security: call.can === 'public' ? [] : [{ bearer: [] }],
    parameters: parametersOf(call),
    ...(call.body && { requestBody: { required: true, content: jsonOf(schemaOf(call.body, 'input')) } }),
    responses: {
      '200': { description: 'Success', content: responseOf(call) },
      '400': errorResponse('Invalid input; the errors map names the fields.'),
      ...(call.can !== 'public' && PROTECTED_RESPONSES),
      '404': errorResponse('Does not exist, or is not visible to the caller.'),
      '409': errorResponse('Not possible in the current state.'),
    },
  }
}

/** The OpenAPI 3.1 document of the given calls. */
function openApi(title: string, calls: Calls): Schema {
  const paths: Record<string, Record<string, Schema>> = {}
  for (const { call } of calls) {
    const path = `${API_ROOT}${call.path.replace(/:(\w+)/g, '{$1}')}`
    ;(paths[path] ??= {})[call.method.toLowerCase()] = operationOf(call)
  }
  return {
    openapi: '3.1.0',
    info: { title, version: '1' },
    components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
    paths,
  }
}

const row = ({ method, path, summary, can }: Call) =>
  `<tr><td>${method}</td><td><code>${API_ROOT}${escapeHtml(path)}</code></td><td>${escapeHtml(summary)}</td><td>${escapeHtml(can)}</td></tr>`

/** GET /api/docs: the calls as a table, without scripts. GET /api/docs/openapi.json: the document for tools. */
export function mountDocs(app: FastifyInstance, config: Config, calls: Calls): void {
  const title = config.product.name
  const document = once(() => JSON.stringify(openApi(title, calls)))
  const page = once(
    () => `<!doctype html><html lang="en"><meta charset="utf-8"><title>${escapeHtml(title)} API</title>
<style>body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:72rem;padding:0 1rem;color:#14202b;background:#faf8f4}
table{border-collapse:collapse;width:100%}td,th{text-align:left;padding:.4rem .6rem;border-bottom:1px solid #d9d4c8;vertical-align:top}</style>
<h1>${escapeHtml(title)} API</h1><p>All calls with their permissions. For tools: <a href="/api/docs/openapi.json">openapi.json</a>.</p>
<table><thead><tr><th>Method</th><th>Path</th><th>Summary</th><th>Permission</th></tr></thead><tbody>${calls.map(({ call }) => row(call)).join('')}</tbody></table></html>`,
  )
  const mount = (path: string, type: string, body: () => string) =>
    app.get(path, async (request, reply) => {
      requireAudience(config, 'docs', request)
      return reply.type(`${type}; charset=utf-8`).send(body())
    })
  mount('/api/docs', 'text/html', page)
  mount('/api/docs/openapi.json', 'application/json', document)
}
