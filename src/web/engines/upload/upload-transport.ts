import { fileCalls } from '#contract/account-files.ts'
import { ERROR_STATUS } from '#contract/error-kinds.ts'
import { REQUEST_TIMEOUT_MS, UPLOAD_IDLE_MS } from '#contract/limits.ts'
import { api } from '#web/data/client.ts'
import { apiError, isApiError } from '#web/data/errors.ts'
import { invalidateAfterWrite } from '#web/data/staleness.ts'
import type { UploadedDocument, UploadItem, UploadedPart } from './upload-item.ts'

/** Called with the number of bytes sent so far by a request. */
type OnBytes = (sent: number) => void

export type UploadTransport = typeof apiTransport

/**
 * The requests of an upload: permissions and registration go to our API, bytes go directly to the document store. Each request is made
 * once, without retries, and rejects with an ApiError or the signal's reason. Keys are those of the document store.
 */
export const apiTransport = {
  sendWhole: async (item: UploadItem, file: Blob, onBytes: OnBytes, signal: AbortSignal): Promise<string> => {
    const { data } = await api(fileCalls.signedUrl, { params: { id: item.accountId }, body: uploadRequest(item), signal })
    const key = data.fields['key']
    if (key === undefined) throw storeError('The server did not say where to put the file. Try it again.', ERROR_STATUS.internal)
    const form = new FormData()
    for (const [name, value] of Object.entries(data.fields)) form.append(name, value)
    // S3 ignores every field after the file, so it comes last.
    form.append('file', file)
    await sendBytes(data.postEndpoint, form, (sent) => onBytes(Math.min(sent, item.size)), signal)
    return key
  },
  startMultipart: async (item: UploadItem, signal: AbortSignal) => {
    const { data } = await api(fileCalls.startMultipart, { params: { id: item.accountId }, body: uploadRequest(item), signal })
    return { uploadId: data.upload_id, partSize: data.part_size }
  },
  listParts: async (item: UploadItem, uploadId: string, signal: AbortSignal): Promise<UploadedPart[]> =>
    (await api(fileCalls.listParts, { params: paramsOf(item, uploadId), signal })).data.parts,
  /** Resolves to the etag. Part numbers start at 1. */
  sendPart: async (
    item: UploadItem,
    uploadId: string,
    number: number,
    bytes: Blob,
    onBytes: OnBytes,
    signal: AbortSignal,
  ): Promise<string> => {
    const { data } = await api(fileCalls.signPart, { params: paramsOf(item, uploadId), body: { number }, signal })
    const etag = await sendBytes(data.url, bytes, onBytes, signal)
    if (etag !== '') return etag
    // A store that does not expose its ETag header to scripts still lists it.
    const part = (await apiTransport.listParts(item, uploadId, signal)).find((one) => one.number === number)
    if (part === undefined) throw storeError('A part of the file did not arrive.', 0)
    return part.etag
  },
  completeMultipart: async (item: UploadItem, uploadId: string, parts: UploadedPart[], signal: AbortSignal): Promise<string> => {
    const body = { parts: parts.map(({ number, etag }) => ({ number, etag })) }
    const { data } = await api(fileCalls.completeMultipart, { params: paramsOf(item, uploadId), body, signal })
    return data.key
  },
  abortMultipart: async (item: UploadItem, uploadId: string): Promise<void> => {
    await api(fileCalls.abortMultipart, { params: paramsOf(item, uploadId) })
  },
  register: async (item: UploadItem, key: string, signal: AbortSignal) => {
    const { propertyIds, category, sov, private: isPrivate, replaces } = item.settings
    const chosen = { ...(category && { category }), ...(sov !== null && { sov }), ...(isPrivate !== null && { private: isPrivate }) }
    const file = { name: item.name, size: item.size, type: item.type, path: item.path }
    const values = replaces === undefined ? { ...chosen, property_ids: propertyIds } : { replaces: replaces.id }
    const body = { ...values, file, s3ObjectLocation: key, account_id: item.accountId }
    const { data } = await api(fileCalls.register, { body, signal }).catch(retryConflict)
    invalidateAfterWrite('account_files', replaces?.id ?? null, item.accountId)
    const document: UploadedDocument = {
      id: data.id,
      category: data.category,
      proposed: data.proposed_properties,
      linked: false,
      hidden: data.hidden,
      sameName: data.same_name,
    }
    return { duplicateOf: data.duplicate_of, document }
  },
}

const paramsOf = (item: UploadItem, uploadId: string) => ({ id: item.accountId, upload_id: uploadId })

const uploadRequest = (item: UploadItem) => ({
  filePath: item.name,
  contentType: item.type || 'application/octet-stream',
  size: item.size,
  purpose: item.purpose,
})

const storeError = (message: string, status: number) => apiError({ kind: status === 0 ? 'network' : 'unavailable', status, message })

/** Files registered at the same time write to the same account; the one that lost succeeds at the next attempt. */
function retryConflict(error: unknown): never {
  throw isApiError(error) && error.kind === 'conflict' ? storeError(error.message, ERROR_STATUS.unavailable) : error
}

/**
 * Posts a form or puts a part to the document store and resolves to the ETag without quotes ('' when not exposed). Uses XMLHttpRequest because fetch
 * reports no upload progress. Aborts when nothing is sent for UPLOAD_IDLE_MS, or no response follows within REQUEST_TIMEOUT_MS.
 */
function sendBytes(url: string, body: FormData | Blob, onBytes: OnBytes, signal: AbortSignal): Promise<string> {
  const request = new XMLHttpRequest()
  const stop = () => request.abort()
  let idle: ReturnType<typeof setTimeout> | undefined
  const abortAfter = (ms: number) => {
    clearTimeout(idle)
    idle = setTimeout(stop, ms)
  }
  return new Promise<string>((resolve, reject) => {
    signal.throwIfAborted()
    request.upload.onprogress = (event) => {
      abortAfter(UPLOAD_IDLE_MS)
      onBytes(event.loaded)
    }
    request.upload.onload = () => abortAfter(REQUEST_TIMEOUT_MS)
    request.onload = () => {
      if (request.status >= 200 && request.status < 300) resolve((request.getResponseHeader('etag') ?? '').replaceAll('"', ''))
      else reject(storeError(errorMessage(request), request.status))
    }
    request.onerror = () => reject(storeError('The connection to the document store was cut off.', 0))
    request.onabort = () => reject(signal.aborted ? signal.reason : storeError('The document store stopped responding.', 0))
    signal.addEventListener('abort', stop)
    request.open(body instanceof FormData ? 'POST' : 'PUT', url)
    request.send(body)
    abortAfter(REQUEST_TIMEOUT_MS)
  }).finally(() => {
    clearTimeout(idle)
    signal.removeEventListener('abort', stop)
  })
}

/** Our own store responds with a JSON message; another store responds with XML that isn't meant for users. */
function errorMessage(request: XMLHttpRequest): string {
  try {
    const body: unknown = JSON.parse(request.responseText)
    if (typeof body === 'object' && body !== null && 'message' in body && typeof body.message === 'string') return body.message
  } catch {
    // Not JSON.
  }
  return `The document store reported an error (${request.status}).`
}
