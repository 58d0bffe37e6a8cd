import type { ImportRow } from '#contract/import-rows.ts'
import type { HistoryItem, Import } from '#contract/imports.ts'
import { IMPORT_STATE_LABELS, type PropertyImportRow } from '#contract/property-imports.ts'
import { tableColumn } from '#web/testing/table-column.ts'

export const ACCOUNT_ID = '0198c0de-0000-7000-8000-00000000aaaa'
export const IMPORT_ID = '0198c0de-0000-7000-8000-00000000bbbb'
const PROPERTY_ID = '0198c0de-0000-7000-8000-00000000cccc'

const CHECKED: Import = {
  id: IMPORT_ID,
  account_id: ACCOUNT_ID,
  state: 'validated',
  status: 'validated',
  activity: null,
  progress: { done: 0, total: 0 },
  failure: null,
  file_name: 'SOV 2026.xlsx',
  file_id: null,
  repeats: null,
  register_changed: false,
  currency_conflict: null,
  sheets: [{ index: 0, name: 'SOV', rows: 4, hidden: false, taken: true, joinable: true, note: null }],
  sold_sheets: [],
  sheet: 0,
  header_row: 1,
  columns: [
    {
      letter: 'A',
      header: 'Loc #',
      samples: ['1', '2'],
      filled: 3,
      split: null,
      state: 'mapped',
      field: 'location_number',
      score: 1,
      note: null,
      words: [],
    },
    {
      letter: 'B',
      header: 'Const',
      samples: ['JM'],
      filled: 3,
      split: null,
      state: 'confirm',
      field: 'construction_class',
      score: 0.7,
      note: null,
      words: [],
    },
  ],
  constants: {},
  questions: [],
  unmapped_money: [],
  mode: 'add_and_update',
  empty_clears: false,
  total: 3,
  sheet_rows: 4,
  counts: { add: 1, change: 1, unchanged: 0, remove: 0, conflict: 0, excluded: 0, errors: 1 },
  ticked: 0,
  undone: null,
  created: 0,
  updated: 0,
  failed: 0,
  sums: {
    file: { rows: 3, tiv: 300, currency: 'USD' },
    imported: null,
    stated_unmapped: [],
    before: { rows: 1, tiv: 90, currency: 'USD' },
    after: { rows: 2, tiv: 200, currency: 'USD' },
    stated: 310,
    stated_by: 'totals_row',
    stated_parts: [],
    stated_rows: null,
    stated_in: null,
    left_out: null,
    unread_rows: 0,
    merged_rows: 0,
    removed: null,
  },
  issues: [{ code: 'unknown_code', severity: 'error', column: 'B', header: 'Const', field: 'construction_class', count: 1, first_row: 4 }],
  errors: [],
  version: 7,
  created_by: 'Dana Whitfield',
  created_at: '2026-11-20T10:00:00Z',
  committed_at: null,
  undoable: false,
  open: { answers: 0, columns: 1, decisions: 0 },
}
/** A checked import of four rows, as the server shows it. */
export const checkedImport = (change: Partial<Import> = {}): Import => {
  const { questions, columns, counts } = { ...CHECKED, ...change }
  const open = {
    answers: questions.length,
    columns: columns.filter(({ state }) => state === 'confirm').length,
    decisions: counts.conflict ?? 0,
  }
  return { ...CHECKED, open, ...change }
}

export const changedRow = (change: Partial<ImportRow> = {}): ImportRow => ({
  row: 2,
  sheet: 'SOV',
  sheet_row: change.row ?? 2,
  kind: 'data',
  excluded: false,
  choice: null,
  reason: null,
  hidden: false,
  struck: false,
  cells: ['1', 'JM'],
  edited: {},
  issues: [],
  property: { id: PROPERTY_ID, name: 'Warehouse 7', full_address: '12 Main St, Springfield, IL 62701' },
  matched_by_hand: false,
  candidates: [],
  changes: [{ field: 'building_value', before: 18_000_000, after: 19_260_000 }],
  tiv: 19_260_000,
  currency: 'USD',
  ticked: false,
  ...change,
})

/** Of the list of imports. */
export const importColumns = [
  tableColumn('file_name', 'File', { primary: true, disabled: true }),
  tableColumn('state', 'Status'),
  tableColumn('created', 'Added'),
]

const cell = (value: string | number) => ({ value, text: String(value) })
/** An import in the list of imports. */
export const importRow = (item: HistoryItem): PropertyImportRow => ({
  id: item.id,
  deleted_at: null,
  is_new: false,
  file_name: cell(item.file_name),
  state: { value: item.state, text: IMPORT_STATE_LABELS[item.state] },
  total: cell(item.total),
  created: cell(item.created),
  updated: cell(item.updated),
  divested: cell(0),
  failed: cell(item.failed ?? ''),
  created_by: cell(item.created_by),
  created_at: cell(item.created_at),
  committed_at: cell(item.committed_at ?? ''),
  item,
})
