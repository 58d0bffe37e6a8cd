import { z } from 'zod'
import { DOCUMENT_CATEGORY_CODES } from './document-categories.ts'
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

export const Register = z.strictObject({
  file: z.strictObject({
    name: z.string().min(1, 'The file needs a name.').max(1_000),
    size: z.number().int().min(0),
    type: text(200).default(''),
    /** The name with its folders, if the browser provides them. */
    path: z.string().max(4_000).optional(),
  }),
  s3ObjectLocation: z.string().min(1).max(1_000),
  account_id: Id,
  property_ids: z.array(Id).max(10_000).optional(),
  sov: z.boolean().optional(),
  private: z.boolean().optional(),
  category: z.enum(DOCUMENT_CATEGORY_CODES).optional(),
  /** A document whose new version the file is. It keeps its name, flags and links, so none of them can be sent as well. */
  replaces: Id.optional(),
})

/** A new document. `proposed_properties` are named by its path, but not linked; empty if the request has properties. */
const RegisteredFile = z.object({
  id: Id,
  /** Name of a document of the account with the same content. */
  duplicate_of: z.string().nullable(),
  /** Another document of the account with the same file name, which the user can change. */
  same_name: z.object({ id: Id, name: z.string() }).nullable(),
  category: z.enum(DOCUMENT_CATEGORY_CODES),
  sov: z.boolean(),
  /** It is private because of its category, and the user who uploaded it does not see the private documents of the account. */
  hidden: z.boolean(),
  proposed_properties: z.array(z.object({ id: Id, full_address: z.string() })),
})

/** Uploads go directly to the store; `register` then makes a document of one. */
export const fileUploadCalls = {
  register: call('POST', '/account_files', upload, 'Register an uploaded file', {
    body: Register,
    output: json(RegisteredFile),
  }),
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
