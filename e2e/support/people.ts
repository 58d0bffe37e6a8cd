import { companyCalls } from '#contract/companies.ts'
import { DEFAULT_ROLE_LABELS, type DefaultRole } from '#contract/default-roles.ts'
import { roleCalls } from '#contract/roles.ts'
import { sessionCalls } from '#contract/session.ts'
import { userCalls } from '#contract/users.ts'
import { clientOf, type Client } from './client.ts'

export const E2E_ADMIN = { email: 'admin@plumbline.example', password: 'plumb and level 24' } as const
export const PASSWORD = 'true to the line 7'

export interface Person {
  id: string
  email: string
  name: string
  companyId: string
}

let serial = 0

export async function signedIn(base: string, { email, password = PASSWORD }: { email: string; password?: string }): Promise<Client> {
  const { token } = await clientOf(base)(sessionCalls.login, { body: { email, password } })
  return clientOf(base, token)
}

/** A company with a subscription, which its users need to start accounts. Not the first one: another journey may be about to delete it. */
export async function makeCompany(admin: Client, name: string): Promise<{ id: string; name: string }> {
  const { data: form } = await admin(companyCalls.form)
  const plans = form.sections.flatMap(({ fields }) => fields).find((field) => field.name === 'subscription_id')?.options ?? []
  const plan = plans.find(({ label }) => label === 'Standard')
  if (plan === undefined) throw new Error('The database has no Standard subscription')
  const create = (named: string) => admin(companyCalls.create, { body: { name: named, subscription_id: plan.value } })
  // After a test fails, another worker makes the companies of its file again.
  const { data } = await create(name).catch((error: { status?: number }) => {
    if (error.status !== 400) throw error
    return create(`${name} ${process.env['TEST_WORKER_INDEX'] ?? ''}`)
  })
  return { id: data.id, name: data.name }
}

interface NewPerson {
  role: DefaultRole
  companyId: string
  firstName: string
  lastName?: string
  twoFactor?: boolean
  /** Of the email. */
  domain?: string
}

/** A user who signs in with PASSWORD. */
export async function makePerson(
  admin: Client,
  { role, companyId, firstName, lastName = 'Rivers', twoFactor = false, domain = 'e2e.example' }: NewPerson,
): Promise<Person> {
  const label = DEFAULT_ROLE_LABELS[role]
  const { data: roles } = await admin(roleCalls.search, { query: { search: label } })
  const found = roles.find(({ name }) => name === label)
  if (found === undefined) throw new Error(`There is no role ${label}`)
  serial += 1
  const email = `${firstName}.${process.pid}.${serial}@${domain}`.toLowerCase()
  const { data } = await admin(userCalls.create, {
    body: {
      first_name: firstName,
      last_name: lastName,
      email,
      company_id: companyId,
      roles: [found.id],
      enable_2fa: twoFactor,
      password: PASSWORD,
    },
  })
  return { id: data.id, email, name: data.full_name, companyId }
}
