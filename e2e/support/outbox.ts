import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

const WAIT_MS = 15_000
const POLL_MS = 100

/** Waits for a mail to this address that matches; returns the first group of the pattern in the newest one. */
export async function findInMail(dataDir: string, email: string, pattern: RegExp): Promise<string> {
  const until = Date.now() + WAIT_MS
  while (Date.now() < until) {
    const found = await newestMatch(dataDir, email, pattern)
    if (found !== undefined) return found
    await pause(POLL_MS)
  }
  throw new Error(`No mail to ${email} contains ${String(pattern)}`)
}

async function newestMatch(dataDir: string, email: string, pattern: RegExp): Promise<string | undefined> {
  const folder = join(dataDir, 'outbox')
  const names = (await readdir(folder))
    .filter((name) => name.endsWith('.eml'))
    .sort()
    .reverse()
  for (const name of names) {
    const mail = plain(await readFile(join(folder, name), 'utf8'))
    const found = new RegExp(`^To: .*${email}`, 'mi').test(mail) ? pattern.exec(mail)?.[1] : undefined
    if (found !== undefined) return found
  }
  return undefined
}

/** Joins the lines of quoted-printable text, which breaks long links. */
const plain = (mail: string) => mail.replace(/=\r?\n/g, '').replaceAll('=3D', '=')
