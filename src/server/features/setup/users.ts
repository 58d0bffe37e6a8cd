import { sql } from 'kysely'
import type { TIMEZONES } from '#contract/companies.ts'
import type { DefaultRole } from '#contract/default-roles.ts'
import { loadViewer, type SignedIn } from '#server/access/viewer.ts'
import type { WriteContext } from '#server/engines/context.ts'
import { companyRecord } from '#server/features/companies/companies.record.ts'
import { createRecord } from '#server/engines/record/save-record.ts'

interface NewUser {
  email: string
  first_name: string
  last_name: string
  role: DefaultRole
  companyId: string
  passwordHash: string
}

/** The subscription with this name, created when it does not exist. */
async function subscriptionOf(tx: WriteContext, name: string, price: number): Promise<string> {
  const existing = await tx.db
    .selectFrom('subscriptions')
    .select('id')
    .where('name', '=', name)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (existing !== undefined) return existing.id
  const created = await tx.db.insertInto('subscriptions').values({ name, price, term_months: 12 }).returning('id').executeTakeFirstOrThrow()
  return created.id
}

const PRICES = { Standard: 4_800, Professional: 14_400 }

export async function addCompany(
  tx: WriteContext,
  name: string,
  plan: keyof typeof PRICES,
  timezone: (typeof TIMEZONES)[number] = 'America/New_York',
  price = PRICES[plan],
): Promise<string> {
  const subscription_id = await subscriptionOf(tx, plan, price)
  return (await createRecord(tx, companyRecord, { name, language: 'en', timezone, subscription_id })).id
}

/** Creates a user with a default role. A number is added to an email address that is in use, for example by an earlier scenario. */
export async function addUser(
  tx: WriteContext,
  { email, role, companyId, passwordHash, ...names }: NewUser,
): Promise<{ id: string; email: string }> {
  const free = await freeAddress(tx, email)
  const { id } = await tx.db
    .insertInto('users')
    .values({ ...names, email: free, company_id: companyId, password_hash: passwordHash })
    .returning('id')
    .executeTakeFirstOrThrow()
  await sql`INSERT INTO user_roles (user_id, role_id) SELECT ${id}, id FROM roles WHERE name = ${role} AND company_id IS NULL`.execute(
    tx.db,
  )
  return { id, email: free }
}

async function freeAddress(tx: WriteContext, email: string): Promise<string> {
  for (let copy = 1; ; copy += 1) {
    const candidate = copy === 1 ? email : email.replace('@', `${copy}@`)
    const taken = await tx.db
      .selectFrom('users')
      .select('id')
      .where('email', '=', candidate)
      .where('kind', '=', 'member')
      .executeTakeFirst()
    if (taken === undefined) return candidate
  }
}

export type UserContext = WriteContext & { viewer: SignedIn }

/** The same transaction with a user as the viewer, so that changes are recorded as theirs. */
export async function asUser(tx: WriteContext, userId: string): Promise<UserContext> {
  const viewer = await loadViewer(tx.db, userId)
  if (viewer === undefined) throw new Error(`There is no user ${userId}`)
  return { ...tx, viewer }
}
