import type { Writable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { giveBack } from '#server/engines/storage/buffer-pool.ts'
import { startDownload } from '#server/engines/storage/download.ts'
import type { ByteRange, Storage } from '#server/engines/storage/storage.ts'
import type { ZipLayout } from './zip-layout.ts'
import { zipChunks } from './zip-stream.ts'

/** Responds to GET or HEAD for an archive with a known length, Range, If-Range and 416, so that an interrupted download can resume. */
export function serveZip(
  request: FastifyRequest,
  reply: FastifyReply,
  layout: ZipLayout,
  storage: Pick<Storage, 'read'>,
  fileName: string,
): FastifyReply {
  const stored = { size: layout.length, etag: layout.etag }
  const range = startDownload(request, reply, stored, { contentType: 'application/zip', disposition: 'attachment', fileName })
  if (!range) return reply.send()

  reply.hijack()
  for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) reply.raw.setHeader(name, value)
  sendZip(layout, storage, range, reply.raw).catch((error: unknown) =>
    request.log.warn({ err: error }, 'An archive download was interrupted.'),
  )
  return reply
}

/**
 * Writes the (inclusive) range of the archive and ends the target. Waits for each chunk to be sent, which a piped stream
 * does not report, so that the memory of reads is reused. On any error, also when the client disconnects, the target is destroyed
 * and the promise rejects.
 */
async function sendZip(layout: ZipLayout, storage: Pick<Storage, 'read'>, range: ByteRange, target: Writable): Promise<void> {
  const { chunks, close } = zipChunks(layout, storage, range)
  target.once('close', close)
  let writing: Promise<void> = Promise.resolve()
  try {
    for await (const chunk of chunks) {
      await writing
      writing = write(target, chunk)
      // A failed write surfaces at the next await; until then it must not count as unhandled.
      writing.catch(() => undefined)
    }
    await writing
    target.end()
  } catch (error) {
    // A failed write surfaces before 'close' is emitted, and prefetched objects would stay open.
    close()
    target.destroy()
    throw error
  } finally {
    target.off('close', close)
  }
}

function write(target: Writable, chunk: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    if (target.destroyed) return reject(new Error('The client has disconnected.'))
    target.write(chunk, (error) => {
      if (error) return reject(error)
      giveBack(chunk)
      resolve()
    })
  })
}
