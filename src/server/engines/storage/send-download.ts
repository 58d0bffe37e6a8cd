import type { ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { Writable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { giveBack } from './durable-file.ts'
import type { ByteRange } from './storage.ts'
import { watchRights } from './watch-rights.ts'

/** What a download needs while its bytes are sent. */
export interface Delivery {
  /** Throws if what has not been sent yet, from this byte of the file on, must no longer be sent. Called every second, also while the client does not read, because rights change. */
  requireRest(position: number): Promise<void>
  /** Takes note of a response, before its first byte is sent. If it fails, so does the download. */
  recordStart(): Promise<void>
  /**
   * Takes note of the bytes that one response sent. Called before the last byte of them is sent: a client that has the whole file is
   * recorded, and one that stopped reading is not. If it fails, so does the download.
   */
  recordSent(sent: ByteRange): Promise<void>
}

/** The bytes of a range; `close` releases what they are read from. */
export interface DownloadBody {
  chunks: AsyncIterable<Buffer>
  close(): void
}

/** Sends the (inclusive) range as the body of the response. On any error the connection is closed, so that the client detects an incomplete download. */
export function sendDownload(
  request: FastifyRequest,
  reply: FastifyReply,
  body: DownloadBody,
  range: ByteRange,
  delivery: Delivery,
): FastifyReply {
  reply.hijack()
  for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) reply.raw.setHeader(name, value)
  sendChunks(body, range, reply.raw, delivery).catch((error: unknown) => request.log.warn({ err: error }, 'A download was interrupted.'))
  return reply
}

/**
 * Writes the range and ends the target. Waits for each chunk to be sent, which a piped stream does not report, so that the memory of reads is
 * reused. On any error, also when the client disconnects, the target is destroyed and the promise rejects.
 */
async function sendChunks(
  { chunks, close }: DownloadBody,
  { start, end }: ByteRange,
  target: ServerResponse,
  delivery: Delivery,
): Promise<void> {
  target.once('close', close)
  let writing: Promise<void> = Promise.resolve()
  let sent = start
  let refusal: unknown
  const endWatch = watchRights(
    () => delivery.requireRest(sent),
    (error) => {
      refusal = error
      // The system goes on sending megabytes to a slow client after a connection was closed, but not after it was reset.
      if (target.socket instanceof Socket) target.socket.resetAndDestroy()
      // Also ends a write that waits for a client that does not read.
      target.destroy()
    },
  )
  try {
    await delivery.recordStart()
    for await (const chunk of chunks) {
      await writing
      const next = sent + chunk.length
      if (next > end) {
        const last = Buffer.from(chunk.subarray(-1))
        await write(target, chunk.subarray(0, -1))
        await delivery.recordSent({ start, end })
        sent = next
        await write(target, last)
        continue
      }
      writing = write(target, chunk).then(() => void (sent = next))
      // A failed write surfaces at the next await; until then it must not count as unhandled.
      writing.catch(() => undefined)
    }
    await writing
    if (sent <= end) throw new Error('The stored file is shorter than the announced length.')
    target.end()
  } catch (error) {
    // A failed write surfaces before 'close' is emitted, and prefetched objects would stay open.
    close()
    target.destroy()
    if (sent > start && sent <= end) await delivery.recordSent({ start, end: sent - 1 })
    throw refusal ?? error
  } finally {
    endWatch()
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
