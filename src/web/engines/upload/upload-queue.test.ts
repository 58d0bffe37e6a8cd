import { expect, test, vi } from 'vitest'
import { MAINTENANCE_PROBE_MS, UPLOAD_MAX_BYTES, UPLOAD_RETRY_DELAYS_MS } from '#contract/limits.ts'
import { apiError } from '#web/data/errors.ts'
import { aDocument, errorWith, fakeConnection, fakePersistence, fakeTransport, fileOf, newUpload, queueOf } from './upload-queue.fixture.ts'
import {
  addUploads,
  cancelAllUploads,
  cancelUpload,
  provideFile,
  restoreUploads,
  retryUpload,
  suspendUploads,
  type UploadQueue,
} from './upload-queue.ts'

const LARGE = 120_000_000
const statuses = (queue: UploadQueue) => queue.list.items().map((item) => item.status)
const until = (check: () => void) => vi.waitFor(check, { timeout: 10_000 })
const never = () => new Promise<never>(() => {})

test('an upload sends a small file in one request and registers it', async () => {
  const transport = fakeTransport({})
  const queue = queueOf({ transport })
  addUploads(queue, [newUpload(fileOf('roof.pdf', 1_000))])
  await until(() => expect(statuses(queue)).toEqual(['done']))
  expect(transport.calls).toEqual(['sendWhole', 'register'])
  expect(queue.list.items()[0]).toMatchObject({ sent: 1_000, key: 'key' })
})

test('a queue sends three files at once and starts the fourth when one is done', async () => {
  const finish: (() => void)[] = []
  const transport = fakeTransport({ sendWhole: () => new Promise((resolve) => finish.push(() => resolve('key'))) })
  const queue = queueOf({ transport })
  addUploads(
    queue,
    ['a', 'b', 'c', 'd'].map((name) => newUpload(fileOf(name, 10))),
  )
  expect(statuses(queue)).toEqual(['sending', 'sending', 'sending', 'waiting'])
  finish[0]?.()
  await until(() => expect(statuses(queue)).toEqual(['done', 'sending', 'sending', 'sending']))
})

test('a queue rejects empty files, programs and files over 5 GiB without a request', () => {
  const transport = fakeTransport({})
  const queue = queueOf({ transport })
  addUploads(queue, [
    newUpload(fileOf('empty.pdf', 0)),
    newUpload(fileOf('setup.EXE', 10)),
    newUpload(fileOf('big.zip', UPLOAD_MAX_BYTES + 1)),
  ])
  expect(statuses(queue)).toEqual(['failed', 'failed', 'failed'])
  expect(queue.list.items().map((item) => item.error)).toEqual([
    expect.stringContaining('empty'),
    expect.stringContaining('Programs'),
    expect.stringContaining('5 GiB'),
  ])
  expect(transport.calls).toEqual([])
})

test('an upload is retried after each delay and then fails with the last error', async () => {
  const { connection, state } = fakeConnection()
  const transport = fakeTransport({ sendWhole: async () => Promise.reject(errorWith('The store did not answer.', 503)) })
  const queue = queueOf({ transport, connection })
  addUploads(queue, [newUpload(fileOf('roof.pdf', 10))])
  await until(() => expect(statuses(queue)).toEqual(['failed']))
  expect(state.delays).toEqual([...UPLOAD_RETRY_DELAYS_MS])
  expect(transport.calls).toHaveLength(UPLOAD_RETRY_DELAYS_MS.length + 1)
  expect(queue.list.items()[0]?.error).toBe('The store did not answer.')
})

test('an upload waits for the end of maintenance, however long it takes, without using up an attempt', async () => {
  const { connection, state } = fakeConnection()
  const rounds = UPLOAD_RETRY_DELAYS_MS.length + 3
  let tries = 0
  const sendWhole = async () => {
    tries += 1
    if (tries <= rounds) throw apiError({ kind: 'maintenance', message: 'Back at two.', status: 503 })
    return 'key'
  }
  const queue = queueOf({ transport: fakeTransport({ sendWhole }), connection })
  addUploads(queue, [newUpload(fileOf('roof.pdf', 10))])
  await until(() => expect(statuses(queue)).toEqual(['done']))
  expect(state.delays).toEqual(Array.from({ length: rounds }, () => MAINTENANCE_PROBE_MS))
})

test('an upload that the server rejects is not retried', async () => {
  const transport = fakeTransport({ sendWhole: async () => Promise.reject(errorWith('You cannot upload here.', 403)) })
  const queue = queueOf({ transport })
  addUploads(queue, [newUpload(fileOf('roof.pdf', 10))])
  await until(() => expect(statuses(queue)).toEqual(['failed']))
  expect(transport.calls).toEqual(['sendWhole'])
})

test('a failed registration is retried without sending the bytes again', async () => {
  let tries = 0
  const transport = fakeTransport({
    register: async () => {
      tries += 1
      if (tries < 3) throw errorWith('Busy.', 503)
      return { duplicateOf: 'Roof 2024.pdf', document: aDocument }
    },
  })
  const queue = queueOf({ transport })
  addUploads(queue, [newUpload(fileOf('roof.pdf', 10))])
  await until(() => expect(statuses(queue)).toEqual(['done']))
  expect(transport.calls).toEqual(['sendWhole', 'register', 'register', 'register'])
  expect(queue.list.items()[0]?.duplicateOf).toBe('Roof 2024.pdf')
})

