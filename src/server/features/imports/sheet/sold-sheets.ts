import type { ImportRecord, StoredSheet } from '#server/features/imports/import-record.ts'
import { takenSheets } from './taken-sheets.ts'

type OfImport = Pick<ImportRecord, 'sheets' | 'sheet_index'>

/** The sheets whose names say that they list what was sold, beside those that are imported. */
export function soldSheets({ sheets, sheet_index }: OfImport): StoredSheet[] {
  const taken = new Set(takenSheets({ sheets, sheet_index }).map(({ index }) => index))
  return sheets.filter(({ index, sold, headerRow, rows }) => sold && headerRow !== null && rows > 0 && !taken.has(index))
}

/** Those that propose properties to mark divested: what a person asked for, otherwise all that are in view when the mode may take away. */
export function usedSoldSheets(record: OfImport & Pick<ImportRecord, 'mode' | 'sold_sheets'>): StoredSheet[] {
  const { mode, sold_sheets: asked } = record
  const takesAway = mode === 'add_and_update' || mode === 'full_replacement'
  return soldSheets(record).filter(({ index, hidden }) => asked?.includes(index) ?? (takesAway && !hidden))
}
