import { plural } from '#contract/format.ts'
import { columnLetters } from '#server/engines/spreadsheet/sheet.ts'
import type { ReadPlan } from '#server/features/imports/pipeline/map/read-plan.ts'
import { cellText, isFilled, type Cell } from '#server/features/imports/pipeline/read/cells.ts'
import type { RowIssue } from './results.ts'

type Cells = readonly (Cell | undefined)[]

const FIRST_PART = /^\p{Sc}?\s?\d{1,3}$/u
const PART = /^\d{3}$/

/**
 * A row of delimited text with more cells than the header: commas between thousands split its amounts, so the values after them are below
 * the names of other columns. The parts are joined if a user says so and there is only one way that fits the header.
 */
export function settleWidth(cells: Cells, { width }: ReadPlan): { cells: Cells; issue?: RowIssue } {
  if (width === undefined || cells.length <= width.cells) return { cells }
  const filled = cells.findLastIndex((cell) => isFilled(cell)) + 1
  if (filled <= width.cells) return { cells }
  const joined = joinedAmounts(cells.slice(0, filled), width.cells)
  if (joined !== undefined && width.isJoined) return { cells: joined }
  const counts = `This row has ${plural(filled, 'cell')}, the header ${width.cells}, so values are below the wrong names.`
  const issue = { column: columnLetters(width.cells + 1), field: null, severity: 'error', value: cellText(cells[width.cells]) } as const
  if (joined === undefined) {
    const message = `${counts} Put amounts and texts with commas in quotation marks in the file and upload it again, or exclude the row.`
    return { cells, issue: { ...issue, code: 'extra_cells', message } }
  }
  const amounts = joined.map(cellText).filter((text) => text.includes(','))
  const message = `${counts} The commas in ${amounts.join(' and ')} have split it. Answer the question about split amounts, or put them in quotation marks in the file and upload it again.`
  return { cells, issue: { ...issue, code: 'split_amount', message } }
}

/** The cells with the parts of amounts joined; undefined unless exactly one way results in the width of the header. */
function joinedAmounts(cells: Cells, width: number): Cell[] | undefined {
  const texts = cells.map(cellText)
  const isJoint = texts.map((text, at) => PART.test(text) && FIRST_PART.test(texts[at - 1] ?? ''))
  if (isJoint.filter(Boolean).length !== cells.length - width) return undefined
  const joined: Cell[] = []
  cells.forEach((cell, at) => {
    if (isJoint[at]) joined.push(`${cellText(joined.pop())},${texts[at]}`)
    else joined.push(cell ?? null)
  })
  return joined
}
