import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT, run, say } from './run.mjs'

const readLock = (path) => {
  try {
    return JSON.parse(readFileSync(path, 'utf8')).packages
  } catch {
    return undefined
  }
}

/** npm writes its own list of what it installed last of all, so an interrupted install shows as one that is missing. */
export function isInstalled(wanted, present) {
  if (present === undefined) return false
  return Object.entries(wanted).every(([name, { version, optional }]) => {
    if (name === '') return true
    const found = present[name]
    return found === undefined ? optional === true : found.version === version
  })
}

/** Installs what the package-lock.json of a folder says, when its node_modules does not hold it yet. */
export async function install(folder = ROOT) {
  if (isInstalled(readLock(join(folder, 'package-lock.json')), readLock(join(folder, 'node_modules/.package-lock.json')))) return
  const options = ['ci', '--prefix', folder, '--no-audit', '--no-fund', '--loglevel=error']
  say('Installing packages (a few minutes the first time) …')
  if ((await run('npm', options)) === 0) return
  say('npm ci failed; trying again with npm 11 …')
  if ((await run('npx', ['--yes', 'npm@11', ...options])) === 0) return
  throw new Error('The packages could not be installed; see the output above. Check the network and start again.')
}
