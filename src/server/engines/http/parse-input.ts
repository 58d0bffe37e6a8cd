import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { hasForbiddenCharacters, type Call } from '#contract/route.ts'
import { AppError, invalid } from '#server/kernel/errors.ts'
import { withIfMatch } from './if-match.ts'
import { issueText } from './issue-text.ts'

/** Query and body of a request by the schemas of its call. Throws `invalid`. */
export function parseInput(call: Call, request: FastifyRequest) {
  rejectForbiddenCharacters(request.body)
  const body = withIfMatch(call, request.headers['if-match'], request.body)
  return {
    query: parse(call.query, request.query, 'query'),
    body: parse(call.body, call.body === undefined ? undefined : (body ?? {}), 'body'),
  }
}

function parse(schema: z.ZodType | undefined, value: unknown, place: string): unknown {
  if (schema === undefined) {
    if (place === 'query' && value !== null && typeof value === 'object' && Object.keys(value).length > 0) {
      throw invalid(Object.fromEntries(Object.keys(value).map((key) => [key, ['Unknown parameter.']])))
    }
    return undefined
  }
  if (place !== 'body') rejectForbiddenCharacters(value)
  return schema.parse(value, { error: issueText })
}

/** A malformed id is the id of no record, so the answer is the same. */
export function parseParams(schema: z.ZodType | undefined, value: unknown): unknown {
  const parsed = schema?.safeParse(value)
  if (parsed?.success === false) throw new AppError('not_found', 'Not found.')
  return parsed?.data
}

const MAX_DEPTH = 12

/** Rejects NUL bytes, control characters and lone surrogates in all texts. */
function rejectForbiddenCharacters(value: unknown, path = '', depth = 0): void {
  if (typeof value === 'string') {
    if (hasForbiddenCharacters(value)) throw invalid({ [path || 'body']: ['Please remove control characters.'] })
    return
  }
  if (value === null || typeof value !== 'object') return
  if (depth > MAX_DEPTH) throw invalid({ body: ['This is nested too deeply.'] })
  for (const [key, item] of Object.entries(value)) rejectForbiddenCharacters(item, path === '' ? key : `${path}.${key}`, depth + 1)
}
