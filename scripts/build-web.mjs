import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT, run, say } from './run.mjs'

const SOURCES = ['src/web', 'src/contract', 'vite.config.ts', 'package-lock.json']
const STAMP = join(ROOT, 'dist', 'web', '.built-from')

/** Builds the web page into dist/web, unless it was built from exactly these sources. */
export async function buildWeb({ force = false } = {}) {
  const hash = hashOfSources()
  if (!force && existsSync(STAMP) && readFileSync(STAMP, 'utf8') === hash) return
  say('Building the web page …')
  if ((await run('vite', ['build', '--logLevel', 'warn'])) !== 0) throw new Error('The web page could not be built; see the output above.')
  writeFileSync(STAMP, hash)
}

function hashOfSources() {
  const hash = createHash('sha256')
  for (const file of SOURCES.flatMap(filesBelow)) hash.update(`${file}\n`).update(readFileSync(join(ROOT, file)))
  return hash.digest('hex')
}

function filesBelow(path) {
  const full = join(ROOT, path)
  if (!existsSync(full)) return []
  if (!statSync(full).isDirectory()) return [path]
  return readdirSync(full)
    .sort()
    .flatMap((name) => filesBelow(join(path, name)))
}
