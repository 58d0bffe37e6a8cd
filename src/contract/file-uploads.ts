import { z } from 'zod'
import { UPLOAD_MAX_BYTES } from './limits.ts'
import { Id, Nothing, call, json, text } from './route.ts'

const UploadRequest = z.strictObject({
  filePath: z.string().min(1, 'The file needs a name.').max(1_000),
  contentType: text(200).default('application/octet-stream'),
  size: z.number().int().min(0).max(UPLOAD_MAX_BYTES, 'A file may be at most 5 GiB.'),
  purpose: z.enum(['document', 'import']).default('document'),
})
const UploadId = z.strictObject({ id: Id, upload_id: z.string().min(1).max(300) })
const Part = z.object({ number: z.number().int().min(1).max(10_000), etag: z.string().min(1).max(100) })

const upload = 'upload_account_files'

/** Uploads go directly to the store; `register` of documents then makes a document of one. */
export const fileUploadCalls = {
  signedUrl: call('POST', '/accounts/:id/files/signed-url', upload, 'Permission to upload a file in one request', {
    body: UploadRequest,
    output: json(z.object({ postEndpoint: z.string(), fields: z.record(z.string(), z.string()) })),
  }),
  startMultipart: call('POST', '/accounts/:id/files/multipart', upload, 'Start a multipart upload', {
    body: UploadRequest,
    output: json(z.object({ upload_id: z.string(), key: z.string(), part_size: z.number() })),
  }),
  listParts: call('GET', '/accounts/:id/files/multipart/:upload_id', upload, 'The uploaded parts of a multipart upload', {
    params: UploadId,
    output: json(z.object({ parts: z.array(Part.extend({ size: z.number() })) })),
  }),
  signPart: call('POST', '/accounts/:id/files/multipart/:upload_id/part', upload, 'Permission to upload one part', {
    params: UploadId,
    body: z.strictObject({ number: Part.shape.number }),
    output: json(z.object({ url: z.string() })),
  }),
  completeMultipart: call('POST', '/accounts/:id/files/multipart/:upload_id/complete', upload, 'Complete a multipart upload', {
    params: UploadId,
    body: z.strictObject({ parts: z.array(Part).min(1).max(10_000) }),
    output: json(z.object({ key: z.string(), size: z.number() })),
  }),
  abortMultipart: call('POST', '/accounts/:id/files/multipart/:upload_id/abort', upload, 'Cancel a multipart upload', {
    params: UploadId,
    output: json(Nothing),
  }),
}
