import { execFileSync, spawnSync } from 'node:child_process'
import { statSync } from 'node:fs'

/** Who the engine runs as; undefined means the user who runs the application. */
export type EngineAccount = { uid: number; gid: number } | undefined

const UNPRIVILEGED_USERS = ['postgres', 'nobody']
/** By its path: a service's PATH may hold nothing but Node. */
const ID = '/usr/bin/id'

/**
 * The engine refuses to run as root, so root runs it as the owner of an existing cluster or as the first
 * unprivileged user of the machine. Throws when root finds neither.
 */
export function engineAccount(clusterDir: string): EngineAccount {
  if (process.getuid?.() !== 0) return undefined
  const owner = statSync(clusterDir, { throwIfNoEntry: false })
  if (owner !== undefined && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid }
  for (const name of UNPRIVILEGED_USERS) {
    const account = lookUp(name)
    if (account !== undefined) return account
  }
  throw new Error(
    `PostgreSQL refuses to run as root and this machine has no user ${UNPRIVILEGED_USERS.join(' or ')}. ` +
      'Start the application as an ordinary user, or set DATABASE_URL.',
  )
}

/** Whether the engine's user can enter this folder, or read and run this file. */
export function canReach(path: string, account: EngineAccount): boolean {
  if (account === undefined) return true
  const seen = spawnSync('/bin/sh', ['-c', 'test -r "$1" && test -x "$1"', 'sh', path], { ...account, cwd: '/', stdio: 'ignore' })
  if (seen.error !== undefined) {
    throw new Error(
      `The database could not be started as another user (${seen.error.message}). Start the application as an ordinary user, or set DATABASE_URL.`,
    )
  }
  return seen.status === 0
}

function lookUp(name: string): EngineAccount {
  try {
    const id = (flag: string) => Number(execFileSync(ID, [flag, name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }))
    const account = { uid: id('-u'), gid: id('-g') }
    return account.uid > 0 ? account : undefined
  } catch {
    return undefined
  }
}
