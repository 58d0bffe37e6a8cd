import { z } from 'zod'

/** The body of every error response. */
export const ErrorBody = z.object({
  response: z.enum(['error', 'validationError']),
  message: z.string(),
  kind: z.string().optional(),
  errors: z.record(z.string(), z.array(z.string())).optional(),
  data: z.unknown().optional(),
  request_id: z.string().optional(),
})
/** The data of a conflict: who saved the record meanwhile, if it is known. */
export const StaleSave = z.object({ changed_by: z.string().nullable() })
/** The data of a sign-in that was right, of a user whose company allows only single sign-on. */
export const OnlySso = z.object({ single_sign_on: z.literal(true) })
export type ErrorBody = z.output<typeof ErrorBody>
