import { MULTIPART_ABOVE_BYTES } from '#contract/limits.ts'
import { withRetries } from './retry.ts'
import { sendInParts, type PartsContext } from './send-in-parts.ts'
import type { UploadItem } from './upload-item.ts'

/** Brings one file into the account: the bytes, then its entry in the register of documents. Reports through `update`; throws what stopped it. */
export async function uploadOne(context: PartsContext, item: UploadItem, file: Blob): Promise<void> {
  const { transport, update, signal } = context
  const key = item.key ?? (await sendBytes(context, item, file))
  update({ key, sent: item.size })
  if (item.purpose === 'import') {
    update({ status: 'done' })
    return
  }
  update({ status: 'registering' })
  const { fileId, duplicateOf } = await withRetries(context, () => transport.register(item, key, signal))
  update({ status: 'done', fileId, duplicateOf })
}

async function sendBytes(context: PartsContext, item: UploadItem, file: Blob): Promise<string> {
  const { transport, update, signal } = context
  update({ status: 'sending', error: null })
  if (item.size > MULTIPART_ABOVE_BYTES) return sendInParts(context, item, file)
  return withRetries(context, () => {
    update({ sent: 0 })
    return transport.sendWhole(item, file, (sent) => update({ sent }), signal)
  })
}
