import * as client from 'openid-client'
import { addressProblem, publicFetch } from '#server/engines/outgoing/public-fetch.ts'
import type { Context } from '#server/engines/context.ts'

/** A company's registration at its sign-in service. */
export interface Registration {
  issuer: string
  clientId: string
  clientSecret: string
}

/** Who signed in at the service. */
export interface Person {
  subject: string
  /** Undefined unless the service has verified it. */
  verifiedEmail: string | undefined
}

const SCOPE = 'openid email'
const DISCOVERY_SECONDS = 10

export const redirectUri = ({ config }: Pick<Context, 'config'>): string => `${config.appUrl}/api/v1/sso/callback`

/**
 * Reads the discovery document of the issuer. Throws an error with a sentence if the service cannot be used: an issuer of many tenants, for
 * example, names another one in its document, and would vouch for people of any company.
 */
export async function discover(
  { config: { ssoPrivateHosts } }: Pick<Context, 'config'>,
  { issuer, clientId, clientSecret }: Registration,
): Promise<client.Configuration> {
  const problem = addressProblem(issuer, ssoPrivateHosts)
  if (problem !== undefined) throw new Error(problem)
  const server = new URL(issuer)
  const found = await client.discovery(server, clientId, {}, authenticationIn(clientSecret), {
    [client.customFetch]: (url, sent) => publicFetch(url, sent, ssoPrivateHosts),
    timeout: DISCOVERY_SECONDS,
    // The tokens come over TLS, and their signatures are checked as well. addressProblem decides where http is allowed.
    // oxlint-disable-next-line typescript/no-deprecated -- marked to be noticed; it is for services on this machine
    execute: [client.enableNonRepudiationChecks, ...(server.protocol === 'http:' ? [client.allowInsecureRequests] : [])],
  })
  const metadata = found.serverMetadata()
  if (new URL(metadata.issuer).href !== server.href) throw new Error(`The document there names another issuer, ${metadata.issuer}.`)
  const { authorization_endpoint: authorize, token_endpoint: tokens, jwks_uri: keys } = metadata
  if (authorize === undefined || tokens === undefined || keys === undefined)
    throw new Error('The service has no addresses for sign-in, tokens and keys.')
  const blocked = addressProblem(authorize, ssoPrivateHosts)
  if (blocked !== undefined) throw new Error(`Its sign-in page cannot be used. ${blocked}`)
  return found
}

const REJECTED_CLIENT: readonly string[] = ['invalid_client', 'unauthorized_client']

/**
 * Whether the service does not reject the client ID and secret. The request exchanges a code that does not exist: most services check the client
 * first. Throws what `discover` throws.
 */
export async function acceptsClient(ctx: Pick<Context, 'config'>, registration: Registration): Promise<boolean> {
  const found = await discover(ctx, registration)
  const code = client.randomPKCECodeVerifier()
  const sent = { code, code_verifier: code, redirect_uri: redirectUri(ctx) }
  try {
    await client.genericGrantRequest(found, 'authorization_code', sent)
  } catch (error) {
    if (!(error instanceof client.ResponseBodyError)) throw error
    return !REJECTED_CLIENT.includes(error.error)
  }
  return true
}

/** HTTP Basic is what services expect unless they say otherwise. */
function authenticationIn(secret: string): client.ClientAuth {
  const basic = client.ClientSecretBasic(secret)
  const post = client.ClientSecretPost(secret)
  return (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    const isPost = methods.includes('client_secret_post') && !methods.includes('client_secret_basic')
    return (isPost ? post : basic)(server, ...rest)
  }
}

interface Secrets {
  state: string
  nonce: string
  verifier: string
}

/** The address of the sign-in page of the service. */
export async function signInAddress(
  ctx: Pick<Context, 'config'>,
  found: client.Configuration,
  { state, nonce, verifier }: Secrets,
  loginHint: string | undefined,
): Promise<string> {
  const address = client.buildAuthorizationUrl(found, {
    redirect_uri: redirectUri(ctx),
    scope: SCOPE,
    state,
    nonce,
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...(loginHint !== undefined && { login_hint: loginHint }),
  })
  return address.href
}

