import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { MULTIPART_ABOVE_BYTES, UPLOAD_IDLE_MS } from '#contract/limits.ts'
import { invalid, notFound, AppError, tooLarge } from '#server/kernel/errors.ts'
import { storeObject } from './disk-files.ts'
import { storePart } from './disk-multipart.ts'
import { PREVIEW_PURPOSE, STORAGE_PATH, type DiskStorage, type LinkFields } from './disk.ts'
import { startDownload } from './download.ts'
import { sendDownload, type Delivery } from './send-download.ts'
import type { ByteRange, StoredObject } from './storage.ts'
import { watchRights } from './watch-rights.ts'

const FORM_OVERHEAD_BYTES = 64 * 1024
const FORM_LIMITS = { fields: 20, fieldSize: 8 * 1024, fieldNameSize: 100, files: 1, parts: 21, fileSize: Number.POSITIVE_INFINITY }

/** Checked when a link is used. Each call throws an AppError if the sign-in of the link (`familyId`) no longer permits the use. */
export interface LinkRights {
  requireUpload(key: string, familyId: string): Promise<void>
  /** Runs `publish` unless the key was registered in the meantime. A registration at the same time waits for its end. */
  publishUpload<T>(key: string, publish: () => Promise<T>): Promise<T>
  requireObject(key: string, familyId: string): Promise<void>
  /** Takes note of a download that the sign-in begins. */
  recordStart(key: string, familyId: string): Promise<void>
  /** Takes note of bytes that the sign-in was sent of a file of this size, to be saved. */
  recordSent(key: string, familyId: string, size: number, sent: ByteRange): Promise<void>
}

/** Serves the signed links of the disk store: POST a file, PUT a part, GET or HEAD an object. */
export async function registerDiskRoutes(app: FastifyInstance, storage: DiskStorage, rights: LinkRights): Promise<void> {
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    await scope.register(multipart, { limits: FORM_LIMITS, throwFileSizeLimit: false })
    // Parts are raw bytes of any content type; they are streamed, not parsed or buffered.
    scope.addContentTypeParser('*', { bodyLimit: MULTIPART_ABOVE_BYTES }, (_request, _payload, done) => done(null))

    const formLimit = MULTIPART_ABOVE_BYTES + FORM_OVERHEAD_BYTES
    scope.post(`${STORAGE_PATH}/upload`, { bodyLimit: formLimit }, (request, reply) =>
      receiving(request, async () => {
        if (contentLength(request) > formLimit) throw tooLarge('A file of this size is uploaded in parts.')
        const etag = await receiveForm(request, storage, rights)
        return reply.status(204).header('etag', `"${etag}"`).send()
      }),
    )
    scope.put(`${STORAGE_PATH}/part`, { bodyLimit: MULTIPART_ABOVE_BYTES }, (request, reply) =>
      receiving(request, async () => {
        const { key = '', upload: uploadId = '', number, limit, family = '' } = storage.links.verify('PUT', queryFields(request))
        const maxBytes = Number(limit)
        if (contentLength(request) > maxBytes) throw tooLarge(`This part is larger than announced (${maxBytes} bytes).`)
        const etag = await whilePermitted(
          request,
          () => rights.requireUpload(key, family),
          () => storePart(storage.folders, { key, uploadId, number: Number(number), maxBytes }, request.raw),
        )
        return reply.status(200).header('etag', `"${etag}"`).send()
      }),
    )
    scope.route({
      method: ['GET', 'HEAD'],
      url: `${STORAGE_PATH}/object`,
      handler: async (request, reply) => {
        const link = storage.links.verify('GET', queryFields(request))
        const { key = '', family = '' } = link
        await rights.requireObject(key, family)
        return sendObject(request, reply, { storage, rights }, link)
      },
    })
  })
}

