import { z } from 'zod'
import { activityCalls } from './activity.ts'
import { Cell, IndexQuery, ListMeta, RowBase, listCalls, trashCalls } from './datatable.ts'
import { DOCUMENT_AGES, DOCUMENT_CATEGORY_CODES } from './document-categories.ts'
import { DocumentText, TextMatch, documentTextCalls } from './document-texts.ts'
import { DownloadContent } from './download-content.ts'
import { FILE_NAME_MAX_CHARACTERS } from './limits.ts'
import { Flag01, Id, Nothing, blob, call, day, json, jsonWith, orNull, text, textOrNull } from './route.ts'
import { fileUploadCalls } from './file-uploads.ts'
import type { PermissionName } from './permissions.ts'
import { searchInAccountCall } from './search.ts'

const FILE_STATUSES = ['pending', 'processing', 'accessible', 'failed', 'cancelled'] as const

/** What an archive contains: all documents, a selection, properties with theirs, or a list of documents or properties. */
export const ARCHIVE_SOURCES = ['downloadall', 'fileselection', 'with-documents', 'document-list', 'property-list'] as const
export type ArchiveSource = (typeof ARCHIVE_SOURCES)[number]

/** What a user needs for each of them. */
export const ARCHIVE_NEEDS: Readonly<Record<ArchiveSource, readonly PermissionName[]>> = {
  downloadall: ['view_account_files', 'download_files', 'download_all_files'],
  fileselection: ['view_account_files', 'download_files', 'download_all_files'],
  'with-documents': ['view_account_files', 'view_download_property_list_button', 'download_files'],
  'document-list': ['view_account_files', 'generate_disclosed_document_list'],
  'property-list': ['view_download_property_list_button'],
}

const FileProperty = z.object({ id: Id, full_address: z.string(), address: z.object({ value: z.string() }) })

/** A document of an account, or an archive of documents, which clients handle in the same way. */
export const AccountFile = z.object({
  id: Id,
  account_id: Id,
  file: z.object({ original_file_name: z.string(), type: z.string(), size: z.number().nullable() }),
  status: z.enum(FILE_STATUSES),
  /** The folder that the file was in when it was uploaded, such as `Loss runs/2025`. */
  folder: z.string().nullable(),
  vanity_name: z.string().nullable(),
  category: z.string(),
  private: z.boolean(),
  sov: z.boolean(),
  provided_by_broker: z.boolean(),
  covers_all_properties: z.boolean(),
  report_author_date: z.string().nullable(),
  /** Null if the category needs no report date. */
  age: z.enum(DOCUMENT_AGES).nullable(),
  /** The last day on which the document is recent enough, if that depends on its report date alone. */
  current_until: z.string().nullable(),
  properties: z.array(FileProperty),
  propertyIds: z.array(Id),
  created_by: z.object({ full_name: z.string(), email: z.string() }).nullable(),
  created_at: z.string(),
  version: z.number(),
  /** The number of its current file; 1 unless it was replaced. */
  file_number: z.number(),
  progress: z
    .object({ percentage_complete: z.number(), status: z.string(), files_processed: z.number(), total_files: z.number() })
    .nullable(),
  url: z.string().nullable(),
  source: z.enum(ARCHIVE_SOURCES).optional(),
  /** Of an archive or list of documents that is ready. */
  content: DownloadContent.nullable().optional(),
  /** Null for an archive. */
  text: DocumentText.nullable(),
  accessible_features: z.object({ update: z.boolean(), delete: z.boolean(), preview: z.boolean(), download: z.boolean() }),
})
export type AccountFile = z.output<typeof AccountFile>

/** A download as the user who requested it sees it in their list. */
export const Download = AccountFile.pick({ id: true, account_id: true, file: true, progress: true, created_at: true }).extend({
  account_name: z.string(),
  source: z.enum(ARCHIVE_SOURCES),
  /** `outdated`: ready once, but the documents have changed since. */
  status: z.enum([...FILE_STATUSES, 'outdated', 'expired']),
  content: DownloadContent.nullable(),
  expires_at: z.string(),
})
export type Download = z.output<typeof Download>

/** What of an account there is to download. */
export const Downloadable = z.object({
  documents: z.boolean(),
  disclosed_documents: z.boolean(),
  /** Documents that are linked to an active property. */
  linked_documents: z.boolean(),
  properties: z.boolean(),
})
export type Downloadable = z.output<typeof Downloadable>

/** The name that users gave a document, or that of its file. */
export const documentName = ({ vanity_name, file }: Pick<AccountFile, 'vanity_name' | 'file'>): string =>
  vanity_name ?? file.original_file_name

/** A row of the list of documents: its cells and the document itself. */
export const FileRow = RowBase.extend({
  name: Cell,
  category: Cell,
  report_author_date: Cell,
  properties: Cell,
  size: Cell,
  created_by: Cell,
  created_at: Cell,
  /** Not shown unless chosen, because the cell with the name shows them: */
  original_file_name: Cell,
  private: Cell,
  provided_by_broker: Cell,
  file: AccountFile,
  /** Of a search: where the text of the document has the words. Only for the first 200 rows of a page. */
  text_match: TextMatch.nullable(),
})
export type FileRow = z.output<typeof FileRow>

