import { z } from 'zod'
import { defineJob } from '../jobs/define-job.ts'

export const sendMail = defineJob({
  name: 'send-mail',
  input: z.object({ to: z.string(), subject: z.string(), text: z.string(), html: z.string(), key: z.string() }),
  retries: 8,
  run: async (ctx, message) => ctx.mail.send(message),
})
