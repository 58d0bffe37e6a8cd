import { findHeader, type FoundHeader } from './find-header.ts'
import { isSoldSheet, scoreSheet } from './score-sheet.ts'
import type { Merge, SheetRow } from './sheet-row.ts'

/** The beginning of a sheet, enough to judge it. */
export interface SheetHead {
  index: number
  name: string
  hidden: boolean
  /** Rows that hold something. */
  rows: number
  head: readonly SheetRow[]
  merges: readonly Merge[]
}

export interface SurveyedSheet extends SheetHead {
  header: FoundHeader | undefined
  score: number
  sold: boolean
}

const PROPOSED_FROM = 0.3

/** Judges every sheet and proposes the schedule; undefined when none looks like one. */
export function surveySheets(sheets: readonly SheetHead[]): { sheets: SurveyedSheet[]; proposed: SurveyedSheet | undefined } {
  const surveyed = sheets.map((sheet): SurveyedSheet => {
    const header = findHeader(sheet.head, sheet.merges)
    return { ...sheet, header, score: scoreSheet({ ...sheet, header }), sold: isSoldSheet(sheet.name) }
  })
  const [best] = [...surveyed].sort((a, b) => b.score - a.score || a.index - b.index)
  return { sheets: surveyed, proposed: best && best.score >= PROPOSED_FROM ? best : undefined }
}
