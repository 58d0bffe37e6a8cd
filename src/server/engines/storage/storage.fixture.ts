import Fastify, { type FastifyInstance } from 'fastify'
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Clock } from '#server/kernel/clock.ts'
import { AppError } from '#server/kernel/errors.ts'
import { registerDiskRoutes } from './disk-routes.ts'
import { openDiskStorage, type DiskStorage } from './disk.ts'
import { openS3Storage } from './s3.ts'
import type { Storage, UploadTicket } from './storage.ts'

export interface Opened {
  storage: Storage
  /** Base of relative links. */
  origin: string
  close(): Promise<void>
}

export interface OpenedDisk extends Opened {
  storage: DiskStorage
  app: FastifyInstance
  clock: { at: Date } & Clock
  dataDir: string
}

/** A disk store in a temporary folder with a server on a free port. */
export async function openDisk(dataDir?: string): Promise<OpenedDisk> {
  const folder = dataDir ?? (await mkdtemp(join(tmpdir(), 'plumbline-storage-')))
  const clock = { at: new Date(), now: () => clock.at }
  const storage = await openDiskStorage({ dataDir: folder, secret: 'a secret of the tests', clock })
  const app = Fastify()
  app.setErrorHandler((error, _request, reply) => {
    const status = error instanceof AppError ? error.status : 500
    return reply.status(status).send({ message: error instanceof Error ? error.message : 'unknown' })
  })
  const permit = () => nextTurn()
  await registerDiskRoutes(app, storage, {
    requireUpload: permit,
    requireObject: permit,
    publishUpload: (_key, publish) => publish(),
    recordStart: permit,
    recordSent: permit,
  })
  const origin = await app.listen({ host: '127.0.0.1', port: 0 })
  const close = async () => {
    await app.close()
    await rm(folder, { recursive: true, force: true })
  }
  return { storage, app, clock, dataDir: folder, origin, close }
}

export async function openS3(url: string): Promise<Opened> {
  const storage = await openS3Storage(url, 'http://localhost:3000')
  return { storage, origin: 'http://unused.invalid', close: async () => storage.close() }
}

export const freshKey = () => `accounts/${randomUUID()}/${randomUUID()}`

export const randomContent = (bytes: number) => randomBytes(bytes)

export async function postFile(
  origin: string,
  ticket: UploadTicket,
  content: Buffer,
  changes: Record<string, string> = {},
): Promise<Response> {
  const form = new FormData()
  for (const [name, value] of Object.entries({ ...ticket.fields, ...changes })) form.append(name, value)
  form.append('file', new Blob([new Uint8Array(content)]), 'file.bin')
  return fetch(new URL(ticket.postEndpoint, origin), { method: 'POST', body: form })
}

export async function putPart(origin: string, url: string, content: Buffer): Promise<Response> {
  return fetch(new URL(url, origin), { method: 'PUT', body: new Uint8Array(content) })
}

export async function contentOf(storage: Storage, key: string, range?: { start: number; end: number }): Promise<Buffer> {
  return Buffer.concat(await (await storage.read(key, range)).toArray())
}

export async function toArray<T>(source: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const one of source) all.push(one)
  return all
}
