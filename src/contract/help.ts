import { z } from 'zod'
import { HELP_MESSAGE_MAX, HELP_STATE_MAX_BYTES } from './limits.ts'
import { Nothing, call, json, paragraphs } from './route.ts'

const State = z
  .record(z.string().max(60), z.json())
  .refine((state) => JSON.stringify(state).length <= HELP_STATE_MAX_BYTES, 'The description of the page is too long.')

export const HelpInput = z.strictObject({
  message: paragraphs(HELP_MESSAGE_MAX).min(1, 'Please describe the problem.'),
  /** The page that the user was on. */
  url: z.string().max(4_000, 'This address is too long.').optional(),
  /** What the page showed: parts of the session, the route and its query. Only stored, never trusted. */
  state: State.optional(),
})

export const helpCalls = {
  send: call('POST', '/help', 'view_help_request', 'Report a problem', { body: HelpInput, bodyMaxBytes: 262_144, output: json(Nothing) }),
}