export const FilePatch = z.strictObject({
  private: z.boolean().optional(),
  sov: z.boolean().optional(),
  provided_by_broker: z.boolean().optional(),
  covers_all_properties: z.boolean().optional(),
  vanity_name: textOrNull(FILE_NAME_MAX_CHARACTERS).optional(),
  category: z.enum(DOCUMENT_CATEGORY_CODES).optional(),
  report_author_date: orNull(day('Please enter the report date as YYYY-MM-DD.', 0)).optional(),
  properties: z.array(Id).max(10_000).optional(),
  version: z.number().int().optional(),
})

/** The values that a document had before a bulk action; only those that it changed. `version` is the one after it. */
export const FileBefore = z.strictObject({
  id: Id,
  version: z.number().int().optional(),
  private: z.boolean().optional(),
  sov: z.boolean().optional(),
  provided_by_broker: z.boolean().optional(),
  covers_all_properties: z.boolean().optional(),
  category: z.enum(DOCUMENT_CATEGORY_CODES).optional(),
  report_author_date: z.iso.date().nullable().optional(),
  properties: z.array(Id).max(10_000).optional(),
})
export type FileBefore = z.output<typeof FileBefore>

const FileAction = z.strictObject({
  action: z
    .enum([
      'archive',
      'set_private',
      'set_disclosed',
      'set_sov',
      'unset_sov',
      'assign_properties',
      'set_values',
      'restore_values',
      'document_list',
    ])
    .optional(),
  params: z.strictObject({ action: z.string() }).optional(),
  account_id: Id.optional(),
  files: z
    .union([z.literal('all'), z.array(Id).max(10_000)])
    .nullish()
    .transform((files) => files ?? 'all'),
  input: z.strictObject({ properties: z.array(Id).max(10_000), mode: z.enum(['add', 'replace', 'remove']) }).optional(),
  /** Of `set_values`. A category also sets whether a document is a submission document. */
  fields: FilePatch.pick({ category: true, report_author_date: true, provided_by_broker: true, covers_all_properties: true }).optional(),
  /** Of `restore_values`: the `before` that a bulk action answered. */
  before: z.array(FileBefore).min(1).max(10_000).optional(),
})

/** Without a link for viewers who cannot download what browsers do not show. */
export const PreviewLink = z.object({ url: z.string().nullable(), type: z.string(), previewable: z.boolean() })
export type PreviewLink = z.output<typeof PreviewLink>

export const fileCalls = {
  ...listCalls('account_files', FileRow),
  ...trashCalls('account_files'),
  search: searchInAccountCall('account_files', 'view_account_files'),
  ...documentTextCalls,
  ...activityCalls('account_files', 'view_account_activity'),
  listInAccount: call('GET', '/accounts/:id/files', 'view_account_files', 'Documents of an account', {
    query: IndexQuery,
    output: jsonWith(z.array(AccountFile), ListMeta),
  }),
  ...fileUploadCalls,
  show: call(
    'GET',
    '/accounts/:id/files/:file_id',
    'view_account_files',
    'One document or archive, with a short-lived link if the user can download it',
    {
      query: z.strictObject({ file_name: text(300).optional(), account_id: Id.optional(), file_id: Id.optional() }),
      output: json(AccountFile),
    },
  ),
  patch: call('PATCH', '/accounts/:id/files/:file_id', 'update_account_files', 'Change flags, names, dates or properties', {
    body: FilePatch,
    output: json(AccountFile),
  }),
  preview: call('GET', '/accounts/:id/files/:file_id/preview', 'preview_files', 'A link to a preview of the document', {
    output: json(PreviewLink),
  }),
  details: call(
    'GET',
    '/accounts/:id/files/:file_id/details',
    'view_account_files',
    'A document with the previous and next one in the given order',
    {
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
  ),
  removeInAccount: call('DELETE', '/accounts/:id/files', 'delete_account_files', 'Trash documents', {
    body: z.strictObject({ ids: z.array(Id).min(1).max(10_000) }),
    output: json(Nothing),
  }),
  fileAction: call('POST', '/accounts/:id/files/action', 'view_account_files', 'Archive, list, flag or link documents', {
    query: z.strictObject({ action: text(40).optional() }),
    body: FileAction,
    output: jsonWith(AccountFile.nullable(), z.object({ before: z.array(FileBefore).optional() })),
  }),
  cancelArchive: call('DELETE', '/accounts/:id/archives/:file_id', 'view_account_files', 'Cancel an archive', { output: json(Nothing) }),
  pendingArchives: call('GET', '/archives', 'view_account_files', 'Archives of the user that are not finished', {
    output: json(z.array(AccountFile)),
  }),
  downloads: call('GET', '/downloads', 'view_account_files', 'Downloads of the user, newest first, until a week after they expired', {
    output: json(z.array(Download)),
  }),
  downloadable: call(
    'GET',
    '/accounts/:id/downloads',
    'view_account_details',
    'Which downloads of an account have a content for the user',
    {
      output: json(Downloadable),
    },
  ),
  repeatDownload: call('POST', '/downloads/:id/again', 'view_account_files', 'Start a download again, with what is left of its documents', {
    output: json(AccountFile),
  }),
  removeDownload: call('DELETE', '/downloads/:id', 'view_account_files', 'Cancel or delete a download', { output: json(Nothing) }),
  downloadArchive: call('GET', '/archives/:id/download', 'public', 'The archive or list itself, by a signed link', {
    query: z.strictObject({ expires: z.coerce.number(), viewer: Id, family: Id, signature: text(100) }),
    output: blob('application/octet-stream'),
  }),
}
