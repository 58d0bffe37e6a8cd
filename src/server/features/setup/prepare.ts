import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { SYSTEM } from '#server/access/viewer.ts'
import type { Context, Services, WriteContext } from '#server/engines/context.ts'
import { hashPassword } from '#server/engines/secrets/passwords.ts'
import { transact } from '#server/engines/transaction/transact.ts'
import { companyRecord } from '../companies/companies.record.ts'
import { play } from './demo/play.ts'
import { demo } from './demo/scenarios.ts'
import { demoSignIns } from './demo/sign-ins.ts'
import { ensureRoles, firstSubscription } from './first-data.ts'
import { createRecord } from '#server/engines/record/save-record.ts'

/**
 * Makes an empty database usable: roles, then the demo or the first administrator. Answers what a person at the terminal
 * should read: the address, and how to sign in.
 */
export async function prepare(services: Services): Promise<string> {
  const ctx = { ...services, viewer: SYSTEM }
  const { config } = services
  await transact(ctx, async (tx) => {
    await oneAtATime(tx)
    await ensureRoles(tx)
  })
  const first = (await hasUsers(ctx)) ? [] : await firstUsers(ctx)
  return [`${config.product.name} is ready: ${config.appUrl}`, ...first, ...(await demoSignIns(services)), ''].join('\n')
}

/** Processes that start together on one database wait for each other here. */
const oneAtATime = (tx: WriteContext) => sql`SELECT pg_advisory_xact_lock(hashtextextended('plumbline setup', 0))`.execute(tx.db)

/** A person in the trash counts: what an administrator has emptied is not filled again. */
export async function hasUsers({ db }: Pick<Services, 'db'>): Promise<boolean> {
  return (await db.selectFrom('users').select('id').limit(1).executeTakeFirst()) !== undefined
}

async function firstUsers(ctx: Context): Promise<string[]> {
  const isTaken = async (tx: WriteContext) => {
    await oneAtATime(tx)
    return hasUsers(tx)
  }
  if (ctx.config.seed === 'none') return firstAdministrator(ctx, isTaken)
  const begun = Date.now()
  const played = await play(ctx, (stage) => demo(stage, ctx.config.admin.email), isTaken)
  if (played) ctx.log.info({ ms: Date.now() - begun }, 'The demo is in place')
  return []
}

async function firstAdministrator(ctx: Context, isTaken: (tx: WriteContext) => Promise<boolean>): Promise<string[]> {
  const { config } = ctx
  const email = config.admin.email ?? 'admin@plumbline.example'
  const password = config.admin.password ?? randomBytes(12).toString('base64url')
  const passwordHash = await hashPassword(password, config.secretKey)
  return transact(ctx, async (tx) => {
    if (await isTaken(tx)) return []
    const company = await createRecord(tx, companyRecord, {
      name: 'The provider',
      language: 'en',
      timezone: 'America/New_York',
      subscription_id: await firstSubscription(tx),
    })
    const { id } = await tx.db
      .insertInto('users')
      .values({ company_id: company.id, first_name: 'First', last_name: 'Administrator', email, password_hash: passwordHash })
      .returning('id')
      .executeTakeFirstOrThrow()
    const role = await tx.db
      .selectFrom('roles')
      .select('id')
      .where('name', '=', 'admin')
      .where('company_id', 'is', null)
      .executeTakeFirstOrThrow()
    await tx.db.insertInto('user_roles').values({ user_id: id, role_id: role.id }).execute()
    return config.admin.password === undefined ? ['', `  ${email}  ${password}  (shown once)`] : []
  })
}