const noFile = () => invalid({ file: ['The upload contains no file. Choose it again.'] })
const interruptedUpload = () => invalid({ file: ['The upload was interrupted. Send the file again.'] })
/** Messages of the form parser, whose errors have no codes. */
const MALFORMED_FORM = /Boundary not found|end of multipart data/
const isMalformed = (error: unknown) => error instanceof Error && MALFORMED_FORM.test(error.message)

async function receiveForm(request: FastifyRequest, storage: DiskStorage, rights: LinkRights): Promise<string> {
  if (!request.isMultipart()) throw noFile()
  const fields: LinkFields = {}
  for await (const part of request.parts()) {
    if (part.type === 'field') {
      if (typeof part.value === 'string') fields[part.fieldname] = part.value
      continue
    }
    const { key = '', limit, family = '' } = storage.links.verify('POST', fields)
    // The stream may fail before it is read; the error surfaces when it is read.
    part.file.on('error', () => undefined)
    const requireUpload = () => rights.requireUpload(key, family)
    const publishing = async (publish: () => Promise<StoredObject>) => {
      await requireUpload()
      return rights.publishUpload(key, publish)
    }
    const store = () => storeObject(storage.folders, key, part.file, { maxBytes: Number(limit), publishing })
    const { etag } = await whilePermitted(request, requireUpload, store).catch((error: unknown) => {
      throw isMalformed(error) ? interruptedUpload() : error
    })
    return etag
  }
  throw noFile()
}

/** Receives bytes while the upload is permitted: its connection is closed when the right ends. */
async function whilePermitted<T>(request: FastifyRequest, requireUpload: () => Promise<void>, receive: () => Promise<T>): Promise<T> {
  await requireUpload()
  const endWatch = watchRights(requireUpload, () => {
    if (!request.raw.complete) request.raw.destroy()
  })
  try {
    return await receive()
  } finally {
    endWatch()
  }
}

async function sendObject(
  request: FastifyRequest,
  reply: FastifyReply,
  { storage, rights }: { storage: DiskStorage; rights: LinkRights },
  { key = '', name = '', type = '', disposition, purpose, family = '' }: LinkFields,
): Promise<FastifyReply> {
  const found = await storage.head(key)
  if (!found) throw notFound('File')
  const { size } = found
  const named = { contentType: type, disposition: disposition === 'inline' ? 'inline' : 'attachment', fileName: name } as const
  const isSaved = named.disposition === 'attachment' && purpose !== PREVIEW_PURPOSE
  const delivery: Delivery = {
    requireRest: () => rights.requireObject(key, family),
    recordStart: async () => {
      if (isSaved) await rights.recordStart(key, family)
    },
    recordSent: async (sent) => {
      if (isSaved) await rights.recordSent(key, family, size, sent)
    },
  }
  const range = startDownload(request, reply, found, named)
  if (!range) {
    if (size === 0 && request.method === 'GET') {
      await delivery.recordStart()
      await delivery.recordSent({ start: 0, end: -1 })
    }
    return reply.send()
  }
  const content = await storage.read(key, range, size)
  return sendDownload(request, reply, { chunks: content, close: () => content.destroy() }, range, delivery)
}

/** Disconnects a stalled sender. After an error the rest of the body is read, because browsers show a response only after sending all of it. */
async function receiving(request: FastifyRequest, receive: () => Promise<FastifyReply>): Promise<FastifyReply> {
  request.raw.setTimeout(UPLOAD_IDLE_MS, () => request.raw.destroy())
  try {
    return await receive()
  } catch (error) {
    const interrupted = !request.raw.complete && request.raw.destroyed
    request.raw.unpipe()
    request.raw.resume()
    if (!interrupted && isMalformed(error)) throw noFile()
    throw interrupted && !(error instanceof AppError) ? interruptedUpload() : error
  }
}

const contentLength = (request: FastifyRequest) => Number(request.headers['content-length'] ?? 0)

function queryFields(request: FastifyRequest): LinkFields {
  return Object.fromEntries(new URL(request.url, 'http://storage').searchParams)
}
