import { linkSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { errorCode } from '#server/kernel/errors.ts'

const LOCK_POLL_MS = 25
const LOCK_TIMEOUT_MS = 60_000

/** Whether a process with this id exists, of any user. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return errorCode(error) === 'EPERM'
  }
}

/** Process id and start time: after a crash or a reboot another process can have the id, but not both. */
function processKey(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return `${pid}-${stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''}`
  } catch {
    // Only Linux has /proc; elsewhere the process id alone has to do.
    return `${pid}-`
  }
}

const isCurrent = (key: string): boolean => {
  const pid = Number.parseInt(key, 10)
  return Number.isInteger(pid) && isAlive(pid) && processKey(pid) === key
}

/** Runs work while no other process holds the lock file. Ignores the lock of a process that has ended. */
export async function withLock<T>(file: string, work: () => Promise<T>): Promise<T> {
  const ownFile = `${file}.${process.pid}`
  writeFileSync(ownFile, processKey(process.pid))
  try {
    const deadline = Date.now() + LOCK_TIMEOUT_MS
    while (!tryLink(ownFile, file)) {
      if (Date.now() > deadline) throw new Error(`Another process holds ${file}. End it and start again.`)
      await sleep(LOCK_POLL_MS)
    }
  } finally {
    rmSync(ownFile, { force: true })
  }
  try {
    return await work()
  } finally {
    rmSync(file, { force: true })
  }
}

/** Creating a link is atomic, so the lock file always contains the key of its holder. */
function tryLink(ownFile: string, file: string): boolean {
  try {
    linkSync(ownFile, file)
    return true
  } catch {
    // The file exists: another process holds the lock, or left it behind.
    const holder = readIfExists(file)
    if (holder !== undefined && !isCurrent(holder)) rmSync(file, { force: true })
    return false
  }
}

function readIfExists(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

/** Records that this process uses the engine. */
export function hold(dir: string): void {
  mkdirSync(dir, { recursive: true })
  writeFileSync(join(dir, processKey(process.pid)), '')
}

/** Removes the record of this process; returns whether another process uses the engine. */
export function release(dir: string): boolean {
  rmSync(join(dir, processKey(process.pid)), { force: true })
  const keys = readdirSync(dir)
  for (const key of keys) if (!isCurrent(key)) rmSync(join(dir, key), { force: true })
  return keys.some(isCurrent)
}
