import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { vi } from 'vitest'
import type { TestApp } from './app.ts'

export interface Received {
  to: string
  subject: string
  text: string
}

const decoded = (quoted: string) =>
  quoted.replace(/=\r?\n/g, '').replace(/=([0-9A-F]{2})/g, (_whole, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))

const header = (letter: string, name: string) => new RegExp(`^${name}: (.*)$`, 'mi').exec(letter)?.[1] ?? ''

function read(letter: string): Received {
  const part = letter.split(/^Content-Type: text\/html/m)[0] ?? ''
  return {
    to: header(letter, 'To'),
    subject: header(letter, 'Subject'),
    text: decoded(part.slice(part.lastIndexOf('Content-Type: text/plain'))),
  }
}

/** All mails to this address in the outbox, oldest first. */
export async function letters(app: TestApp, to: string): Promise<Received[]> {
  const folder = join(app.dataDir, 'outbox')
  const files = (await readdir(folder)).filter((name) => name.endsWith('.eml')).sort()
  const all = await Promise.all(files.map(async (name) => read(await readFile(join(folder, name), 'utf8'))))
  return all.filter((letter) => letter.to === to)
}

/** Waits for the nth mail to this address; needs an app with a worker. */
export async function letter(app: TestApp, to: string, nth = 1): Promise<Received> {
  return vi.waitFor(
    async () => {
      const found = (await letters(app, to))[nth - 1]
      if (found === undefined) throw new Error(`There is no mail ${nth} to ${to}`)
      return found
    },
    { timeout: 30_000, interval: 50 },
  )
}
