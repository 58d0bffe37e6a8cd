import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'vitest'

const runs =
  (program: string, ...args: string[]) =>
  () => {
    try {
      execFileSync(program, args, { stdio: 'ignore' })
      return true
    } catch {
      return false
    }
  }

/** The folder with real spreadsheets, which are not part of the repository. */
export const SAMPLES_FOLDER = process.env['PLUMBLINE_SAMPLES'] ?? ''
export const samplePath = (name: string): string => join(SAMPLES_FOLDER, name)

/**
 * What some tests need and a machine may lack. scripts/test.mjs lists skipped tests by these names and fails on a skipped test
 * without one; a new name is added there, too.
 */
const NEEDS = {
  unzip: runs('unzip', '-v'),
  '7z': runs('7z', 'i'),
  bsdtar: runs('bsdtar', '--version'),
  python3: runs('python3', '--version'),
  root: () => process.getuid?.() === 0,
  'permission to mount': () => process.getuid?.() === 0 && runs('unshare', '--mount', 'true')(),
  'S3 store': () => process.env['PLUMBLINE_TEST_S3_URL'] !== undefined,
  'sample files': () => SAMPLES_FOLDER !== '' && existsSync(SAMPLES_FOLDER),
} satisfies Record<string, () => boolean>
type Need = keyof typeof NEEDS

const available = new Map<Need, boolean>()

function has(need: Need): boolean {
  const known = available.get(need) ?? NEEDS[need]()
  available.set(need, known)
  return known
}

const labeled = (name: string, missing: readonly Need[]) => (missing.length === 0 ? name : `${name} [needs ${missing.join(', ')}]`)

/**
 * `testNeeding('unzip')('accepts the archive', …)`: skipped with its reason in the name where something is missing.
 */
export function testNeeding(...needs: Need[]) {
  const missing = needs.filter((need) => !has(need))
  const define = test.skipIf(missing.length > 0)
  return (name: string, run: () => unknown, timeout?: number): void =>
    define(labeled(name, missing), async () => void (await run()), timeout)
}

export function describeNeeding(...needs: Need[]) {
  const missing = needs.filter((need) => !has(need))
  const define = describe.skipIf(missing.length > 0)
  return (name: string, body: () => void): void => void define(labeled(name, missing), body)
}
