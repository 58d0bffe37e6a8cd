import { z } from 'zod'
import { ErrorBody } from '#contract/errors.ts'
import type { Call } from '#contract/route.ts'
import { API_ROOT } from './mount.ts'

type Schema = Record<string, unknown>

/** A zod schema as JSON Schema; what JSON Schema cannot say (a transform's result) is described by what is sent. */
function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Schema {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return rest
}

function parametersOf(call: Call): Schema[] {
  const of = (schema: z.ZodObject | undefined, place: 'path' | 'query') =>
    Object.entries(schema?.shape ?? {}).map(([name, field]) => ({
      name,
      in: place,
      required: place === 'path' || !(field as z.ZodType).safeParse(undefined).success, // the values of a shape are schemas
      schema: schemaOf(field as z.ZodType, 'input'), // as above
    }))
  return [...of(call.params, 'path'), ...of(call.query, 'query')]
}

function answerOf(call: Call): Schema {
  if (call.output.kind === 'blob') return { [call.output.contentType]: { schema: { type: 'string', format: 'binary' } } }
  const extra = call.output.extra instanceof z.ZodObject ? (schemaOf(call.output.extra, 'output')['properties'] as Schema) : {} // an object schema has properties
  return {
    'application/json': {
      schema: {
        type: 'object',
        required: ['response', 'message', 'data'],
        properties: { response: { const: 'success' }, message: { type: 'string' }, data: schemaOf(call.output.data, 'output'), ...extra },
      },
    },
  }
}

const refused = (description: string) => ({ description, content: { 'application/json': { schema: schemaOf(ErrorBody, 'output') } } })

/** Unique, as tools that make clients need it: getAccountsIdFiles. */
const operationId = ({ method, path }: Call) =>
  method.toLowerCase() + path.replace(/[^A-Za-z]+([A-Za-z])/g, (_whole, letter: string) => letter.toUpperCase())

function operationOf(call: Call): Schema {
  return {
    operationId: operationId(call),
    summary: call.summary,
    tags: [call.path.split('/')[1]],
    description:
      call.can === 'public'
        ? 'Open to anyone.'
        : call.can === 'signed-in'
          ? 'For anyone who is signed in.'
          : `Needs the permission ${call.can}.`,
    security: call.can === 'public' ? [] : [{ bearer: [] }],
    parameters: parametersOf(call),
    ...(call.body === undefined
      ? {}
      : { requestBody: { required: true, content: { 'application/json': { schema: schemaOf(call.body, 'input') } } } }),
    responses: {
      '200': { description: 'Success', content: answerOf(call) },
      '400': refused('Invalid content; the errors map names the fields.'),
      ...(call.can === 'public'
        ? {}
        : { '401': refused('No session, or one that has ended.'), '403': refused('The permission is missing.') }),
      '404': refused('Absent, or not visible to the caller.'),
      '409': refused('Refused in the present state.'),
    },
  }
}

/** The OpenAPI 3.1 document of the given calls, straight from the contract. */
export function openApi(title: string, calls: readonly { name: string; call: Call }[]): Schema {
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
