import type { HistoryItem, ImportColumn } from '#contract/imports.ts'
import type { ImportRecord, StoredColumn } from './imports.queries.ts'
import { selectedSheets } from './selected-sheets.ts'

/** What lists of imports show; without the pipeline, so that it starts with the server. */

/** How many of the selected sheets have a header row. */
const headerRows = (record: ImportRecord): number =>
  selectedSheets(record).filter(({ headerRow }, at) => (at === 0 ? (record.header_row ?? headerRow) : headerRow) !== null).length

export function presentHistory(record: ImportRecord, undoable: string | undefined): HistoryItem {
  const counts = record.counts.tabs
  const isDone = record.state === 'committed' || record.state === 'undone'
  return {
    ...record,
    status: record.state,
    total: Math.max(0, record.counts.lastRow - headerRows(record)),
    counts,
    created: isDone ? (counts.add ?? 0) : 0,
    updated: isDone ? (counts.change ?? 0) : 0,
    failed: counts.errors ?? null,
    created_by: record.created_by_name,
    created_at: record.created_at.toISOString(),
    committed_at: record.committed_at?.toISOString() ?? null,
    undoable: record.state === 'committed' && record.id === undoable,
    open: {
      answers: record.counts.questions.length,
      columns: record.columns.filter((column) => columnState(column, record.mapping[column.column]) === 'confirm').length,
      decisions: counts.conflict ?? 0,
    },
  }
}

export function columnState({ status }: StoredColumn, target: string | undefined): ImportColumn['state'] {
  if (target === undefined) return 'unmapped'
  if (target === 'ignore') return 'ignored'
  if (target === 'custom') return 'custom'
  return status === 'confirm' ? 'confirm' : 'mapped'
}
