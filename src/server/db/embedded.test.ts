import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createLog } from '#server/kernel/log.ts'
import { z } from 'zod'
import { startEmbedded } from './embedded.ts'

const log = createLog({ level: 'silent' })
let dataDir = ''
let cleanUp: (() => Promise<void> | void)[] = []

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'plumbline-embedded-'))
  // The engine's own user must be able to enter, or the cluster would lie outside of this folder.
  chmodSync(dataDir, 0o755)
  cleanUp = [() => rmSync(dataDir, { recursive: true, force: true }), endEngine]
})
afterEach(async () => {
  for (const undo of cleanUp.reverse()) await undo()
})

describe('the embedded database', () => {
  test('is made once, keeps what it is given, and listens on this machine only', async () => {
    const first = await start({ disposable: false })
    await query(first.url, 'create table kept (word text)')
    await query(first.url, "insert into kept values ('Österreich')")
    await first.stop()
    const again = await start({ disposable: false })
    expect(await query(again.url, 'select word from kept')).toEqual([{ word: 'Österreich' }])
    const facts = `select current_setting('listen_addresses') as address, current_setting('data_checksums') as checksums,
      current_setting('fsync') as fsync, current_setting('server_encoding') as encoding, current_setting('server_version_num')::int / 10000 as major`
    expect(await query(again.url, facts)).toEqual([{ address: '127.0.0.1', checksums: 'on', fsync: 'on', encoding: 'UTF8', major: 18 }])
  })

  test('asks for its password, which only its owner can read', async () => {
    const { url } = await start()
    const wrong = new URL(url)
    wrong.password = 'guessed'
    await expect(query(wrong.href, 'select 1')).rejects.toThrow('password authentication failed')
    expect(statSync(join(dataDir, 'postgres.json')).mode & 0o777).toBe(0o600)
  })

  test('left running by a killed process, it is used again and can be ended', async () => {
    const killed = await startInAnotherProcess()
    const pid = enginePid()
    await kill(killed)
    const again = await start()
    expect(enginePid()).toBe(pid)
    await again.stop()
    await expect(query(again.url, 'select 1')).rejects.toThrow('ECONNREFUSED')
  })

  test('ends with a process that ends without stopping it', async () => {
    const child = await startInAnotherProcess()
    child.kill('SIGUSR2')
    await once(child, 'exit')
    await expect.poll(() => existsSync(pidFile()), { timeout: 5_000 }).toBe(false)
  })

  test('killed itself, it recovers what was committed', async () => {
    const owner = await startInAnotherProcess()
    const other = await start()
    await query(other.url, 'create table kept as select 7 as number')
    await kill(owner)
    process.kill(enginePid(), 'SIGKILL')
    const again = await start()
    expect(await query(again.url, 'select number from kept')).toEqual([{ number: 7 }])
  })

  test('killed under a running application, it comes back on the same address', async () => {
    const { url } = await start()
    process.kill(enginePid(), 'SIGKILL')
    await expect.poll(() => query(url, 'select 1 as one').catch(() => 'down'), { timeout: 15_000 }).toEqual([{ one: 1 }])
  })

  test('is not ended under another process that uses it', async () => {
    await startInAnotherProcess()
    const { url, stop } = await start()
    await stop()
    expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  test('takes another port when its own is taken', async () => {
    const first = await start()
    await first.stop()
    const taken = createServer().listen(Number(new URL(first.url).port), '127.0.0.1')
    await once(taken, 'listening')
    cleanUp.push(() => void taken.close())
    const again = await start()
    expect(new URL(again.url).port).not.toBe(new URL(first.url).port)
    expect(await query(again.url, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  test('starts although its old process id now belongs to another process', async () => {
    const first = await start()
    await first.stop()
    const foreign = `${process.pid}\n${join(dataDir, 'postgres')}\n1\n5432\n\n127.0.0.1\n1 1\nready\n`
    writeFileSync(pidFile(), foreign)
    const again = await start()
    expect(await query(again.url, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  test.runIf(process.getuid?.() === 0)(
    'started by root in a folder closed to others, it keeps its files where its own user can reach them',
    async () => {
      chmodSync(dataDir, 0o700)
      const { url } = await start()
      const [row] = await query(url, "select current_setting('data_directory') as folder")
      const { folder } = z.object({ folder: z.string().startsWith('/var/lib/plumbline/') }).parse(row)
      cleanUp.splice(1, 0, () => rmSync(folder, { recursive: true }))
      expect(statSync(folder).mode & 0o777).toBe(0o700)
    },
  )

  test('is made by one of two processes that start at the same moment', async () => {
    const [one, two] = await Promise.all([startInAnotherProcess(), startInAnotherProcess()])
    expect([one.exitCode, two.exitCode]).toEqual([null, null])
  })
})

/** Without fsync unless the test is about the settings of the product: ten clusters are created here. */
async function start({ disposable = true } = {}) {
  const embedded = await startEmbedded({ dataDir, log, disposable })
  cleanUp.push(() => embedded.stop())
  return embedded
}

async function startInAnotherProcess(): Promise<ChildProcess> {
  const script = `
    import { startEmbedded } from '#server/db/embedded.ts'
    import { createLog } from '#server/kernel/log.ts'
    await startEmbedded({ dataDir: ${JSON.stringify(dataDir)}, log: createLog({ level: 'silent' }), disposable: true })
    process.on('SIGUSR2', () => { throw new Error('a defect') })
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

/** A killed process leaves its engine running, as it should. */
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
