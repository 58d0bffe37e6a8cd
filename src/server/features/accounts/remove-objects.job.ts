import { z } from 'zod'
import { defineJob } from '#server/engines/jobs/define-job.ts'

/** After an account was deleted for ever: the bytes of its documents. A key tells its account, so nothing else is touched. */
export const removeAccountObjects = defineJob({
  name: 'remove-account-objects',
  input: z.object({ account_id: z.uuid() }),
  retries: 20,
  expiresAfterSeconds: 3_600,
  run: async (ctx, { account_id }) => {
    const alive = await ctx.db.selectFrom('accounts').select('id').where('id', '=', account_id).executeTakeFirst()
    if (alive !== undefined) return
    for await (const { key } of ctx.storage.list(`accounts/${account_id}/`)) await ctx.storage.remove(key)
  },
})
