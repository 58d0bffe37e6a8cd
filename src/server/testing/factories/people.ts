import { companyRecord } from '#server/features/companies/companies.record.ts'
import type { DefaultRole } from '#contract/default-roles.ts'
import type { Context } from '#server/engines/context.ts'
import { createRecord } from '#server/engines/record/save-record.ts'

let serial = 0
const next = () => (serial += 1)

/** A company with its default statuses. */
export async function makeCompany(ctx: Context, name = `Company ${next()}`): Promise<{ id: string; name: string }> {
  const { id } = await createRecord(ctx, companyRecord, { name, language: 'en', timezone: 'America/New_York' })
  return { id, name }
}

interface UserOptions {
  role?: DefaultRole
  companyId?: string
  email?: string
  passwordHash?: string
  firstName?: string
  lastName?: string
  twoFactor?: boolean
}

/** A user with a default role (broker unless given), in a new company unless `companyId` is given. */
export async function makeUser(
  ctx: Context,
  options: UserOptions = {},
): Promise<{ id: string; companyId: string; email: string; fullName: string }> {
  const companyId = options.companyId ?? (await makeCompany(ctx)).id
  const email = options.email ?? `person${next()}@example.test`
  const firstName = options.firstName ?? 'Pat'
  const lastName = options.lastName ?? `Person ${serial}`
  const { id } = await ctx.db
    .insertInto('users')
    .values({
      company_id: companyId,
      first_name: firstName,
      last_name: lastName,
      email,
      password_hash: options.passwordHash ?? null,
      enable_2fa: options.twoFactor ?? false,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const role = await ctx.db
    .selectFrom('roles')
    .select('id')
    .where('name', '=', options.role ?? 'broker')
    .where('company_id', 'is', null)
    .executeTakeFirstOrThrow()
  await ctx.db.insertInto('user_roles').values({ user_id: id, role_id: role.id }).execute()
  return { id, companyId, email, fullName: `${firstName} ${lastName}` }
}

/** Gives the company an active subscription. */
export async function subscribe({ db }: Context, companyId: string): Promise<void> {
  const { id } = await db.insertInto('subscriptions').values({ name: 'Team', price: 100 }).returning('id').executeTakeFirstOrThrow()
  await db.insertInto('company_subscriptions').values({ company_id: companyId, subscription_id: id }).execute()
}
