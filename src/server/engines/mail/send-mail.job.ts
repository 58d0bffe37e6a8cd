import type { WriteContext } from '../context.ts'
import { defineJob, enqueue } from '../jobs/define-job.ts'
import { compose, Message, type Content } from './mail.ts'

export const sendMail = defineJob({
  name: 'send-mail',
  input: Message,
  retries: 8,
  run: async (ctx, message) => ctx.mail.send(message),
})

/** Queues a message in the transaction. */
export const enqueueMail = (tx: WriteContext, content: Omit<Content, 'product'>): Promise<void> =>
  enqueue(tx, sendMail, compose({ ...content, product: tx.config.product.name }))
