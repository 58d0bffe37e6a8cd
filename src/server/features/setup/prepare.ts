import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { SYSTEM } from '#server/access/viewer.ts'
import { JOB_LIMITS } from '#server/db/client.ts'
import type { Context, Services, WriteContext } from '#server/engines/context.ts'
import { queueTextsAtStart } from '#server/features/account-files/texts.commands.ts'
import { hashPassword } from '#server/engines/secrets/passwords.ts'
import { transact } from '#server/engines/transaction/transact.ts'
import { demoSignIns } from './demo/sign-ins.ts'
import { addCompany, addUser } from './users.ts'
import { ensureRoles, lacksRoles } from './ensure-roles.ts'

/**
 * Prepares an empty database: roles, then the demo or the first administrator.
 * @returns the text for the terminal: the address, and how to sign in.
 */
export async function prepare(services: Services): Promise<string> {
  const ctx = { ...services, limits: JOB_LIMITS, viewer: SYSTEM }
  const { config } = services
  if (await lacksRoles(ctx.db)) {
    await transact(ctx, async (tx) => {
      await lockSetup(tx)
      await ensureRoles(tx)
    })
  }
  const first = (await hasUsers(ctx)) ? [] : await firstUsers(ctx)
  await queueTextsAtStart(ctx)
  return [`${config.product.name} is ready: ${config.appUrl}`, ...first, ...(await demoSignIns(services)), ''].join('\n')
}

/** Processes that start at the same time on one database wait here for each other. */
const lockSetup = (tx: WriteContext) => sql`SELECT pg_advisory_xact_lock(hashtextextended('plumbline setup', 0))`.execute(tx.db)

/** Users in the trash count: a database that an administrator has emptied is not filled again. */
export async function hasUsers({ db }: Pick<Services, 'db'>): Promise<boolean> {
  return (await db.selectFrom('users').select('id').limit(1).executeTakeFirst()) !== undefined
}

async function firstUsers(ctx: Context): Promise<string[]> {
  const inUse = async (tx: WriteContext) => {
    await lockSetup(tx)
    return hasUsers(tx)
  }
  if (ctx.config.seed === 'none') return firstAdministrator(ctx, inUse)
  // Loaded only for an empty database: the demo is no part of any other start.
  const { createDemo, runScenario } = await import('./demo/scenarios.ts')
  const startedMs = Date.now()
  const created = await runScenario(ctx, (demo) => createDemo(demo, ctx.config.admin.email), inUse)
  if (created) ctx.log.info({ ms: Date.now() - startedMs }, 'Created the demo')
  return []
}

async function firstAdministrator(ctx: Context, inUse: (tx: WriteContext) => Promise<boolean>): Promise<string[]> {
  const { config } = ctx
  const email = config.admin.email ?? 'admin@plumbline.example'
  const password = config.admin.password ?? randomBytes(12).toString('base64url')
  const passwordHash = await hashPassword(password, config.secretKey)
  return transact(ctx, async (tx) => {
    if (await inUse(tx)) return []
    const companyId = await addCompany(tx, 'The provider', 'Standard', 'America/New_York', 0)
    await addUser(tx, { first_name: 'First', last_name: 'Administrator', email, role: 'admin', companyId, passwordHash })
    return config.admin.password === undefined ? ['', `  ${email}  ${password}  (shown once)`] : []
  })
}
