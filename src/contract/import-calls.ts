import { z } from 'zod'
import { ListMeta } from './datatable.ts'
import { ImportCommit, ImportPatch, ImportProperties, ImportSource } from './import-inputs.ts'
import { ImportRow } from './import-rows.ts'
import { HistoryItem, IMPORT_TABS, Import, READINGS } from './imports.ts'
import { PAGE_SIZE, PAGE_MAX, PAGE_SIZE_MAX, PROPERTIES_BODY_MAX_BYTES } from './limits.ts'
import { Flag01, Whole, blob, call, json, jsonWith } from './route.ts'

const RowsQuery = z.strictObject({
  tab: z.enum(IMPORT_TABS).optional(),
  /** `register` sends the cells as they were read, in the units and codes of the register; rows that are not read are as in the file. */
  reading: z.enum(READINGS).default('file'),
  page: Whole(1, PAGE_MAX).default(1),
  paginate: Whole(1, PAGE_SIZE_MAX).default(PAGE_SIZE),
})

export const ImportField = z.object({
  name: z.string(),
  label: z.string(),
  section: z.string(),
  level: z.enum(['required', 'core', 'optional']),
  headers: z.array(z.string()),
})

export const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
const can = 'bulk_upload_account_properties'

export const importCalls = {
  create: call(
    'POST',
    '/properties/import/:account_id',
    can,
    'Start an import from an uploaded file, a document of the account, or rows with the field names of the register',
    {
      body: z.union([ImportSource, ImportProperties]),
      bodyMaxBytes: PROPERTIES_BODY_MAX_BYTES,
      output: json(Import.pick({ id: true, state: true, status: true })),
    },
  ),
  show: call('GET', '/properties/import/:id', can, 'An import', { output: json(Import) }),
  rows: call('GET', '/properties/import/:id/rows', can, 'Rows of the sheet, or of one tab of the preview', {
    query: RowsQuery,
    output: jsonWith(z.array(ImportRow), ListMeta),
  }),
  update: call(
    'PUT',
    '/properties/import/:id',
    can,
    'Change sheet, header, mapping, constants, words, mode, cells, exclusions or matches; validates again',
    { body: ImportPatch, output: json(Import) },
  ),
  commit: call('POST', '/properties/import/:id/commit', can, 'Write the preview to the register', {
    body: ImportCommit,
    bodyMaxBytes: 4 * 1_048_576,
    output: json(Import),
  }),
  cancel: call(
    'DELETE',
    '/properties/import/:id',
    can,
    'Cancel before the commit, undo after it; others=1 undoes the properties that were not edited since',
    { query: z.strictObject({ others: Flag01.optional() }), output: json(Import) },
  ),
  rejected: call('GET', '/properties/import/:id/rejected', can, 'Rejected rows with their messages, as .xlsx', { output: blob(XLSX) }),
  history: call('GET', '/properties/import/:account_id/history', can, 'Imports of an account, newest first', {
    output: json(z.array(HistoryItem)),
  }),
  columns: call('GET', '/properties/import/:account_id/columns', can, 'Fields that a column can be mapped to', {
    output: json(z.array(ImportField)),
  }),
}
