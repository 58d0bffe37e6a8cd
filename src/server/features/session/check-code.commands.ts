import { sql, type SqlBool } from 'kysely'
import type { Context, WriteContext } from '#server/engines/context.ts'
import { stepOf } from '#server/engines/secrets/authenticator-app.ts'
import { hashRecoveryCode } from '#server/engines/secrets/tokens.ts'
import { invalid } from '#server/kernel/errors.ts'

export const WRONG_CODE = 'This code is not right.'

/** Apps show codes in two groups. */
export const withoutBlanks = (entered: string): string => entered.replace(/\s/g, '')

/** Checks a code of the app. The result uses it up, in the transaction of the sign-in: a code is accepted once. */
export async function checkAppCode(ctx: Context, userId: string, code: string): Promise<(tx: WriteContext) => Promise<void>> {
  const app = await ctx.db
    .selectFrom('totp_secrets')
    .select('secret_sealed')
    .where('user_id', '=', userId)
    .where('confirmed_at', 'is not', null)
    .executeTakeFirst()
  const { secretKey } = ctx.config
  const now = ctx.clock.now()
  const step = app && (await stepOf(withoutBlanks(code), { secretKey, userId, sealed: app.secret_sealed, now }))
  if (step === undefined) throw invalid({ code: [WRONG_CODE] })
  return async ({ db }) => {
    const used = await db
      .updateTable('totp_secrets')
      .set({ last_step: step })
      .where('user_id', '=', userId)
      .where(sql<SqlBool>`(last_step IS NULL OR last_step < ${step})`)
      .executeTakeFirst()
    if (used.numUpdatedRows === 0n) throw invalid({ code: ['This code was used before. Please wait for the next one.'] })
  }
}

/** Uses up a recovery code, in the transaction of the sign-in. */
export const redeemRecoveryCode =
  (userId: string, code: string) =>
  async ({ db, config, clock }: WriteContext): Promise<void> => {
    const used = await db
      .updateTable('recovery_codes')
      .set({ used_at: clock.now() })
      .where('user_id', '=', userId)
      .where('code_hash', '=', hashRecoveryCode(config.secretKey, userId, code))
      .where('used_at', 'is', null)
      .executeTakeFirst()
    if (used.numUpdatedRows === 0n) throw invalid({ code: [WRONG_CODE] })
  }
