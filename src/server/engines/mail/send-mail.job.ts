import { z } from 'zod'
import type { WriteContext } from '../context.ts'
import { defineJob, enqueue } from '../jobs/define-job.ts'
import { compose, type Content } from './compose.ts'

export const sendMail = defineJob({
  name: 'send-mail',
  input: z.object({ to: z.string(), subject: z.string(), text: z.string(), html: z.string(), key: z.string() }),
  retries: 8,
  run: async (ctx, message) => ctx.mail.send(message),
})

/** Queues a message in the transaction. */
export const enqueueMail = (tx: WriteContext, content: Omit<Content, 'product'>): Promise<void> =>
  enqueue(tx, sendMail, compose({ ...content, product: tx.config.product.name }))
