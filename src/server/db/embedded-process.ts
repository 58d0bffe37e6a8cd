import { linkSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const LOCK_POLL_MS = 25
const LOCK_PATIENCE_MS = 60_000

/** Whether a process of this id exists, whoever owns it. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** "pid-start": an id may be given to another process after a crash or a reboot, the pair is not. */
function stampOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return `${pid}-${stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''}`
  } catch {
    return `${pid}-`
  }
}

const isCurrent = (stamp: string): boolean => {
  const pid = Number.parseInt(stamp, 10)
  return Number.isInteger(pid) && isAlive(pid) && stampOf(pid) === stamp
}

/**
 * Runs work while no other process holds the lock file; a lock whose process is gone is broken.
 * Throws when a living process holds it for a minute.
 */
export async function withLock<T>(file: string, work: () => Promise<T>): Promise<T> {
  const own = `${file}.${process.pid}`
  writeFileSync(own, stampOf(process.pid))
  try {
    const deadline = Date.now() + LOCK_PATIENCE_MS
    while (!tryLink(own, file)) {
      if (Date.now() > deadline) throw new Error(`Another process is busy with the database in ${file}; end it and start again.`)
      await sleep(LOCK_POLL_MS)
    }
  } finally {
    rmSync(own, { force: true })
  }
  try {
    return await work()
  } finally {
    rmSync(file, { force: true })
  }
}

/** A link is made whole or not at all, so a lock never stands there without its holder's name. */
function tryLink(own: string, file: string): boolean {
  try {
    linkSync(own, file)
    return true
  } catch {
    const holder = readIfThere(file)
    if (holder !== undefined && !isCurrent(holder)) rmSync(file, { force: true })
    return false
  }
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

/** Notes that this process uses the engine. */
export function hold(dir: string): void {
  mkdirSync(dir, { recursive: true })
  writeFileSync(join(dir, stampOf(process.pid)), '')
}

/** Takes the note back; returns whether a living process still uses the engine. */
export function release(dir: string): boolean {
  rmSync(join(dir, stampOf(process.pid)), { force: true })
  const stamps = readdirSync(dir)
  for (const stamp of stamps) if (!isCurrent(stamp)) rmSync(join(dir, stamp), { force: true })
  return stamps.some(isCurrent)
}
