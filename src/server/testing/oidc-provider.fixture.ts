import { createSign, generateKeyPairSync } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider from 'oidc-provider'

const CLIENT = { client_id: 'plumbline', client_secret: 'a secret between two services' } as const
const KEY_ID = 'signing'
const REDIRECTS_MAX = 12

export interface Account {
  email: string
  email_verified: boolean
}

export type Change = (claims: Record<string, unknown>, sign: (claims: Record<string, unknown>, key?: 'own' | 'foreign') => string) => string

const base64url = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const newKey = () => generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey
type PrivateKey = ReturnType<typeof newKey>

function signToken(key: PrivateKey, claims: Record<string, unknown>): string {
  const content = `${base64url({ alg: 'RS256', typ: 'JWT', kid: KEY_ID })}.${base64url(claims)}`
  return `${content}.${createSign('RSA-SHA256').update(content).sign(key, 'base64url')}`
}

/** A sign-in service on a loopback port. Everyone signs in as the account of `person`. */
export async function oidcProvider(redirectUri: string) {
  const keys = { own: newKey(), foreign: newKey() }
  const accounts = new Map<string, Account>()
  const now = { person: '', change: undefined as Change | undefined }
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}` // a TCP server
  const provider = new Provider(issuer, {
    clients: [{ ...CLIENT, redirect_uris: [redirectUri], grant_types: ['authorization_code'], response_types: ['code'] }],
    claims: { openid: ['sub'], email: ['email', 'email_verified'] },
    cookies: { keys: ['cookies of a test'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
    jwks: { keys: [{ ...keys.own.export({ format: 'jwk' }), kid: KEY_ID, use: 'sig', alg: 'RS256' }] },
    findAccount: (_ctx, sub) => ({ accountId: sub, claims: () => ({ sub, ...accounts.get(sub) }) }),
    renderError: (ctx, { error }) => void (ctx.body = error),
    ttl: { AccessToken: 60, AuthorizationCode: 60, Grant: 3_600, IdToken: 60, Interaction: 600, Session: 3_600 },
    loadExistingGrant: async (ctx) => {
      const grant = new ctx.oidc.provider.Grant({ accountId: ctx.oidc.session?.accountId ?? '', clientId: ctx.oidc.client?.clientId ?? '' })
      grant.addOIDCScope('openid email')
      await grant.save()
      return grant
    },
  })
  provider.use(async (ctx, next) => {
    if (ctx.path.startsWith('/interaction/')) {
      ctx.respond = false
      return provider.interactionFinished(ctx.req, ctx.res, { login: { accountId: now.person } })
    }
    await next()
    const body = ctx.body as { id_token?: string } | undefined // the answer of the token endpoint
    if (ctx.path === '/token' && body?.id_token !== undefined && now.change !== undefined) {
      const claims = JSON.parse(Buffer.from(body.id_token.split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>
      ctx.body = { ...body, id_token: now.change(claims, (changed, key = 'own') => signToken(keys[key], changed)) }
    }
    return undefined
  })
  const listener = provider.callback()
  server.on('request', (request, response) => void listener(request, response))
  return {
    issuer,
    client: CLIENT,
    /** Adds or changes an account, which is signed in from now on. */
    signInAs: (subject: string, account: Account) => {
      accounts.set(subject, account)
      now.person = subject
    },
    /** Replaces the ID tokens. */
    change: (change: Change | undefined) => void (now.change = change),
    /** What a browser does with the address of the sign-in page; returns the address it is led back to. */
    follow: (address: string) => follow(address, redirectUri),
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

export type TestProvider = Awaited<ReturnType<typeof oidcProvider>>

async function follow(address: string, end: string): Promise<string> {
  const cookies = new Map<string, string>()
  let at = address
  for (let step = 0; step < REDIRECTS_MAX && !at.startsWith(end); step += 1) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await fetch(at, { redirect: 'manual', headers: { cookie } })
    for (const [, name = '', value = ''] of answer.headers.getSetCookie().map((line) => /^([^=]+)=([^;]*)/.exec(line) ?? []))
      cookies.set(name, value)
    const location = answer.headers.get('location')
    if (location === null) throw new Error(`${at} answered ${answer.status}: ${(await answer.text()).slice(0, 400)}`)
    at = new URL(location, at).href
  }
  return at
}
