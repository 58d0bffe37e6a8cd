import { z } from 'zod'
import { uploadCalls } from './account-uploads.ts'
import { Cell, IndexQuery, ListMeta, RowBase, listCalls, trashCalls } from './datatable.ts'
import { DOCUMENT_CATEGORY_CODES } from './document-categories.ts'
import { FILE_NAME_MAX_CHARACTERS } from './limits.ts'
import { ById, Flag01, Id, Nothing, blob, json, jsonWith, text, type Call } from './route.ts'

export const FILE_STATUSES = ['pending', 'processing', 'accessible', 'failed', 'cancelled'] as const

const FileProperty = z.object({ id: Id, full_address: z.string(), address: z.object({ value: z.string() }) })

/** A document of an account, or an archive of documents, which clients handle in the same way. */
export const AccountFile = z.object({
  id: Id,
  account_id: Id,
  file: z.object({ original_file_name: z.string(), type: z.string(), size: z.number().nullable() }),
  status: z.enum(FILE_STATUSES),
  vanity_name: z.string().nullable(),
  category: z.string(),
  private: z.boolean(),
  sov: z.boolean(),
  provided_by_broker: z.boolean(),
  covers_all_properties: z.boolean(),
  report_author_date: z.string().nullable(),
  properties: z.array(FileProperty),
  propertyIds: z.array(Id),
  created_by: z.object({ full_name: z.string(), email: z.string() }).nullable(),
  created_at: z.string(),
  version: z.number(),
  progress: z
    .object({ percentage_complete: z.number(), status: z.string(), files_processed: z.number(), total_files: z.number() })
    .nullable(),
  url: z.string().nullable(),
  accessible_features: z.object({ update: z.boolean(), delete: z.boolean(), preview: z.boolean(), download: z.boolean() }),
})
export type AccountFile = z.output<typeof AccountFile>

/** A row of the list of documents: its cells and the document itself. */
export const FileRow = RowBase.extend({
  name: Cell,
  category: Cell,
  report_author_date: Cell,
  properties: Cell,
  size: Cell,
  created_by: Cell,
  created_at: Cell,
  file: AccountFile,
})
export type FileRow = z.output<typeof FileRow>

export const FilePatch = z.strictObject({
  private: z.boolean().optional(),
  sov: z.boolean().optional(),
  provided_by_broker: z.boolean().optional(),
  covers_all_properties: z.boolean().optional(),
  vanity_name: z
    .union([text(FILE_NAME_MAX_CHARACTERS), z.null()])
    .transform((value) => (value === '' ? null : value))
    .optional(),
  category: z.enum(DOCUMENT_CATEGORY_CODES).optional(),
  report_author_date: z
    .union([z.iso.date('Please enter the report date as YYYY-MM-DD.'), z.literal('').transform(() => null), z.null()])
    .optional(),
  properties: z.array(Id).max(10_000).optional(),
  version: z.number().int().optional(),
})

const InAccount = z.strictObject({ id: Id })
const FileInAccount = z.strictObject({ id: Id, file_id: Id })

export const Register = z.strictObject({
  file: z.strictObject({
    name: z.string().min(1, 'The file needs a name.').max(1_000),
    size: z.number().int().min(0),
    type: text(200).default(''),
  }),
  s3ObjectLocation: z.string().min(1).max(1_000),
  account_id: Id,
  property_ids: z.array(Id).max(10_000).optional(),
  sov: z.boolean().optional(),
  private: z.boolean().optional(),
  category: z.enum(DOCUMENT_CATEGORY_CODES).optional(),
})

export const FileAction = z.strictObject({
  action: z.enum(['archive', 'set_private', 'set_disclosed', 'set_sov', 'unset_sov', 'assign_properties', 'document_list']).optional(),
  params: z.strictObject({ action: z.string() }).optional(),
  account_id: Id.optional(),
  files: z.union([z.literal('all'), z.array(Id).max(10_000)]).default('all'),
  input: z.strictObject({ properties: z.array(Id).max(10_000), mode: z.enum(['add', 'replace', 'remove']) }).optional(),
})

export const fileCalls = {
  ...listCalls('account_files', FileRow),
  ...trashCalls('account_files'),
  listInAccount: {
    method: 'GET',
    path: '/accounts/:id/files',
    can: 'view_account_files',
    summary: 'Documents of an account',
    params: InAccount,
    query: IndexQuery,
    output: jsonWith(z.array(AccountFile), ListMeta),
  },
  register: {
    method: 'POST',
    path: '/account_files',
    can: 'upload_account_files',
    summary: 'Register an uploaded file',
    body: Register,
    output: json(z.object({ id: Id, duplicate_of: z.string().nullable() })),
  },
  show: {
    method: 'GET',
    path: '/accounts/:id/files/:file_id',
    can: 'view_account_files',
    summary: 'One document or archive, with a short-lived link if the user can download it',
    params: FileInAccount,
    query: z.strictObject({ file_name: text(300).optional() }),
    output: json(AccountFile),
  },
  patch: {
    method: 'PATCH',
    path: '/accounts/:id/files/:file_id',
    can: 'update_account_files',
    summary: 'Change flags, names, dates or properties',
    params: FileInAccount,
    body: FilePatch,
    output: json(AccountFile),
  },
  preview: {
    method: 'GET',
    path: '/accounts/:id/files/:file_id/preview',
    can: 'preview_files',
    summary: 'A link to a preview of the document',
    params: FileInAccount,
    output: json(z.object({ url: z.string(), type: z.string(), previewable: z.boolean() })),
  },
  details: {
    method: 'GET',
    path: '/accounts/:id/files/:file_id/details',
    can: 'view_account_files',
    summary: 'A document with the previous and next one in the given order',
    params: FileInAccount,
    query: z
      .object({
        sort: z.string().max(60).optional(),
        order: z.enum(['asc', 'desc']).optional(),
        search: text(200).optional(),
        filter__sov: Flag01.optional(),
      })
      .catchall(z.string()),
    output: json(
      AccountFile.extend({ previous_id: z.string().nullable(), next_id: z.string().nullable(), position: z.number(), total: z.number() }),
    ),
  },
  removeInAccount: {
    method: 'DELETE',
    path: '/accounts/:id/files',
    can: 'delete_account_files',
    summary: 'Trash documents',
    params: InAccount,
    body: z.strictObject({ ids: z.array(Id).min(1).max(10_000) }),
    output: json(Nothing),
  },
  fileAction: {
    method: 'POST',
    path: '/accounts/:id/files/action',
    can: 'view_account_files',
    summary: 'Archive, flag or link documents',
    params: InAccount,
    query: z.strictObject({ action: text(40).optional() }),
    body: FileAction,
    output: json(AccountFile.nullable()),
  },
  cancelArchive: {
    method: 'DELETE',
    path: '/accounts/:id/archives/:file_id',
    can: 'view_account_files',
    summary: 'Cancel an archive',
    params: FileInAccount,
    output: json(Nothing),
  },
  pendingArchives: {
    method: 'GET',
    path: '/archives',
    can: 'view_account_files',
    summary: 'Archives of the user that are not finished',
    output: json(z.array(AccountFile)),
  },
  downloadArchive: {
    method: 'GET',
    path: '/archives/:id/download',
    can: 'public',
    summary: 'The archive itself, by a signed link',
    params: ById,
    query: z.strictObject({ expires: z.coerce.number(), viewer: Id, signature: text(100) }),
    output: blob('application/zip'),
  },
  ...uploadCalls,
} as const satisfies Record<string, Call>
