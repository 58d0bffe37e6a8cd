import { z } from 'zod'
import { AccountFile, PreviewLink } from './account-files.ts'
import { FILE_VERSIONS_MAX } from './limits.ts'
import { SHEETS_MAX } from './reading-limits.ts'
import { Id, Whole, call, json } from './route.ts'

/** One of the files that a document has had. */
export const FileVersion = z.object({
  /** Counted from 1. */
  number: z.number(),
  /** The version that lists, archives and searches use. */
  is_current: z.boolean(),
  file_name: z.string(),
  type: z.string(),
  size: z.number(),
  created_by: z.object({ full_name: z.string(), email: z.string() }).nullable(),
  created_at: z.string(),
})
export type FileVersion = z.output<typeof FileVersion>

const VersionParams = z.strictObject({ id: Id, file_id: Id, number: Whole(1, FILE_VERSIONS_MAX) })

/** The beginning of one sheet of a workbook, or of delimited text, which has one sheet. */
export const SheetPreview = z.object({
  sheets: z.array(z.object({ name: z.string(), hidden: z.boolean() })),
  /** Index in `sheets`. */
  sheet: z.number(),
  /** Rows with content, with their numbers in the spreadsheet program. Empty cells at the end are left out. */
  rows: z.array(z.object({ number: z.number(), cells: z.array(z.string()) })),
  hasMoreRows: z.boolean(),
  hasMoreColumns: z.boolean(),
})
export type SheetPreview = z.output<typeof SheetPreview>

/** New versions are uploaded like documents and registered with `replaces`. */
export const fileVersionCalls = {
  list: call('GET', '/accounts/:id/files/:file_id/versions', 'view_account_files', 'The versions of a document, newest first', {
    output: json(z.array(FileVersion)),
  }),
  adopt: call(
    'POST',
    '/accounts/:id/files/:file_id/versions',
    'update_account_files',
    'Make a document that the user has just uploaded the current version of this one',
    { body: z.strictObject({ from: Id }), output: json(AccountFile) },
  ),
  preview: call('GET', '/accounts/:id/files/:file_id/versions/:number/preview', 'preview_files', 'A link to a preview of a version', {
    params: VersionParams,
    output: json(PreviewLink),
  }),
  sheet: call('GET', '/accounts/:id/files/:file_id/versions/:number/sheet', 'preview_files', 'The first rows of a sheet of a version', {
    params: VersionParams,
    query: z.strictObject({ sheet: Whole(0, SHEETS_MAX - 1).default(0) }),
    output: json(SheetPreview),
  }),
  download: call('GET', '/accounts/:id/files/:file_id/versions/:number/download', 'download_files', 'A link to download a version', {
    params: VersionParams,
    output: json(z.object({ url: z.string() })),
  }),
  makeCurrent: call(
    'POST',
    '/accounts/:id/files/:file_id/versions/:number/current',
    'update_account_files',
    'Make a version the current one',
    {
      params: VersionParams,
      output: json(AccountFile),
    },
  ),
}
