import type { Context, WriteContext } from '#server/engines/context.ts'
import { transact } from '#server/engines/transaction/transact.ts'
import { keepSignIns, newPassword } from './sign-ins.ts'
import { openStage, settle, type Stage } from './stage.ts'

/**
 * Plays a scenario in one transaction: killed anywhere, nothing of it is there. `unless` is asked inside it and keeps it from
 * being played. The sign-ins are written down before the commit, so that no users are left whose password nobody knows.
 */
export async function play(
  ctx: Context,
  scenario: (stage: Stage) => Promise<void>,
  unless: (tx: WriteContext) => Promise<boolean>,
): Promise<boolean> {
  const password = await newPassword(ctx)
  const stage = await transact(ctx, async (tx) => {
    if (await unless(tx)) return undefined
    const opened = openStage(tx, password.passwordHash)
    await scenario(opened)
    keepSignIns(tx, password, opened.signIns)
    return opened
  })
  if (stage !== undefined) await settle(ctx, stage)
  return stage !== undefined
}
