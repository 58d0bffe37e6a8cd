import { afterAll } from 'vitest'
import { newToken } from '#server/engines/secrets/tokens.ts'
import type { TestAnswer } from '#server/testing/app.ts'
import { oidcProvider, type TestProvider } from '#server/testing/oidc-provider.fixture.ts'
import { makeCompany } from '#server/testing/factories/people.ts'
import { PASSWORD, testSignIns } from '#server/testing/sign-ins.fixture.ts'
import { redirectUri } from '#server/features/sso/openid.ts'

interface Settings {
  issuer: string
  client_id: string
  client_secret: string
  domains: string[]
  enabled: boolean
  password_allowed: boolean
  emergency_user_id: string | null
  current_password: string
  version: number | null
}

let serial = 0

/** A server, a sign-in service and companies that use it. The test file calls `vi.mock('@node-rs/argon2', { spy: true })` first. */
export async function testSso() {
  const signIns = await testSignIns({ env: { SSO_PRIVATE_HOSTS: '127.0.0.1' } })
  const { app, newUser } = signIns
  const idp = await oidcProvider(redirectUri(app.system))
  afterAll(() => idp.stop())

  const settingsFor = (domain: string, provider: TestProvider = idp): Settings => ({
    issuer: provider.issuer,
    ...provider.client,
    domains: [domain],
    enabled: true,
    password_allowed: true,
    emergency_user_id: null,
    current_password: PASSWORD,
    version: null,
  })

  /** A company with an administrator and, unless `without`, the sign-in service. */
  const newCompany = async ({ provider = idp, without = false } = {}) => {
    serial += 1
    const domain = `firm${serial}.test`
    const company = await makeCompany(app.system, `Firm ${serial}`)
    const administrator = await newUser({ companyId: company.id, email: `admin@${domain}` })
    const settings = settingsFor(domain, provider)
    const save = (changed: Record<string, unknown> = {}) =>
      app.as(administrator.id).put(`/api/v1/companies/${company.id}/sso`, { ...settings, ...changed })
    if (!without) {
      const saved = await save()
      if (saved.status !== 200) throw new Error(`The settings were not saved: ${saved.raw.toString()}`)
    }
    const lookUp = (email: string) => app.anonymous.get(`/api/v1/sso/lookup?email=${encodeURIComponent(email)}`)
    const id: string = (await lookUp(`x@${domain}`)).body.data.provider?.id ?? ''
    return { ...company, domain, administrator, settings, save, lookUp, providerId: id }
  }

  const get = (address: string): Promise<TestAnswer> => app.anonymous.get(address.replace(app.system.config.appUrl, ''))
  const ticketOf = ({ headers }: TestAnswer): string => String(headers['location']).split('#')[1] ?? ''
  const finish = (ticket: string, browser: string) => app.anonymous.post('/api/v1/sso/finish', { ticket, browser })
  const start = (providerId: string, browser: string, query = '') => get(`/api/v1/sso/${providerId}/start?browser=${browser}${query}`)

  /** All steps of a sign-in, as a browser makes them. */
  const signIn = async (providerId: string, provider = idp) => {
    const browser = newToken()
    const begun = await start(providerId, browser)
    const callback = await provider.follow(String(begun.headers['location']))
    const returned = await get(callback)
    const ticket = ticketOf(returned)
    return { browser, callback, ticket, answer: await finish(ticket, browser) }
  }
  return { ...signIns, idp, newCompany, signIn, start, finish, get, ticketOf }
}
