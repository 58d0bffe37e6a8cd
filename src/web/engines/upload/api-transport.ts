import { fileCalls } from '#contract/account-files.ts'
import { ERROR_STATUS } from '#contract/errors.ts'
import { api } from '#web/data/client.ts'
import { isApiError } from '#web/data/errors.ts'
import { sendBytes } from './send-bytes.ts'
import type { UploadTransport } from './transport.ts'
import { isUploadFailure, uploadFailure } from './upload-failure.ts'
import type { UploadItem } from './upload-item.ts'

/** The transport of the product: permissions and the register from our API, the bytes straight to the object store. */
export const apiTransport: UploadTransport = {
  sendWhole: async (item, file, onBytes, signal) => {
    const { data } = await asked(api(fileCalls.signedUrl, { params: { id: item.accountId }, body: request(item), signal }))
    const form = new FormData()
    for (const [name, value] of Object.entries(data.fields)) form.append(name, value)
    // S3 ignores every field after the file, so it comes last.
    form.append('file', file)
    await sendBytes({ method: 'POST', url: data.postEndpoint, body: form, onBytes: (sent) => onBytes(Math.min(sent, item.size)), signal })
    return keyOf(data.fields)
  },
  startMultipart: async (item, signal) => {
    const { data } = await asked(api(fileCalls.startMultipart, { params: { id: item.accountId }, body: request(item), signal }))
    return { uploadId: data.upload_id, partSize: data.part_size }
  },
  listParts: async (item, uploadId, signal) => {
    const { data } = await asked(api(fileCalls.listParts, { params: { id: item.accountId, upload_id: uploadId }, signal }))
    return data.parts
  },
  sendPart: async (item, uploadId, number, bytes, onBytes, signal) => {
    const params = { id: item.accountId, upload_id: uploadId }
    const { data } = await asked(api(fileCalls.signPart, { params, body: { number }, signal }))
    const etag = await sendBytes({ method: 'PUT', url: data.url, body: bytes, onBytes, signal })
    return etag === '' ? etagFromList(item, uploadId, number, signal) : etag
  },
  completeMultipart: async (item, uploadId, parts, signal) => {
    const params = { id: item.accountId, upload_id: uploadId }
    const body = { parts: parts.map(({ number, etag }) => ({ number, etag })) }
    const { data } = await asked(api(fileCalls.completeMultipart, { params, body, signal }))
    return data.key
  },
  abortMultipart: async (item, uploadId) => {
    await api(fileCalls.abortMultipart, { params: { id: item.accountId, upload_id: uploadId } })
  },
  register: async (item, key, signal) => {
    const { category, sov, propertyIds } = item.wishes
    const body = {
      file: { name: item.name, size: item.size, type: item.type },
      s3ObjectLocation: key,
      account_id: item.accountId,
      property_ids: propertyIds,
      category,
      sov,
      private: item.wishes.private,
    }
    const { data } = await asked(api(fileCalls.register, { body, signal })).catch(mayCollide)
    return { fileId: data.id, duplicateOf: data.duplicate_of }
  },
}

const request = (item: UploadItem) => ({
  filePath: item.name,
  contentType: item.type || 'application/octet-stream',
  size: item.size,
  purpose: item.purpose,
})

function keyOf(fields: Record<string, string>): string {
  const key = fields['key']
  if (key === undefined) throw uploadFailure('The server did not say where to put the file. Try it again.', 500)
  return key
}

/** A store that does not expose its ETag header to scripts still lists it. */
async function etagFromList(item: UploadItem, uploadId: string, number: number, signal: AbortSignal): Promise<string> {
  const { data } = await asked(api(fileCalls.listParts, { params: { id: item.accountId, upload_id: uploadId }, signal }))
  const part = data.parts.find((one) => one.number === number)
  if (!part) throw uploadFailure('A part of the file did not arrive.', 0)
  return part.etag
}

/** Several files that arrive at once write to the same account; the one that lost is registered at the next try (decisions Q68). */
function mayCollide(error: unknown): never {
  throw isUploadFailure(error) && error.status === ERROR_STATUS.conflict ? Object.assign(error, { retryable: true }) : error
}

/** Turns the failures of our API into those of an upload; an expired session and a cancelled call keep their own course. */
async function asked<T>(call: Promise<T>): Promise<T> {
  try {
    return await call
  } catch (error) {
    throw isApiError(error) ? uploadFailure(error.message, error.status) : error
  }
}
