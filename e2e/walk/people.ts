import { E2E_ADMIN } from '../support/people.ts'

/** The users of the demo, one for each kind of person; `visitor` is not signed in. Those with the most screens come first. */
const EMAILS = {
  administrator: 'admin@plumbline.example',
  provider: 'provider@plumbline.example',
  broker: 'broker@plumbline.example',
  client: 'client@plumbline.example',
  carrier: 'carrier@plumbline.example',
  'upload-only': 'upload@plumbline.example',
  visitor: undefined,
} as const

export interface Walker {
  role: string
  signIn: { email: string; password: string } | undefined
}

const isRole = (name: string): name is keyof typeof EMAILS => Object.hasOwn(EMAILS, name)

/** `WALK_ROLES` names some of them; `WALK_PASSWORD` is the password of the demo behind `WALK_URL`. */
export function walkers(env: NodeJS.ProcessEnv): Walker[] {
  const names = env['WALK_ROLES']?.split(',').map((name) => name.trim()) ?? Object.keys(EMAILS)
  const password = env['WALK_PASSWORD'] ?? E2E_ADMIN.password
  return names.map((role) => {
    if (!isRole(role)) throw new Error(`WALK_ROLES has ${role}, but the roles are ${Object.keys(EMAILS).join(', ')}.`)
    const email = EMAILS[role]
    return { role, signIn: email === undefined ? undefined : { email, password } }
  })
}
