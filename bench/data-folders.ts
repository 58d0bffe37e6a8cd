import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const VERSION_FILE = 'seeded'

/**
 * A folder of data that is created once for each version and reused by later runs. `create` fills the empty folder; a folder of another
 * version, or one whose creation was interrupted, is replaced.
 */
export async function dataFolder(path: string, version: string, create: () => Promise<void>): Promise<string> {
  const created = join(path, VERSION_FILE)
  if (existsSync(created) && readFileSync(created, 'utf8') === version) return path
  rmSync(path, { recursive: true, force: true })
  mkdirSync(path, { recursive: true })
  chmodSync(path, 0o755)
  await create()
  writeFileSync(created, version)
  return path
}
