import { z } from 'zod'
import { defineJob } from '../jobs/define-job.ts'

/** Mail leaves after the commit that asked for it; its Message-ID is made of the key, so a repeat is recognised. */
export const sendMail = defineJob({
  name: 'send-mail',
  input: z.object({ to: z.string(), subject: z.string(), text: z.string(), html: z.string(), key: z.string() }),
  retries: 8,
  run: async (ctx, letter) => ctx.mail.send(letter),
})
