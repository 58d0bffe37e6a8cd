import type { EmailAnswer, EmailRequest } from './email-message.ts'
import { readEmail } from './read-email.ts'

const answer = (message: EmailAnswer) => self.postMessage(message)

self.addEventListener('message', ({ data }: MessageEvent<EmailRequest>) => {
  readEmail(data.bytes).then(
    (message) => answer({ message }),
    () => answer({ failed: true }),
  )
})
