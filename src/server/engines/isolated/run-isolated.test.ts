import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline/promises'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, vi } from 'vitest'
import { isAlive } from '#server/db/embedded-process.ts'
import type { HostileMessage, HostileRequest } from './hostile-reader.fixture.ts'
import { runIsolated, type IsolationOptions } from './run-isolated.ts'

const READER = new URL('./hostile-reader.fixture.ts', import.meta.url)
const READY = { timeMs: 60_000, heapMb: 64 }

const run = (does: HostileRequest['does'], options: Partial<IsolationOptions> = {}) =>
  runIsolated<HostileRequest, HostileMessage>(READER, { does }, { ...READY, ...options })

/** A process that has ended can wait for long until the first process of a container notices it. */
const isRunning = (id: number) =>
  isAlive(id) && !(existsSync(`/proc/${id}/stat`) && readFileSync(`/proc/${id}/stat`, 'utf8').includes(') Z '))

/** What the process sent, its id, and how it ended. */
async function outcome(does: HostileRequest['does'], options?: Partial<IsolationOptions>) {
  const messages: HostileMessage[] = []
  let error: unknown
  try {
    for await (const message of run(does, options)) messages.push(message)
  } catch (thrown) {
    error = thrown
  }
  const id = messages.flatMap((message) => ('id' in message ? message.id : []))[0]
  return { error, messages, id, isAlive: id !== undefined && isAlive(id) }
}

describe('a process that reads a hostile file', () => {
  it.each([
    ['aborts', 'abort', 'ended'],
    ['exits without an answer', 'exit', 'ended'],
    ['fills its heap', 'fill the heap', 'memory'],
    ['is killed by the system', 'be killed', 'memory'],
  ] as const)('that %s leaves the server running, and what it sent before is read', async (_, does, reason) => {
    expect(await outcome(does)).toMatchObject({ error: { reason }, messages: [{ id: expect.any(Number) }], isAlive: false })
  })

  it('is ended when buffers outside its heap grow too large', async () => {
    expect(await outcome('fill buffers', { growthMb: 100 })).toMatchObject({ error: { reason: 'memory' }, isAlive: false })
  })

  it('is ended at the limit of time while it reads synchronously', async () => {
    const slow = run('loop', { timeMs: 60_000 })
    const { value } = await slow.next()
    expect(value).toMatchObject({ id: expect.any(Number) })
    await slow.return(undefined)
    expect(await outcome('loop', { timeMs: 500 })).toMatchObject({ error: { reason: 'time' }, isAlive: false })
  })

  it('reports what it throws, also outside of its main function', async () => {
    expect(await outcome('throw')).toMatchObject({
      error: { reason: 'failed', cause: { message: 'Unreadable', code: 'EIO', stack: expect.stringContaining('hostile-reader') } },
    })
    expect(await outcome('throw later')).toMatchObject({ error: { reason: 'failed', cause: { message: 'Unreadable later' } } })
  })

  it('does not wait for anyone to read its error output', async () => {
    expect(await outcome('write errors')).toMatchObject({ error: undefined, isAlive: false })
  })

  it('goes on when a terminal or a service manager stops all processes of the server', async () => {
    const { error, messages } = await outcome('get signals')
    expect(error).toBeUndefined()
    expect(messages).toHaveLength(2)
  })

  it('prepares one message while the caller has another, and waits with the rest', async () => {
    const counts: { count: number; preparedMs: number }[] = []
    let continuedMs = 0
    for await (const message of run('count')) {
      if (!('count' in message)) continue
      counts.push(message)
      if (message.count > 1) continue
      await setTimeout(300)
      continuedMs = Date.now()
    }
    expect(counts.map(({ count }) => count)).toEqual(Array.from({ length: 20 }, (_, at) => at + 1))
    // The second was sent, and the third waits for its receipt.
    expect(counts.slice(3).filter(({ preparedMs }) => preparedMs < continuedMs)).toEqual([])
  })

  it.runIf(existsSync('/proc/self/oom_score_adj'))('is the first that Linux ends when memory is short', async () => {
    const reading = run('loop')
    const { value } = await reading.next()
    const id = value !== undefined && 'id' in value ? value.id : 0
    expect(readFileSync(`/proc/${id}/oom_score_adj`, 'utf8')).toBe('1000\n')
    await reading.return(undefined)
  })

  it('is ended when the caller stops early', async () => {
    let id = 0
    for await (const message of run('loop')) {
      if ('id' in message) id = message.id
      break
    }
    expect([id > 0, isAlive(id)]).toEqual([true, false])
  })

  it('is ended at shutdown', async () => {
    const stop = new AbortController()
    const reading = run('loop', { signal: stop.signal })
    const { value } = await reading.next()
    stop.abort(new Error('Shutdown'))
    const next = reading.next()
    await expect(next).rejects.toThrow('Shutdown')
    expect(value !== undefined && 'id' in value && isAlive(value.id)).toBe(false)
  })
})

it('a process that cannot be started is no statement about the file', async () => {
  const { execPath } = process
  process.execPath = '/nowhere/node'
  try {
    expect(await outcome('count')).toMatchObject({ error: { code: 'ENOENT' }, messages: [] })
  } finally {
    process.execPath = execPath
  }
})

describe('a reader in an endless loop', () => {
  const secrets = { SECRET_KEY: 'k'.repeat(40), DATABASE_URL: 'postgres://user:secret@host/db', NODE_OPTIONS: '--no-warnings', TZ: 'UTC' }

  async function startParent() {
    const parent = spawn(process.execPath, [fileURLToPath(new URL('./parent.fixture.ts', import.meta.url))], {
      env: { ...process.env, ...secrets },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [line] = (await once(createInterface(parent.stdout), 'line')) as [string] // what readline emits
    const reader: { id: number; environment: Record<string, string> } = JSON.parse(line)
    return { parent, reader }
  }

  it('ends when its server is killed, and has none of its secrets', async () => {
    const { parent, reader } = await startParent()
    expect(isRunning(reader.id)).toBe(true)
    parent.kill('SIGKILL')
    await once(parent, 'exit')
    await vi.waitFor(() => expect(isRunning(reader.id)).toBe(false), { timeout: 20_000, interval: 50 })
    const variables = Object.entries(reader.environment)
    expect(variables).toContainEqual(['TZ', 'UTC'])
    expect(variables.filter(([name, value]) => (name in secrets && name !== 'TZ' ? true : value.includes('secret')))).toEqual([])
  })
})