/** Exchanges the code in the query of the callback, and checks the token that comes for it. Throws what `discover` and the library throw. */
export async function personFrom(
  ctx: Pick<Context, 'config'>,
  registration: Registration,
  { state, nonce, verifier }: Secrets,
  query: URLSearchParams,
): Promise<Person> {
  const found = await discover(ctx, registration)
  const tokens = await client.authorizationCodeGrant(found, new URL(`${redirectUri(ctx)}?${query.toString()}`), {
    expectedState: state,
    expectedNonce: nonce,
    pkceCodeVerifier: verifier,
    idTokenExpected: true,
  })
  const claims = tokens.claims()
  if (claims === undefined) throw new Error('The service sent no ID token.')
  // Many services give the email only on request.
  const asks = claims['email'] === undefined && found.serverMetadata().userinfo_endpoint !== undefined
  const person = asks ? await client.fetchUserInfo(found, tokens.access_token, claims.sub) : claims
  return { subject: claims.sub, verifiedEmail: verifiedEmail(person) }
}

/** `xms_edov` is how Microsoft Entra says that the domain of the email was verified. */
function verifiedEmail({ email, email_verified: standard, xms_edov: entra }: Readonly<Record<string, unknown>>): string | undefined {
  const isVerified =
    standard === true || standard === 'true' || (standard === undefined && [true, 'true', 1, '1'].some((yes) => yes === entra))
  return isVerified && typeof email === 'string' ? email : undefined
}

export interface Failure {
  /** The service could not be reached, or it did not vouch for the person. */
  kind: 'down' | 'rejected'
  /** A sentence for administrators. */
  reason: string
}

const NO_CONNECTION = /^(ECONN|EAI_|ETIMEDOUT|EPIPE|EHOST|ENET|OAUTH_TIMEOUT)/
const CERTIFICATE = /^(ERR_TLS|CERT_|ERR_SSL|EPROTO|SELF_SIGNED|DEPTH_ZERO|UNABLE_TO)/
const SENTENCE = /^[A-Za-z0-9][^\n]*\.$/
/** Anyone can come back with an error of their own words, which administrators would read as those of the product. */
const ERROR_CODE = /^[a-z_]{1,40}$/
const REASON_MAX = 300

/** Why a request to a service, or a sign-in at it, did not succeed. */
export function failureOf(error: unknown): Failure {
  const chain = causesOf(error)
  const failure = chain.map(known).find((one) => one !== undefined)
  const { kind, reason } = failure ?? {
    kind: 'rejected',
    reason: `The answer of the service is not valid: ${messageOf(chain.findLast((one) => one instanceof Error))}.`,
  }
  return { kind, reason: reason.slice(0, REASON_MAX) }
}

function causesOf(error: unknown): unknown[] {
  const chain: unknown[] = []
  for (let one = error; one !== undefined && one !== null && chain.length < 5; one = one instanceof Error ? one.cause : undefined)
    chain.push(one)
  return chain
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : 'unknown error')

function known(error: unknown): Failure | undefined {
  if (error instanceof Response) {
    return { kind: error.status >= 500 ? 'down' : 'rejected', reason: `The service answered with status ${error.status}.` }
  }
  if (error instanceof client.ResponseBodyError || error instanceof client.AuthorizationResponseError) {
    const says = ERROR_CODE.test(error.error) ? `"${error.error}"` : 'an error'
    return { kind: 'rejected', reason: `The service answered ${says}.` }
  }
  if (!(error instanceof Error)) return undefined
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  if (code === 'ENOTFOUND') return { kind: 'down', reason: 'There is no host with this name.' }
  if (NO_CONNECTION.test(code) || error.name === 'TimeoutError') return { kind: 'down', reason: 'The service does not answer.' }
  if (CERTIFICATE.test(code)) return { kind: 'down', reason: 'The certificate of the service is not valid.' }
  return code === '' && SENTENCE.test(error.message) ? { kind: 'down', reason: error.message } : undefined
}
