import { APP_SETUP_LIFE_MS, RECOVERY_CODES } from '#contract/factor-limits.ts'
import type { Context, WriteContext } from '#server/engines/context.ts'
import { newAppSecret, stepOf } from '#server/engines/secrets/authenticator-app.ts'
import { hashRecoveryCode, newRecoveryCode } from '#server/engines/secrets/tokens.ts'
import { signedIn } from '#server/engines/session/authenticate.ts'
import { transact } from '#server/engines/transaction/transact.ts'
import { conflict, invalid } from '#server/kernel/errors.ts'
import { changeFactor } from './change-factor.commands.ts'
import { WRONG_CODE, withoutBlanks } from './check-code.commands.ts'
import { countCode } from './second-factor.commands.ts'

/** Makes a secret, which replaces one that was not confirmed. Sign-ins ask for codes of it only after `confirmApp`. */
export async function startApp(ctx: Context): Promise<{ secret: string; uri: string }> {
  const { userId, email } = signedIn(ctx)
  const { secretKey, product } = ctx.config
  const { secret, uri, sealed } = await newAppSecret({ secretKey, userId, issuer: product.name, label: email })
  const values = { secret_sealed: sealed, created_at: ctx.clock.now() }
  await transact(ctx, async ({ db }) => {
    const stored = await db
      .insertInto('totp_secrets')
      .values({ user_id: userId, ...values })
      .onConflict((on) => on.column('user_id').doUpdateSet(values).where('totp_secrets.confirmed_at', 'is', null))
      .returning('user_id')
      .executeTakeFirst()
    if (stored === undefined) throw conflict('You have an authenticator app already. Remove it before you set up another one.')
  })
  return { secret, uri }
}

/** With a first right code, sign-ins ask for codes of the app. Returns the recovery codes, which are not shown again. */
export async function confirmApp(ctx: Context, { code, current_password }: { code: string; current_password: string }): Promise<string[]> {
  const { userId } = signedIn(ctx)
  const change = {
    notice: 'app_added',
    activity: '{user} set up an authenticator app',
    onceConfirmed: () => countCode(ctx, userId),
  } as const
  return changeFactor(ctx, current_password, change, async (tx) => {
    const app = await tx.db.selectFrom('totp_secrets').selectAll().where('user_id', '=', userId).executeTakeFirst()
    const now = tx.clock.now()
    if (app?.confirmed_at) throw conflict('Your authenticator app is confirmed already.')
    if (app === undefined || app.created_at.getTime() <= now.getTime() - APP_SETUP_LIFE_MS)
      throw conflict('This setup has expired. Please start it again.')
    const step = await stepOf(withoutBlanks(code), { secretKey: tx.config.secretKey, userId, sealed: app.secret_sealed, now })
    if (step === undefined) throw invalid({ code: [WRONG_CODE] })
    await tx.db.updateTable('totp_secrets').set({ confirmed_at: now, last_step: step }).where('user_id', '=', userId).execute()
    return replaceRecoveryCodes(tx, userId)
  })
}

export const removeApp = (ctx: Context, currentPassword: string): Promise<void> =>
  changeFactor(
    ctx,
    currentPassword,
    { notice: 'app_removed', activity: '{user} removed the authenticator app' },
    async ({ db }, userId) => {
      const removed = await db
        .deleteFrom('totp_secrets')
        .where('user_id', '=', userId)
        .where('confirmed_at', 'is not', null)
        .executeTakeFirst()
      if (removed.numDeletedRows === 0n) throw conflict(NO_APP)
      await db.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
    },
  )

const NO_APP = 'You have no authenticator app.'

export const newRecoveryCodes = (ctx: Context, currentPassword: string): Promise<string[]> =>
  changeFactor(ctx, currentPassword, { notice: 'recovery_codes', activity: '{user} replaced the recovery codes' }, async (tx, userId) => {
    if (!(await hasApp(tx, userId))) throw conflict(NO_APP)
    return replaceRecoveryCodes(tx, userId)
  })

const hasApp = async ({ db }: Context, userId: string): Promise<boolean> => {
  const app = db.selectFrom('totp_secrets').select('user_id').where('user_id', '=', userId).where('confirmed_at', 'is not', null)
  return (await app.executeTakeFirst()) !== undefined
}

async function replaceRecoveryCodes({ db, config }: WriteContext, userId: string): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode)
  await db.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
  await db
    .insertInto('recovery_codes')
    .values(codes.map((code) => ({ user_id: userId, code_hash: hashRecoveryCode(config.secretKey, userId, code) })))
    .execute()
  return codes
}
