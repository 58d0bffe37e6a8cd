import { existsSync } from 'node:fs'
import { run, say } from './run.mjs'

const PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

const find = () => [process.env.PLUMBLINE_CHROMIUM, ...PLACES].find((place) => place !== undefined && existsSync(place))

/** Path of a browser for the tests, installed by the system's package manager where that is possible; else undefined. */
export async function findOrInstallChromium() {
  const found = find()
  if (found !== undefined) return found
  if (process.getuid?.() !== 0 || (await run('apt-get', ['--version'], { quiet: true })) !== 0) return undefined
  say('Installing Chromium for the browser tests …')
  const env = { DEBIAN_FRONTEND: 'noninteractive' }
  await run('apt-get', ['update', '-qq'], { env, quiet: true })
  await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium'], { env, quiet: true })
  return find()
}
