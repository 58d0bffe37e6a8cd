import type { z } from 'zod'
import { Cell, RowBase, listCalls } from './datatable.ts'
import { HistoryItem, type IMPORT_STATES } from './imports.ts'

export const IMPORT_STATE_LABELS = {
  uploaded: 'Waiting to be read',
  parsed: 'In preparation',
  mapped: 'In preparation',
  validated: 'Ready to import',
  committed: 'Imported',
  cancelled: 'Canceled',
  failed: 'Failed',
  undone: 'Undone',
} as const satisfies Record<(typeof IMPORT_STATES)[number], string>

/** An import in the list of imports. `item` has what the list does not show in cells. */
export const PropertyImportRow = RowBase.extend({
  file_name: Cell,
  state: Cell,
  total: Cell,
  created: Cell,
  updated: Cell,
  divested: Cell,
  failed: Cell,
  created_by: Cell,
  created_at: Cell,
  committed_at: Cell,
  item: HistoryItem,
})
export type PropertyImportRow = z.output<typeof PropertyImportRow>

export const propertyImportCalls = listCalls('property_imports', PropertyImportRow)
