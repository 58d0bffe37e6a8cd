import type { Context } from '#server/engines/context.ts'
import { enqueue } from '#server/engines/jobs/define-job.ts'
import { transact } from '#server/engines/transaction/transact.ts'
import { queueUnreadTexts } from './texts.job.ts'

/** At the start: documents that were added before their texts were read wait for no schedule. */
export const queueTextsAtStart = (ctx: Context): Promise<void> =>
  transact(ctx, (tx) => enqueue(tx, queueUnreadTexts, {}, { singletonKey: 'start' }))
