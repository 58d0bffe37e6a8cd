import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

const WAIT_MS = 15_000
const LOOK_EVERY_MS = 100

/** The newest letter to this address whose text matches; waits for it. Answers what the first group of the pattern found. */
export async function inLetterTo(dataDir: string, email: string, pattern: RegExp): Promise<string> {
  const until = Date.now() + WAIT_MS
  while (Date.now() < until) {
    const found = await look(dataDir, email, pattern)
    if (found !== undefined) return found
    await pause(LOOK_EVERY_MS)
  }
  throw new Error(`No letter to ${email} holds ${String(pattern)}`)
}

async function look(dataDir: string, email: string, pattern: RegExp): Promise<string | undefined> {
  const folder = join(dataDir, 'outbox')
  const names = (await readdir(folder))
    .filter((name) => name.endsWith('.eml'))
    .sort()
    .reverse()
  for (const name of names) {
    const letter = plain(await readFile(join(folder, name), 'utf8'))
    const found = new RegExp(`^To: .*${email}`, 'mi').test(letter) ? pattern.exec(letter)?.[1] : undefined
    if (found !== undefined) return found
  }
  return undefined
}

/** Quoted-printable folds long lines, so also links. */
const plain = (letter: string) => letter.replace(/=\r?\n/g, '').replaceAll('=3D', '=')
