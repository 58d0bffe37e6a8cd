import { stateFromText } from '#contract/regions.ts'
import type { ReadPlan } from '#server/features/imports/pipeline/map/read-plan.ts'
import type { ScheduleRow } from '#server/features/imports/pipeline/read/classify-rows.ts'
import type { SectionText } from '#server/features/imports/pipeline/read/title-units.ts'
import type { HeadingDecision } from './heading-decisions.ts'
import { readRow } from './read-row.ts'
import { addIssue, type ReadRow } from './results.ts'

interface Heading extends SectionText {
  /** Undefined if the heading names no state. */
  state: string | undefined
  /** Whether its own words can mean nothing else. */
  isClear: boolean
}

const PREFIX = /^(?:state|province|prov)\s*(?:of\s|[:–—-])\s*/i
const COUNT = /\s*[([:,–—-]*\s*\d[\d,]*\s+(?:locations?|properties|property|buildings?|sites?|premises|risks?)\s*[)\]]?$/i
const ENDING = /\s+(?:locations|properties|premises)$|\s*\(cont(?:inued|'d|d)?\.?\)$|\s*:$/i
/** States with the names of cities or countries. */
const OTHER_PLACES = /^(?:washington|new york|georgia|quebec)$/i
const CODE_LETTERS = 2

/** The state that a heading names: `TEXAS`, `State: FL`, `Florida (12 locations)`. */
export function headingState(text: string): { state: string; isClear: boolean } | undefined {
  const name = text.trim().replace(PREFIX, '').replace(COUNT, '').replace(ENDING, '').trim()
  const state = /^[\p{L} .'-]+$/u.test(name) ? (stateFromText(name) ?? stateFromText(name, 'CA')) : undefined
  if (state === undefined) return undefined
  const isWhole = name.replace(/[^\p{L}]/gu, '').length > CODE_LETTERS && !OTHER_PLACES.test(name)
  return { state, isClear: isWhole || PREFIX.test(text.trim()) }
}

const STATED: ReadonlySet<string> = new Set(['state', 'full_address', 'city_state_zip'])

/** Whether the states of a schedule may be in its headings: some name one, and nothing else has the states. */
export const hasStateHeadings = ({ columns, constants, sheets }: ReadPlan): boolean =>
  !constants.state &&
  !columns.some(({ target }) => STATED.has(target)) &&
  [...(sheets?.values() ?? [])].some(({ sections = [] }) => sections.some(({ text }) => headingState(text) !== undefined))

/** The headings of a sheet, and whether it is certain that they name states: all of them do, and they are several or clear. */
function headingsOf(sections: readonly SectionText[]): { headings: Heading[]; isCertain: boolean } {
  const headings = sections.map((section): Heading => ({ ...section, state: undefined, isClear: false, ...headingState(section.text) }))
  const isClear = new Set(headings.map(({ state }) => state)).size > 1 || headings.every((heading) => heading.isClear)
  return { headings, isCertain: isClear && headings.every(({ state }) => state !== undefined) }
}

interface Names {
  cellReference: (letter: string, number: number) => string
  decision: HeadingDecision | undefined
}

/** Reads rows; a row without a state takes the one that the heading above it names. */
export function headingReader(plan: ReadPlan, { cellReference, decision }: Names) {
  const isUsed = decision !== 'ignore' && hasStateHeadings(plan)
  const sheets = new Map([...(isUsed ? (plan.sheets ?? []) : [])].map(([sheet, { sections = [] }]) => [sheet, headingsOf(sections)]))
  return (cells: Parameters<typeof readRow>[0], own: ReadPlan, { sheet, number }: ScheduleRow): ReadRow => {
    const read = readRow(cells, own)
    const { headings = [], isCertain = false } = sheets.get(sheet) ?? {}
    const heading = headings.findLast((above) => above.number < number)
    if (heading?.state === undefined || read.fields.state || !lacksState(read)) return read
    const place = `the heading “${heading.text}” in ${cellReference(heading.column, heading.number)}`
    const below = readRow(cells, { ...own, constants: { ...own.constants, state: heading.state } })
    if (below.fields.state !== heading.state || below.issues.some(({ code }) => code === 'state_zip_mismatch'))
      return questionState(
        read,
        'required_missing',
        `The state is missing, and ${place} does not fit the country or the ZIP. Type the state.`,
      )
    if (!isCertain && !below.fields.postal_code && decision === undefined)
      return questionState(
        read,
        'heading_state',
        `The state is missing. It may be in ${place}: answer the question about headings, or type it.`,
      )
    below.origin.state = cellReference(heading.column, heading.number)
    const message = `The state ${heading.state} is taken from ${place}. Type the state if that is wrong.`
    below.issues.push({ column: null, field: 'state', code: 'value_elsewhere', severity: 'warning', message, value: heading.text })
    return below
  }
}

const isMissingState = ({ code, field }: ReadRow['issues'][number]) => code === 'required_missing' && field === 'state'
const lacksState = ({ issues }: ReadRow): boolean => issues.some(isMissingState)

function questionState(read: ReadRow, code: 'required_missing' | 'heading_state', message: string): ReadRow {
  read.issues = read.issues.filter((issue) => !isMissingState(issue))
  addIssue(read, 'state', null, { code, severity: 'error', message })
  return read
}
