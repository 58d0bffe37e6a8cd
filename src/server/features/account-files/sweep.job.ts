import { z } from 'zod'
import { UNREGISTERED_LIFE_MS } from '#contract/limits.ts'
import { defineJob } from '#server/engines/jobs/define-job.ts'

const BATCH = 500

/** Every night: uploads nobody registered within a day, archives that have expired, and what broken uploads left behind. */
export const sweepUploads = defineJob({
  name: 'sweep-uploads',
  input: z.object({}),
  schedule: '17 3 * * *',
  run: async (ctx) => {
    const now = ctx.clock.now()
    const stale = await ctx.db
      .selectFrom('uploads')
      .select(['key', 'multipart_id'])
      .where('registered_at', 'is', null)
      .where('expires_at', '<', now)
      .limit(BATCH)
      .execute()
    for (const { key, multipart_id } of stale) {
      if (multipart_id !== null)
        await ctx.storage
          .abortMultipart(key, multipart_id)
          .catch((error: unknown) => ctx.log.info({ err: error }, 'The upload had ended already'))
      await ctx.storage.remove(key)
      await ctx.db.deleteFrom('uploads').where('key', '=', key).execute()
    }
    await ctx.db.deleteFrom('archives').where('expires_at', '<', now).execute()
    await ctx.storage.sweepTemporary(new Date(now.getTime() - UNREGISTERED_LIFE_MS))
  },
})
