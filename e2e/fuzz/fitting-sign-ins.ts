import { Secret, TOTP } from 'otpauth'
import type { As } from '#server/testing/app.ts'
import { hashPassword } from '#server/engines/secrets/passwords.ts'
import { queuedMails } from '#server/testing/clients.fixture.ts'
import { softwareAuthenticator } from '#server/testing/software-authenticator.fixture.ts'
import { makeUser } from '#server/testing/factories/people.ts'
import { NothingFits, dataOf, type Recipes, type Scene } from './scene.ts'

export const PASSWORD = 'level and plumb 31'
const NEW_PASSWORD = 'purple-Harbor-93-crane'

type UserOptions = Parameters<typeof makeUser>[1]

export async function newUser({ app, companyId, random }: Pick<Scene, 'app' | 'companyId' | 'random'>, options: UserOptions = {}) {
  const passwordHash = await hashPassword(PASSWORD, app.system.config.secretKey)
  return makeUser(app.system, { companyId, passwordHash, email: `known${Math.floor(random() * 1e9)}@example.test`, ...options })
}

export async function signedIn(scene: Scene, email: string) {
  const { status, body } = await scene.app.anonymous.post('/api/v1/login', { email, password: PASSWORD, remember: true })
  if (status !== 200) throw new NothingFits('sign-in')
  return { ...body, as: scene.app.bearing(`Bearer ${body.token}`) }
}

/** A part of the latest mail to this address. */
async function mailed({ app }: Scene, email: string, part: RegExp): Promise<string> {
  const found = part.exec((await queuedMails(app, email)).at(-1)?.text ?? '')
  if (found === null) throw new NothingFits('mail')
  return found[1] ?? found[0]
}

const challenged = async (scene: Scene) => {
  const { email, id } = await newUser(scene, { twoFactor: true })
  return { email, id, ...(await signedIn(scene, email)) }
}

async function resetLink(scene: Scene) {
  const { email } = await newUser(scene)
  await scene.app.anonymous.post('/api/v1/password/create', { email })
  return { email, token: await mailed(scene, email, /reset-password\/([\w-]+)/) }
}

async function startedApp(scene: Scene) {
  const { as } = await signedIn(scene, (await newUser(scene)).email)
  const { status, body } = await as.post('/api/v1/users/totp')
  if (status !== 200) throw new NothingFits('app')
  const code = new TOTP({ secret: Secret.fromBase32(body.data.secret) }).generate()
  return { as, code }
}

async function withApp(scene: Scene): Promise<As> {
  const { as, code } = await startedApp(scene)
  await as.post('/api/v1/users/totp/confirm', { code, current_password: PASSWORD })
  return as
}

/** A signed-in user, and the answer of an authenticator to the options for a new passkey. */
async function newPasskey(scene: Scene) {
  const { as } = await signedIn(scene, (await newUser(scene)).email)
  const { status, body } = await as.post('/api/v1/users/passkeys/options', { current_password: PASSWORD })
  if (status !== 200) throw new NothingFits('passkey')
  const { origin } = new URL(scene.app.system.config.appUrl)
  const here = { origin, rpId: new URL(origin).hostname }
  const key = softwareAuthenticator()
  return { as, key, here, body: { name: 'Laptop', current_password: PASSWORD, response: key.create(body.data.challenge, here) } }
}

async function storedPasskey(scene: Scene) {
  const { as, body, ...rest } = await newPasskey(scene)
  const answer = await as.post('/api/v1/users/passkeys', body)
  if (answer.status !== 200) throw new NothingFits('passkey')
  return { ...rest, as, id: String(answer.body.data.id) }
}

export const fittingSignIns: Recipes = {
  'POST /login': async (scene) => ({ body: { email: (await newUser(scene)).email, password: PASSWORD } }),
  'POST /two-factor-challenge': async (scene) => {
    const { as, email } = await challenged(scene)
    return { as, body: { code: await mailed(scene, email, /^\d{6}$/m) } }
  },
  'POST /reset-two-factor-challenge': async (scene) => {
    const { as, id } = await challenged(scene)
    const { db } = scene.app.system
    const sessions = db.selectFrom('sessions').select('id').where('user_id', '=', id)
    await db
      .updateTable('login_challenges')
      .set({ sent_at: new Date(0) })
      .where('session_id', 'in', sessions)
      .execute()
    return { as }
  },
  'POST /token/keep': async (scene) => {
    const { as, refresh_token } = await signedIn(scene, (await newUser(scene)).email)
    return { as, body: { refresh_token } }
  },
  'GET /logout': async (scene) => ({ as: (await signedIn(scene, (await newUser(scene)).email)).as }),
  'POST /logout': async (scene) => ({ as: (await signedIn(scene, (await newUser(scene)).email)).as }),
  'POST /password/create': async (scene) => ({ body: { email: (await newUser(scene)).email } }),
  'GET /password/find/:token': async (scene) => ({ params: { token: (await resetLink(scene)).token } }),
  'PUT /users/password': async (scene) => ({
    as: (await signedIn(scene, (await newUser(scene)).email)).as,
    body: { current_password: PASSWORD, password: NEW_PASSWORD, password_confirmation: NEW_PASSWORD },
  }),
  'PUT /users/profile': async (scene) => ({
    as: (await signedIn(scene, (await newUser(scene)).email)).as,
    body: { first_name: 'Ada', last_name: 'Byron' },
  }),
  'DELETE /users/sessions/:id': async (scene) => {
    const { as } = await signedIn(scene, (await newUser(scene)).email)
    const [device] = await dataOf(as, 'users/sessions')
    return { as, params: { id: device.id } }
  },
  'POST /users/totp': async (scene) => ({ as: (await signedIn(scene, (await newUser(scene)).email)).as }),
  'POST /users/totp/confirm': async (scene) => {
    const { as, code } = await startedApp(scene)
    return { as, body: { code, current_password: PASSWORD } }
  },
  'POST /users/totp/recovery-codes': async (scene) => ({ as: await withApp(scene), body: { current_password: PASSWORD } }),
  'DELETE /users/totp': async (scene) => ({ as: await withApp(scene), body: { current_password: PASSWORD } }),
  'POST /users/passkeys/options': async (scene) => ({
    as: (await signedIn(scene, (await newUser(scene)).email)).as,
    body: { current_password: PASSWORD },
  }),
  'POST /users/passkeys': async (scene) => {
    const { as, body } = await newPasskey(scene)
    return { as, body }
  },
  'DELETE /users/passkeys/:id': async (scene) => {
    const { as, id } = await storedPasskey(scene)
    return { as, params: { id }, body: { current_password: PASSWORD } }
  },
  'POST /login/passkey': async (scene) => {
    const { key, here } = await storedPasskey(scene)
    const { anonymous } = scene.app
    const { status, body } = await anonymous.post('/api/v1/login/passkey/options', {})
    if (status !== 200) throw new NothingFits('passkey')
    return { as: anonymous, body: { response: key.get(body.data.challenge, here) } }
  },
  'POST /users/:id/reset-second-factor': async (scene) => ({ params: { id: (await newUser(scene, { twoFactor: true })).id } }),
  'POST /password/reset': async (scene) => ({
    body: { ...(await resetLink(scene)), password: NEW_PASSWORD, password_confirmation: NEW_PASSWORD },
  }),
}
