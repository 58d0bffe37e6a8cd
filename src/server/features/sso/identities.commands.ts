import { emailDomain } from '#contract/sso.ts'
import type { WriteContext } from '#server/engines/context.ts'
import { recordActivity } from '#server/engines/transaction/activity.ts'
import type { Person } from './openid.ts'
import type { Provider } from './providers.commands.ts'
import type { SsoFailure } from './tickets.commands.ts'

type Found = { userId: string } | { failure: SsoFailure; reason: string }

/**
 * The user that a person at a service is. Known people are found by their subject, regardless of their present email; others by their verified
 * email, if it is in a domain of the company, and are known from then on. Only users of the company of the service are found, and none is
 * created. All reasons why there is no user are answered alike; administrators see which one it was.
 */
export async function userOf(tx: WriteContext, provider: Provider, { subject, verifiedEmail: email }: Person): Promise<Found> {
  const linked = await membersOf(tx, provider)
    .innerJoin('user_identities', 'user_identities.user_id', 'users.id')
    .where('user_identities.provider_id', '=', provider.id)
    .where('user_identities.subject', '=', subject)
    .executeTakeFirst()
  if (linked !== undefined) return usable(linked)
  if (email === undefined) return noUser('The service has not verified the email of the person.')
  if (!(await hasDomain(tx, provider, email)))
    return noUser(`The email of the person is in ${emailDomain(email)}, which is not a domain of the company.`)
  const user = await membersOf(tx, provider).where('users.email', '=', email).forNoKeyUpdate('users').executeTakeFirst()
  if (user === undefined) return noUser(`No user of the company has the email ${email}.`)
  if (user.deactivated_at !== null) return usable(user)
  return link(tx, provider, subject, user)
}

const noUser = (reason: string): Found => ({ failure: 'no_user', reason })

const membersOf = ({ db }: WriteContext, { companyId }: Provider) =>
  db
    .selectFrom('users')
    .innerJoin('companies', 'companies.id', 'users.company_id')
    .select(['users.id', 'users.email', 'users.deactivated_at'])
    .where('users.company_id', '=', companyId)
    .where('users.kind', '=', 'member')
    .where('users.deleted_at', 'is', null)
    .where('companies.deleted_at', 'is', null)

const usable = ({ id, email, deactivated_at }: { id: string; email: string; deactivated_at: Date | null }): Found =>
  deactivated_at === null ? { userId: id } : { failure: 'deactivated', reason: `${email} is deactivated.` }

async function hasDomain({ db }: WriteContext, { id }: Provider, email: string): Promise<boolean> {
  const domain = db.selectFrom('identity_provider_domains').select('domain').where('provider_id', '=', id)
  return (await domain.where('domain', '=', emailDomain(email)).executeTakeFirst()) !== undefined
}

/**
 * An email that went to another person at the company must not open the account of the first one. A subject that was that of a user who is
 * gone becomes that of the user who has the email now.
 */
async function link(tx: WriteContext, provider: Provider, subject: string, user: { id: string; email: string }): Promise<Found> {
  const other = tx.db.selectFrom('user_identities').select('subject').where('user_id', '=', user.id).where('provider_id', '=', provider.id)
  if ((await other.executeTakeFirst()) !== undefined)
    return { failure: 'other_person', reason: `${user.email} is already connected to another person at the service.` }
  await tx.db
    .insertInto('user_identities')
    .values({ provider_id: provider.id, subject, user_id: user.id })
    .onConflict((on) => on.columns(['provider_id', 'subject']).doUpdateSet({ user_id: user.id }))
    .execute()
  await recordActivity(tx, { model: 'users', modelId: user.id, class: 'updated', message: 'Single sign-on was connected to this user' })
  return { userId: user.id }
}
