import type { FastifyReply, FastifyRequest } from 'fastify'
import { answerRange } from '#server/engines/storage/byte-range.ts'
import { contentDisposition, DOWNLOAD_HEADERS } from '#server/engines/storage/download-headers.ts'
import type { Storage } from '#server/engines/storage/storage.ts'
import type { ZipLayout } from './zip-layout.ts'
import { sendZip } from './zip-send.ts'

/** Answers GET or HEAD for an archive: known length, Range, If-Range and 416, so that a broken download resumes where it was cut. */
export function serveZip(
  request: FastifyRequest,
  reply: FastifyReply,
  layout: ZipLayout,
  storage: Pick<Storage, 'read'>,
  fileName: string,
): FastifyReply {
  const { status, range, headers } = answerRange(request.headers, { size: layout.length, etag: layout.etag })
  reply.status(status).headers({
    ...headers,
    ...DOWNLOAD_HEADERS,
    'content-type': 'application/zip',
    'content-disposition': contentDisposition('attachment', fileName),
  })
  if (request.method === 'HEAD' || !range) return reply.send()

  reply.hijack()
  for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) reply.raw.setHeader(name, value)
  reply.raw.statusCode = status
  sendZip(layout, storage, range, reply.raw).catch((error: unknown) => request.log.warn({ err: error }, 'An archive download was cut.'))
  return reply
}
