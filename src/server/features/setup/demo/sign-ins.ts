import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { Services } from '#server/engines/context.ts'
import { hashPassword } from '#server/engines/secrets/passwords.ts'
import type { SignIn } from './demo-context.ts'

const SavedSignIns = z.object({
  password: z.string().nullable(),
  passwordHash: z.string(),
  people: z.array(z.object({ email: z.string(), who: z.string() })),
})
type SavedSignIns = z.output<typeof SavedSignIns>

const PASSWORD_BYTES = 9
const fileOf = ({ config }: Services) => join(config.dataDir, 'demo-sign-ins.json')

/** One password for all users of the demo: ADMIN_PASSWORD, or a random one for this installation. */
export async function newPassword({ config }: Services): Promise<Omit<SavedSignIns, 'people'>> {
  const password = config.admin.password ?? randomBytes(PASSWORD_BYTES).toString('base64url')
  return { password: config.admin.password === undefined ? password : null, passwordHash: await hashPassword(password, config.secretKey) }
}

/** Saves the sign-ins in addition to those of earlier scenarios, in a file only for its owner. An operator's own password is not saved. */
export function saveSignIns(services: Services, password: Omit<SavedSignIns, 'people'>, people: readonly SignIn[]): void {
  const all = [...readSignIns(services), { ...password, people }]
  writeFileSync(fileOf(services), JSON.stringify(all, null, 2), { mode: 0o600 })
}

/**
 * The sign-ins of the demo that still work, as lines for the terminal. A server that is reachable from other machines prints
 * only the file that holds them.
 */
export async function demoSignIns(services: Services): Promise<string[]> {
  const teams = await Promise.all(
    readSignIns(services).map(async (saved) => ({ ...saved, people: await unchangedPeople(services, saved) })),
  )
  const working = teams.filter(({ people }) => people.length > 0)
  if (working.length === 0) return []
  if (!isLoopback(services.config.host)) {
    return ['', `Other machines can reach this server, and it holds the users of the demo. Their sign-ins are in ${fileOf(services)}.`]
  }
  return working.flatMap(({ password, people }) => {
    const width = Math.max(...people.map(({ email }) => email.length))
    const key = password === null ? 'the password of ADMIN_PASSWORD' : `the password ${password}`
    return ['', `Sign in with ${key} as`, ...people.map(({ email, who }) => `  ${email.padEnd(width)}  ${who}`)]
  })
}

function readSignIns(services: Services): SavedSignIns[] {
  try {
    return z.array(SavedSignIns).parse(JSON.parse(readFileSync(fileOf(services), 'utf8')))
  } catch {
    // There is no file before the first demo data, and a damaged one is written again.
    return []
  }
}

/** The users whose password is unchanged. */
async function unchangedPeople({ db }: Services, { people, passwordHash }: SavedSignIns): Promise<SignIn[]> {
  const rows = await db
    .selectFrom('users')
    .select('email')
    .where('password_hash', '=', passwordHash)
    .where('deleted_at', 'is', null)
    .execute()
  const working = new Set(rows.map(({ email }) => email))
  return people.filter(({ email }) => working.has(email))
}

const isLoopback = (host: string): boolean => /^(127(\.\d{1,3}){3}|::1|localhost)$/.test(host)
