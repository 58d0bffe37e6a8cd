import { newToken } from '#server/engines/secrets/tokens.ts'
import { makeCompany } from '#server/testing/factories/people.ts'
import { PASSWORD, newUser, signedIn } from './fitting-sign-ins.ts'
import { NothingFits, type Recipes, type Scene } from './scene.ts'

/** A company with an administrator, and what is sent to save its sign-in service. */
async function newSsoCompany(scene: Scene) {
  const { app, idp, random } = scene
  const company = await makeCompany(app.system, `Firm ${random()}`)
  const domain = `firm${Math.floor(random() * 1e9)}.test`
  const { email } = await newUser({ ...scene, companyId: company.id }, { role: 'admin', email: `admin@${domain}` })
  const { as } = await signedIn(scene, email)
  const body = {
    issuer: idp.issuer,
    ...idp.client,
    domains: [domain],
    enabled: true,
    password_allowed: true,
    emergency_user_id: null,
    current_password: PASSWORD,
    version: null,
  }
  return { as, params: { id: company.id }, body, email }
}

async function withSso(scene: Scene) {
  const { as, params, body, email } = await newSsoCompany(scene)
  const { status } = await as.put(`/api/v1/companies/${params.id}/sso`, body)
  if (status !== 200) throw new NothingFits('single sign-on')
  const { body: found } = await scene.app.anonymous.get(`/api/v1/sso/lookup?email=${encodeURIComponent(email)}`)
  return { as, params, email, provider: String(found.data.provider?.id) }
}

/** The address to which the sign-in service leads a person back. */
async function returned(scene: Scene) {
  const { email, provider } = await withSso(scene)
  const browser = newToken()
  scene.idp.signInAs(email, { email, email_verified: true })
  const { headers } = await scene.app.anonymous.get(`/api/v1/sso/${provider}/start?browser=${browser}`)
  const callback = await scene.idp.follow(String(headers['location']))
  return { browser, path: callback.replace(scene.app.system.config.appUrl, '') }
}

/** Single sign-on at a real sign-in service. */
export const fittingSso: Recipes = {
  'GET /sso/lookup': async (scene) => ({ query: { email: (await withSso(scene)).email } }),
  'GET /companies/:id/sso': withSso,
  'PUT /companies/:id/sso': newSsoCompany,
  'POST /companies/:id/sso/test': withSso,
  'DELETE /companies/:id/sso': async (scene) => ({ ...(await withSso(scene)), body: { current_password: PASSWORD } }),
  'GET /sso/:id/start': async (scene) => ({
    as: scene.app.anonymous,
    params: { id: (await withSso(scene)).provider },
    query: { browser: newToken() },
  }),
  'GET /sso/callback': async (scene) => ({ as: scene.app.anonymous, path: (await returned(scene)).path }),
  'POST /sso/finish': async (scene) => {
    const { browser, path } = await returned(scene)
    const { headers } = await scene.app.anonymous.get(path)
    const ticket = String(headers['location']).split('#')[1]
    return { as: scene.app.anonymous, body: { ticket, browser } }
  },
}
