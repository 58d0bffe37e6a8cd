import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { Services } from '#server/engines/context.ts'
import { hashPassword } from '#server/engines/secrets/passwords.ts'
import type { SignIn } from './stage.ts'

const Kept = z.object({
  password: z.string().nullable(),
  passwordHash: z.string(),
  people: z.array(z.object({ email: z.string(), who: z.string() })),
})
type Kept = z.output<typeof Kept>

const PASSWORD_BYTES = 9
const fileOf = ({ config }: Services) => join(config.dataDir, 'demo-sign-ins.json')

/** One password for everybody of the demo: ADMIN_PASSWORD, or one made up for this installation alone. */
export async function newPassword({ config }: Services): Promise<Omit<Kept, 'people'>> {
  const password = config.admin.password ?? randomBytes(PASSWORD_BYTES).toString('base64url')
  return { password: config.admin.password === undefined ? password : null, passwordHash: await hashPassword(password, config.secretKey) }
}

/**
 * Keeps them for the next start beside those of earlier scenarios, readable by the owner only; an operator's own password is
 * not written down.
 */
export function keepSignIns(services: Services, kept: Omit<Kept, 'people'>, people: readonly SignIn[]): void {
  const all = [...readKept(services), { ...kept, people }]
  writeFileSync(fileOf(services), JSON.stringify(all, null, 2), { mode: 0o600 })
}

/**
 * The demo's sign-ins as lines for the terminal, as long as they still work. Shown only while the server answers this machine
 * alone; otherwise a line says that there are some and where they are written.
 */
export async function demoSignIns(services: Services): Promise<string[]> {
  const teams = await Promise.all(readKept(services).map(async (kept) => ({ ...kept, people: await stillWorking(services, kept) })))
  const working = teams.filter(({ people }) => people.length > 0)
  if (working.length === 0) return []
  if (!isLoopback(services.config.host)) {
    return ['', `This server answers other machines and holds the users of the demo. Their sign-ins are in ${fileOf(services)}.`]
  }
  return working.flatMap(({ password, people }) => {
    const width = Math.max(...people.map(({ email }) => email.length))
    const key = password === null ? 'the password of ADMIN_PASSWORD' : `the password ${password}`
    return ['', `Sign in with ${key} as`, ...people.map(({ email, who }) => `  ${email.padEnd(width)}  ${who}`)]
  })
}

function readKept(services: Services): Kept[] {
  try {
    return z.array(Kept).parse(JSON.parse(readFileSync(fileOf(services), 'utf8')))
  } catch {
    return []
  }
}

/** Those whose password nobody has changed since. */
async function stillWorking({ db }: Services, { people, passwordHash }: Kept): Promise<SignIn[]> {
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
