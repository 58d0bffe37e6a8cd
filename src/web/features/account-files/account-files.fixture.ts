import type { AccountFile, FileRow } from '#contract/account-files.ts'
import type { Account } from '#contract/accounts.ts'
import type { Column } from '#contract/datatable.ts'
import { tableColumn } from '#web/testing/table-column.ts'

const ACCOUNT_ID = '0198c0de-0000-7000-8000-00000000aaaa'
const FILE_ID = '0198c0de-0000-7000-8000-00000000f001'

export const aFile = (change: Partial<AccountFile> = {}): AccountFile => ({
  id: FILE_ID,
  account_id: ACCOUNT_ID,
  file: { original_file_name: 'roof-2024.pdf', type: 'application/pdf', size: 1_200_000 },
  status: 'accessible',
  folder: null,
  vanity_name: null,
  category: 'roof',
  private: false,
  sov: false,
  provided_by_broker: false,
  covers_all_properties: false,
  report_author_date: null,
  age: null,
  current_until: null,
  properties: [
    { id: '0198c0de-0000-7000-8000-000000000021', full_address: '12 Main St, Springfield, IL 62701', address: { value: '12 Main St' } },
  ],
  propertyIds: [],
  created_by: { full_name: 'Dana Whitfield', email: 'dana@harborpoint.example' },
  created_at: '2026-11-19T14:03:00Z',
  version: 3,
  file_number: 1,
  progress: null,
  url: null,
  text: {
    state: 'done',
    failure: null,
    pages: 12,
    pages_without_text: 0,
    characters: 34_000,
    is_cut: false,
    unread_attachments: { count: 0, first: [] },
  },
  accessible_features: { update: true, delete: true, preview: true, download: true },
  ...change,
})

const cell = (text: string) => ({ value: text, text })

export const aRow = (file: AccountFile): FileRow => ({
  id: file.id,
  deleted_at: null,
  is_new: false,
  name: cell(file.file.original_file_name),
  category: cell('Roof report / warranty'),
  report_author_date: cell(''),
  properties: cell('12 Main St'),
  size: cell('1.1 MB'),
  created_by: cell('Dana Whitfield'),
  created_at: cell('Nov 19, 2026'),
  original_file_name: cell(file.file.original_file_name),
  private: cell(file.private ? 'Yes' : ''),
  provided_by_broker: cell(file.provided_by_broker ? 'Yes' : ''),
  file,
  text_match: null,
})

export const COLUMNS: Column[] = [
  tableColumn('name', 'Name', { primary: true, disabled: true }),
  tableColumn('category', 'Category'),
  tableColumn('properties', 'Properties'),
  tableColumn('report_author_date', 'Report date'),
  tableColumn('size', 'Size'),
]

export const anAccount = (change: Partial<Account> = {}): Account => ({
  id: ACCOUNT_ID,
  name: { value: 'Harbor Point', text: 'Harbor Point' },
  account_number: null,
  type: 'standard',
  status: null,
  statuses: [],
  favorite: false,
  properties: 771,
  divested_properties: 0,
  tiv: 0,
  currency: 'USD',
  users: 1,
  files: { total: 43, disclosed: 38, sov: 5, size: { total: 3_145_728, disclosed: 2_097_152, sov: 1_048_576 } },
  share_link: null,
  via_invite: null,
  invite: null,
  active_invite: null,
  sharing_enabled: false,
  show_vanity_by_default: true,
  send_new_files_notification: true,
  file_retrieval_method: 'upload',
  broker: null,
  carrier: null,
  managed_by: '',
  created_by: null,
  company: { id: '0198c0de-0000-7000-8000-000000000002', name: 'Harbor Point Brokerage', logo_url: null },
  effective_date: null,
  expiration_date: null,
  meta: [],
  website: null,
  version: 1,
  created_at: '2026-11-01T00:00:00Z',
  updated_at: '2026-11-01T00:00:00Z',
  deleted_at: null,
  accessible_features: { update: true, delete: true, update_status: true, upload: true, import: true, make_private: true },
  ...change,
})
