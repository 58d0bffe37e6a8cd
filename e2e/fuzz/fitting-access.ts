import { INVITE_PRESETS } from '#contract/account-invites.ts'
import { codesOf } from '#contract/code-lists.ts'
import { makeUser } from '#server/testing/factories/people.ts'
import { NothingFits, type Recipes, type Scene } from './scene.ts'
import { pick } from './random-values.ts'

const lastPart = (address: string): string => address.split('/').at(-1) ?? ''

/** What a POST of the person answers. */
async function made({ as }: Scene, path: string, body?: object) {
  const answer = await as.post(`/api/v1/${path}`, body)
  if (answer.status >= 300) throw new NothingFits(path)
  return answer.body
}

const invitation = ({ account, random }: Scene) => ({
  account_id: account,
  email: `invited${Math.floor(random() * 1e9)}@example.test`,
  role: pick(random, codesOf(INVITE_PRESETS)),
})
const newInvite = async (scene: Scene) => (await made(scene, 'account_invites', invitation(scene))).data
const newLink = async (scene: Scene, more: object = {}) =>
  (await made(scene, `accounts/${scene.account}/links`, { label: `Link ${scene.random()}`, ...more })).data

const aboutLink = async (scene: Scene) => ({ params: { link_id: (await newLink(scene)).id } })
const aboutInvite = async (scene: Scene) => ({ body: { invite_id: (await newInvite(scene)).invite_id } })

/** The person who was invited, in the session that the invitation opens. */
async function invited(scene: Scene) {
  const { token } = await made({ ...scene, as: scene.app.anonymous }, 'account_invites/accept', {
    invite_id: (await newInvite(scene)).invite_id,
  })
  return { as: scene.app.bearing(`Bearer ${token}`) }
}

/** A user of another company who was invited, so that the account is opened and the own session goes on. */
async function invitedUser(scene: Scene) {
  const { id, email } = await makeUser(scene.app.system)
  const invite = (await made(scene, 'account_invites', { ...invitation(scene), email })).data
  await made({ ...scene, as: scene.app.as(id) }, 'account_invites/accept', { invite_id: invite.invite_id })
  return { as: scene.app.as(id), params: { id: invite.id } }
}

const LINK_CHANGES: readonly Record<string, unknown>[] = [
  { label: 'Market' },
  { days: null },
  { protection: 'password', password: 'level and plumb' },
  { protection: 'email_code', email_domains: ['example.test'] },
  { rights: 'view' },
  { categories: ['appraisal'] },
]

/** Invitations, links, and who saw what. */
export const fittingAccess: Recipes = {
  'POST /account_invites': async (scene) => ({ body: invitation(scene) }),
  'GET /account_invites/:id': async (scene) => ({ params: { id: (await newInvite(scene)).id } }),
  'POST /account_invites/send': aboutInvite,
  'POST /account_invites/look': aboutInvite,
  'POST /account_invites/accept': async (scene) => ({ ...(await aboutInvite(scene)), as: scene.app.anonymous }),
  'POST /account_invites/password': invited,
  'POST /account_invites/:id/enter': invitedUser,
  'GET /account_invites/inviting': invited,
  'POST /accounts/:id/refresh-share-token': async () => ({}),
  'POST /accounts/:id/links': async ({ random }) => ({ body: { label: 'Market', ...pick(random, LINK_CHANGES) } }),
  'PUT /accounts/:id/links/:link_id': async (scene) => ({ ...(await aboutLink(scene)), body: pick(scene.random, LINK_CHANGES) }),
  'DELETE /accounts/:id/links/:link_id': aboutLink,
  'POST /accounts/:id/links/:link_id/rotate': aboutLink,
  'POST /accounts/:id/share': async (scene) => {
    const { link } = await newLink(scene, pick(scene.random, LINK_CHANGES))
    return { as: scene.app.anonymous, body: { share_token: lastPart(link), password: 'level and plumb', email: 'kim@example.test' } }
  },
  'POST /accounts/:id/view-as': async (scene) => ({
    body: scene.random() < 0.5 ? { role: pick(scene.random, codesOf(INVITE_PRESETS)) } : { grant_id: (await newLink(scene)).id },
  }),
  'GET /accounts/:id/visits/:grant_id': async (scene) => ({ params: { grant_id: (await newLink(scene)).id } }),
}
