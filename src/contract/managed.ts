import { z } from 'zod'
import { HOUR_MS } from './limits.ts'
import { Id, Nothing, call, json } from './route.ts'

/** So long after the last upload, the documents of a managed account are handed over for setup. */
export const HAND_OVER_MS = HOUR_MS
/** The uploads of this time are on the receipt. */
export const RECEIPT_MS = 24 * HOUR_MS

/** A document that the user uploaded, as it arrived. */
const ReceivedDocument = z.object({
  id: Id,
  name: z.string(),
  /** Bytes. */
  size: z.number(),
  received_at: z.string(),
  /** Null until the stored document has been read; until then nothing is known of duplicates. */
  sha256: z.string().nullable(),
  /** Name of an earlier document with the same content, if the user sees it. */
  duplicate_of: z.string().nullable(),
})
const Receipt = z.object({ account: z.string(), since: z.string(), documents: z.array(ReceivedDocument) })
export type Receipt = z.output<typeof Receipt>

/** What people who send documents to an account can do in addition to uploading. */
export const managedCalls = {
  handOver: call('POST', '/accounts/:id/hand-over', 'upload_account_files', 'Hand the documents of a managed account over for setup', {
    output: json(Nothing),
  }),
  receipt: call('GET', '/accounts/:id/receipt', 'upload_account_files', 'The documents that you uploaded in the last 24 hours', {
    output: json(Receipt),
  }),
}
