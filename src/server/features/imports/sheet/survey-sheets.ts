import { findHeader, type FoundHeader } from './find-header.ts'
import { joinSheets } from './join-sheets.ts'
import { isSoldSheet, scoreSheet } from './score-sheet.ts'
import { areAlike, layoutOf, locationsOf } from './sheet-layout.ts'
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
  /** Equal for sheets with the same columns; empty without a header. */
  layout: string
  /** Indexes of the sheets that list the same locations. */
  alike: number[]
}

const PROPOSED_FROM = 0.3

interface Survey {
  sheets: SurveyedSheet[]
  /** The likeliest schedule; undefined when no sheet looks like one. */
  proposed: SurveyedSheet | undefined
  /** The schedule with all its sheets, in the order of the file. */
  joined: SurveyedSheet[]
}

/** Judges every sheet and proposes the schedule. */
export function surveySheets(sheets: readonly SheetHead[]): Survey {
  const headers = sheets.map(({ head, merges }) => findHeader(head, merges))
  const locations = sheets.map(({ head }, at) => locationsOf(headers[at], head))
  const surveyed = sheets.map((sheet, at): SurveyedSheet => {
    const header = headers[at]
    const own = locations[at] ?? new Set()
    return {
      ...sheet,
      header,
      score: scoreSheet({ ...sheet, header }),
      sold: isSoldSheet(sheet.name),
      layout: layoutOf(header),
      alike: sheets.flatMap(({ index }, other) => (other !== at && areAlike(own, locations[other] ?? new Set()) ? [index] : [])),
    }
  })
  const [best] = [...surveyed].sort((a, b) => b.score - a.score || a.index - b.index)
  const proposed = best && best.score >= PROPOSED_FROM ? best : undefined
  return { sheets: surveyed, proposed, joined: proposed ? joinSheets(proposed, surveyed) : [] }
}
