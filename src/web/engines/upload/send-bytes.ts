import { REQUEST_TIMEOUT_MS, UPLOAD_IDLE_MS } from '#contract/limits.ts'
import { uploadFailure } from './upload-failure.ts'
import type { OnBytes } from './transport.ts'

interface ByteRequest {
  method: 'POST' | 'PUT'
  url: string
  body: FormData | Blob
  onBytes: OnBytes
  signal: AbortSignal
}

const CUT_OFF = 'The connection to the document store was cut off.'

/**
 * Sends bytes to the object store: XMLHttpRequest, since fetch does not report what has left. Answers the ETag without quotes ('' when not exposed).
 * A request that moves nothing for UPLOAD_IDLE_MS is given up; once all bytes are out, the answer has REQUEST_TIMEOUT_MS.
 */
export function sendBytes({ method, url, body, onBytes, signal }: ByteRequest): Promise<string> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const request = new XMLHttpRequest()
    let stalled: ReturnType<typeof setTimeout> | undefined
    const stallAfter = (ms: number) => {
      clearTimeout(stalled)
      stalled = setTimeout(() => request.abort(), ms)
    }
    const stop = () => request.abort()
    const settle = (finish: () => void) => () => {
      clearTimeout(stalled)
      signal.removeEventListener('abort', stop)
      finish()
    }

    request.upload.onprogress = (event) => {
      stallAfter(UPLOAD_IDLE_MS)
      onBytes(event.loaded)
    }
    request.upload.onload = () => stallAfter(REQUEST_TIMEOUT_MS)
    request.onload = settle(() => {
      if (request.status >= 200 && request.status < 300) resolve((request.getResponseHeader('etag') ?? '').replaceAll('"', ''))
      else reject(uploadFailure(refusalSentence(request), request.status))
    })
    request.onerror = settle(() => reject(uploadFailure(CUT_OFF, 0)))
    request.onabort = settle(() => reject(signal.aborted ? signal.reason : uploadFailure('The document store stopped answering.', 0)))
    signal.addEventListener('abort', stop)
    request.open(method, url)
    request.send(body)
    stallAfter(REQUEST_TIMEOUT_MS)
  })
}

/** The store's own words where it answers with our envelope; a foreign store answers XML, which nobody should read. */
function refusalSentence(request: XMLHttpRequest): string {
  try {
    const body: unknown = JSON.parse(request.responseText)
    if (typeof body === 'object' && body !== null && 'message' in body && typeof body.message === 'string') return body.message
  } catch {
    // Not the envelope.
  }
  return `The document store refused the file (${request.status}). Try it again.`
}
