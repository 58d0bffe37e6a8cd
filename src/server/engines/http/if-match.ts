import { z } from 'zod'
import type { Call } from '#contract/route.ts'
import { invalid } from '#server/kernel/errors.ts'

/** Whether the body of the call has the version of the record on which a save is based. */
export function hasVersion({ body }: Call): boolean {
  const properties = body && z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' }).properties
  return properties !== undefined && Object.hasOwn(properties, 'version')
}

/**
 * The body of a write with the version of its If-Match header, so that both are compared with that of the record in one place. Throws
 * `invalid` for a header that cannot be honored: a client that sends it relies on the comparison.
 */
export function withIfMatch(call: Call, header: string | undefined, body: unknown): unknown {
  const sent = header?.trim()
  if (sent === undefined || sent === '*' || call.method === 'GET') return body
  if (!hasVersion(call)) throw invalid({ 'if-match': ['This call compares no version. Please leave out If-Match.'] })
  const version = /^"(\d{1,15})"$/.exec(sent)?.[1]
  if (version === undefined) throw invalid({ 'if-match': ['Please send the version of the record in quotes, such as "4".'] })
  if (body !== undefined && (body === null || typeof body !== 'object')) return body
  const fields: { version?: unknown } = body ?? {}
  if (fields.version !== undefined && fields.version !== Number(version))
    throw invalid({ version: ['This is not the version in If-Match.'] })
  return { ...fields, version: Number(version) }
}