test('an upload waits while the browser is offline, without using up an attempt', async () => {
  const { connection, state } = fakeConnection()
  state.online = false
  const transport = fakeTransport({})
  const queue = queueOf({ transport, connection })
  addUploads(queue, [newUpload(fileOf('roof.pdf', 10))])
  expect(queue.list.items()[0]?.pause).toEqual({ reason: 'offline' })
  expect(transport.calls).toEqual([])
  state.online = true
  state.wake()
  await until(() => expect(statuses(queue)).toEqual(['done']))
  expect(state.delays).toEqual([])
})

test('an upload sends a large file in parts, two at once', async () => {
  let atOnce = 0
  let most = 0
  const transport = fakeTransport({
    sendPart: async (_item, _upload, number) => {
      most = Math.max(most, (atOnce += 1))
      await Promise.resolve()
      atOnce -= 1
      return `e${number}`
    },
  })
  const queue = queueOf({ transport })
  addUploads(queue, [newUpload(fileOf('scan.pdf', LARGE))])
  await until(() => expect(statuses(queue)).toEqual(['done']))
  expect(transport.calls).toEqual(['startMultipart', 'part 1', 'part 2', 'part 3', 'complete', 'register'])
  expect(most).toBe(2)
})

test('an upload continues after a reload with the parts that are not stored yet', async () => {
  const { persistence, locks } = fakePersistence()
  const before = queueOf({ persistence, transport: fakeTransport({ sendPart: async (_i, _u, number) => (number === 1 ? 'e1' : never()) }) })
  addUploads(before, [newUpload(fileOf('scan.pdf', LARGE))])
  await until(() => expect(before.list.items()[0]?.multipart?.parts).toHaveLength(1))
  locks.clear()

  const transport = fakeTransport({ listParts: async () => [{ number: 1, etag: 'e1', size: 50_000_000 }] })
  const after = queueOf({ persistence, transport })
  await restoreUploads(after, 'u1')
  await until(() => expect(statuses(after)).toEqual(['done']))
  expect(transport.calls).toEqual(['listParts', 'part 2', 'part 3', 'complete', 'register'])
})

test('an upload whose bytes were not persisted waits for the same file after a reload', async () => {
  const { persistence, files, locks } = fakePersistence()
  const before = queueOf({ persistence, transport: fakeTransport({ sendPart: never }) })
  addUploads(before, [newUpload(fileOf('scan.pdf', LARGE))])
  await until(() => expect(files.size).toBe(1))
  files.clear()
  locks.clear()

  const after = queueOf({ persistence, transport: fakeTransport({}) })
  await restoreUploads(after, 'u1')
  expect(statuses(after)).toEqual(['needs_file'])
  expect(provideFile(after, 'a1', fileOf('scan.pdf', LARGE + 1))).toBe(false)
  expect(provideFile(after, 'a1', fileOf('scan.pdf', LARGE))).toBe(true)
  await until(() => expect(statuses(after)).toEqual(['done']))
})

test('a restored queue skips uploads of other users and uploads that another tab is sending', async () => {
  const { persistence, locks } = fakePersistence()
  const first = queueOf({ persistence, transport: fakeTransport({ sendWhole: never }) })
  addUploads(first, [newUpload(fileOf('a', 10)), { ...newUpload(fileOf('b', 10)), userId: 'u2' }])
  await until(() => expect(locks.size).toBe(2))
  const second = queueOf({ persistence, transport: fakeTransport({}) })
  await restoreUploads(second, 'u1')
  expect(second.list.items()).toEqual([])
  suspendUploads(first)
  await restoreUploads(second, 'u1')
  expect(second.list.items().map((item) => item.name)).toEqual(['a'])
})

test('canceling an upload stops it, aborts its multipart upload and removes it from the browser storage', async () => {
  const { persistence, items } = fakePersistence()
  let stopped = false
  const transport = fakeTransport({
    sendPart: (_i, _u, _n, _b, _on, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          stopped = true
          reject(signal.reason)
        })
      }),
  })
  const queue = queueOf({ transport, persistence })
  addUploads(queue, [newUpload(fileOf('scan.pdf', LARGE))])
  await until(() => expect(transport.calls).toContain('part 2'))
  cancelUpload(queue, 'i1')
  expect(statuses(queue)).toEqual(['canceled'])
  expect(stopped).toBe(true)
  expect(transport.calls).toContain('abort')
  await until(() => expect(items.size).toBe(0))
})

test('canceling all uploads includes the waiting ones', () => {
  const queue = queueOf({ transport: fakeTransport({ sendWhole: never }) })
  addUploads(
    queue,
    ['a', 'b', 'c', 'd'].map((name) => newUpload(fileOf(name, 10))),
  )
  cancelAllUploads(queue)
  expect(statuses(queue)).toEqual(['canceled', 'canceled', 'canceled', 'canceled'])
})

test('retrying a failed upload skips the steps that succeeded', async () => {
  let broken = true
  const transport = fakeTransport({
    register: async () => (broken ? Promise.reject(errorWith('The account is closed.', 409)) : { duplicateOf: null, document: aDocument }),
  })
  const queue = queueOf({ transport })
  addUploads(queue, [newUpload(fileOf('roof.pdf', 10))])
  await until(() => expect(statuses(queue)).toEqual(['failed']))
  broken = false
  retryUpload(queue, 'i1')
  await until(() => expect(statuses(queue)).toEqual(['done']))
  expect(transport.calls).toEqual(['sendWhole', 'register', 'register'])
})
