import { z } from 'zod'

/** What the mail library adds to an error that is an answer of the server. */
const SmtpAnswer = z.object({ message: z.string(), command: z.enum(['RCPT TO', 'DATA']), responseCode: z.number().min(500) })

/** Relaying, block lists and missing authentication: the operator can correct them, and the recipient has nothing to do with them. */
const POLICY = /^530|^5\d\d[ -]5\.7\./

/**
 * The reason, if the server has rejected the recipient or the message for good (5xx). All else may pass: 4xx, a connection that failed,
 * and a 5xx before the recipient was named, which is about this sender.
 */
export function rejectionOf(error: unknown): string | undefined {
  const { data: answer } = SmtpAnswer.safeParse(error)
  if (answer === undefined) return undefined
  const response = error instanceof Error && 'response' in error ? String(error.response) : ''
  if (answer.command === 'RCPT TO' && POLICY.test(response)) return undefined
  return answer.message
}
