import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import fs, { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createLog } from '#server/kernel/log.ts'
import { z } from 'zod'
import { startEmbedded } from './embedded.ts'
import { testNeeding } from '#server/testing/needs.ts'

const log = createLog({ level: 'silent' })
let dataDir = ''
let cleanUp: (() => Promise<void> | void)[] = []

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'plumbline-embedded-'))
  // The account of the engine must be able to enter, or the cluster would be created outside this folder.
  chmodSync(dataDir, 0o755)
  cleanUp = [() => rmSync(dataDir, { recursive: true, force: true }), endEngine]
})
afterEach(async () => {
  for (const undo of cleanUp.reverse()) await undo()
})

describe('the embedded database', () => {
  test('is created once, is durable, and listens on 127.0.0.1 only', async () => {
    const first = await start({ disposable: false })
    await query(first.ownerUrl, 'create table words (word text)')
    await query(first.ownerUrl, "insert into words values ('Österreich')")
    await first.stop()
    const again = await start({ disposable: false })
    expect(await query(again.ownerUrl, 'select word from words')).toEqual([{ word: 'Österreich' }])
    const facts = `select current_setting('listen_addresses') as address, current_setting('data_checksums') as checksums,
      current_setting('fsync') as fsync, current_setting('server_encoding') as encoding, current_setting('server_version_num')::int / 10000 as major`
    expect(await query(again.ownerUrl, facts)).toEqual([
      { address: '127.0.0.1', checksums: 'on', fsync: 'on', encoding: 'UTF8', major: 18 },
    ])
  })

  test('requires a password that only its owner can read', async () => {
    const { url } = await start()
    const wrong = new URL(url)
    wrong.password = 'guessed'
    await expect(query(wrong.href, 'select 1')).rejects.toThrow('password authentication failed')
    expect(statSync(join(dataDir, 'postgres.json')).mode & 0o777).toBe(0o600)
  })

  test('is reused and can be stopped after its process was killed', async () => {
    const killed = await startInAnotherProcess()
    const pid = enginePid()
    await kill(killed)
    const again = await start()
    expect(enginePid()).toBe(pid)
    await again.stop()
    await expect(query(again.ownerUrl, 'select 1')).rejects.toThrow('ECONNREFUSED')
  })

  test('stops with a process that exits without stopping it', async () => {
    const child = await startInAnotherProcess()
    child.kill('SIGUSR2')
    await once(child, 'exit')
    await expect.poll(() => existsSync(pidFile()), { timeout: 5_000 }).toBe(false)
  })

  test('recovers committed data after it was killed', async () => {
    const owner = await startInAnotherProcess({ disposable: false })
    const other = await start({ disposable: false })
    await query(other.ownerUrl, 'create table numbers as select 7 as number')
    await kill(owner)
    process.kill(enginePid(), 'SIGKILL')
    const again = await start({ disposable: false })
    expect(await query(again.ownerUrl, 'select number from numbers')).toEqual([{ number: 7 }])
  })

  test('is restarted on the same port after it was killed', async () => {
    const { url } = await start()
    process.kill(enginePid(), 'SIGKILL')
    await expect.poll(() => query(url, 'select 1 as one').catch(() => 'down'), { timeout: 15_000 }).toEqual([{ one: 1 }])
  })

  test('is checked again and restarted after its files could not be read', async () => {
    const lines: string[] = []
    const { url } = await start({ log: createLog({ level: 'warn', destination: { write: (line) => void lines.push(line) } }) })
    const pid = enginePid()
    const reading = vi.spyOn(fs, 'readFileSync').mockImplementation(() => {
      throw Object.assign(new Error('EMFILE: too many open files'), { code: 'EMFILE' })
    })
    cleanUp.push(() => reading.mockRestore())
    await expect.poll(() => lines.join(''), { timeout: 5_000 }).toContain('Whether the database runs could not be checked')
    expect(lines.join('')).not.toContain('is being restarted')
    reading.mockRestore()
    process.kill(pid, 'SIGKILL')
    await expect.poll(() => query(url, 'select 1 as one').catch(() => 'down'), { timeout: 15_000 }).toEqual([{ one: 1 }])
  })

  test('is not stopped while another process uses it', async () => {
    await startInAnotherProcess()
    const { url, stop } = await start()
    await stop()
    expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  test('uses another port if its own is in use', async () => {
    const first = await start()
    await first.stop()
    const other = createServer().listen(Number(new URL(first.url).port), '127.0.0.1')
    await once(other, 'listening')
    cleanUp.push(() => void other.close())
    const again = await start()
    expect(new URL(again.url).port).not.toBe(new URL(first.url).port)
    expect(await query(again.ownerUrl, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  test('starts if its old process id belongs to another process', async () => {
    const first = await start()
    await first.stop()
    const foreign = `${process.pid}\n${join(dataDir, 'postgres')}\n1\n5432\n\n127.0.0.1\n1 1\nready\n`
    writeFileSync(pidFile(), foreign)
    const again = await start()
    expect(await query(again.ownerUrl, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  testNeeding('root')('stores its files where its account can reach them if root starts it in a closed folder', async () => {
    chmodSync(dataDir, 0o700)
    const { ownerUrl } = await start()
    const [row] = await query(ownerUrl, "select current_setting('data_directory') as folder")
    const { folder } = z.object({ folder: z.string().startsWith('/var/lib/plumbline/') }).parse(row)
    cleanUp.splice(1, 0, () => rmSync(folder, { recursive: true }))
    expect(statSync(folder).mode & 0o777).toBe(0o700)
  })

  test('is created by one of two processes that start at the same time', async () => {
    const [one, two] = await Promise.all([startInAnotherProcess(), startInAnotherProcess()])
    expect([one.exitCode, two.exitCode]).toEqual([null, null])
  })
})

/** Without fsync unless the test is about durability: ten clusters are created here. */
async function start({ disposable = true, log: usedLog = log } = {}) {
  const embedded = await startEmbedded({ dataDir, log: usedLog, disposable })
  cleanUp.push(() => embedded.stop())
  return embedded
}

async function startInAnotherProcess({ disposable = true } = {}): Promise<ChildProcess> {
  const script = `
    import { startEmbedded } from '#server/db/embedded.ts'
    import { createLog } from '#server/kernel/log.ts'
    await startEmbedded({ dataDir: ${JSON.stringify(dataDir)}, log: createLog({ level: 'silent' }), disposable: ${disposable} })
    process.on('SIGUSR2', () => { throw new Error('unexpected') })
    console.log('ready')
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'ignore'] })
  cleanUp.push(() => kill(child))
  await once(child.stdout, 'data')
  return child
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'exit')
}

/** A killed process leaves its engine running. */
async function endEngine(): Promise<void> {
  if (!existsSync(pidFile())) return
  process.kill(enginePid(), 'SIGQUIT')
  await expect.poll(() => existsSync(pidFile()), { timeout: 5_000 }).toBe(false)
}

const pidFile = () => join(dataDir, 'postgres', 'postmaster.pid')
const enginePid = () => Number.parseInt(readFileSync(pidFile(), 'utf8'), 10)

async function query(url: string, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(text)).rows
  } finally {
    await client.end()
  }
}
