import type { ReadPlan } from '#server/features/imports/pipeline/map/read-plan.ts'
import type { ScheduleRow } from '#server/features/imports/pipeline/read/classify-rows.ts'
import type { SectionText } from '#server/features/imports/pipeline/read/title-units.ts'
import type { HeadingDecision } from './heading-decisions.ts'
import { headingPlace } from './place-headings.ts'
import { readRow } from './read-row.ts'
import { addIssue, type ReadRow } from './results.ts'
import { headingName, headingState } from './state-headings.ts'

/** From the largest to the smallest: a heading ends those of its own kind and of smaller ones. */
const PLACES = ['state', 'county', 'city'] as const
type Place = (typeof PLACES)[number]

interface Heading extends SectionText {
  field: Place
  /** What the field of the rows below it is. */
  value: string
}

/** The headings that apply to a row. */
type Block = Partial<Record<Place, Heading>>

const SOURCES: Readonly<Record<Place, ReadonlySet<string>>> = {
  state: new Set(['state', 'full_address', 'city_state_zip']),
  county: new Set(['county']),
  city: new Set(['city', 'full_address', 'city_state_zip']),
}

const lacks = ({ columns, constants }: ReadPlan, field: Place): boolean =>
  !constants[field] && !columns.some(({ target }) => SOURCES[field].has(target))

/** What a heading names, of the places that nothing else in the schedule has. */
function placeOf(section: SectionText, plan: ReadPlan): Heading | undefined {
  const state = lacks(plan, 'state') ? headingState(section.text)?.state : undefined
  if (state !== undefined) return { ...section, field: 'state', value: state }
  const place = headingPlace(headingName(section.text))
  return place && lacks(plan, place.field) ? { ...section, field: place.field, value: place.name } : undefined
}

const sectionsOf = ({ sheets }: Pick<ReadPlan, 'sheets'>): SectionText[] =>
  [...(sheets?.values() ?? [])].flatMap(({ sections = [] }) => sections)

/** Whether states, counties or cities of a schedule may be in its headings. */
export const hasHeadings = (plan: ReadPlan): boolean => sectionsOf(plan).some((section) => placeOf(section, plan) !== undefined)

/** A heading that may name such a place, for a question. */
export const headingExample = (plan: ReadPlan, field: Place): string | undefined =>
  sectionsOf(plan).find((section) => placeOf(section, plan)?.field === field)?.text

interface Sheet {
  blocks: { number: number; block: Block }[]
  /** Whether the headings certainly name states: they name nothing else, and are several or clear. */
  isCertain: boolean
}

function readSheet(sections: readonly SectionText[], plan: ReadPlan): Sheet {
  const headings = sections.map((section) => ({ ...section, place: placeOf(section, plan) }))
  let block: Block = {}
  const blocks = headings.map(({ number, place }) => {
    const larger = place === undefined ? [] : PLACES.slice(0, PLACES.indexOf(place.field))
    block = Object.fromEntries([
      ...larger.flatMap((field) => (block[field] ? [[field, block[field]]] : [])),
      ...(place ? [[place.field, place]] : []),
    ])
    return { number, block }
  })
  const ofStates = headings.filter(({ place }) => place === undefined || place.field === 'state')
  const isClear = new Set(ofStates.map(({ place }) => place?.value)).size > 1 || ofStates.every(({ text }) => headingState(text)?.isClear)
  return { blocks, isCertain: isClear && ofStates.every(({ place }) => place !== undefined) }
}

interface Options {
  cellReference: (letter: string, number: number) => string
  states: HeadingDecision | undefined
  cities: HeadingDecision | undefined
}

/** Reads rows; a row without a state, county or city takes the one that the heading above it names. */
export function headingReader(plan: ReadPlan, { cellReference, states, cities }: Options) {
  const sheets = new Map([...(plan.sheets ?? [])].map(([sheet, { sections = [] }]) => [sheet, readSheet(sections, plan)]))
  const nameOf = ({ text, column, number }: Heading) => `the heading “${text}” in ${cellReference(column, number)}`
  return (cells: Parameters<typeof readRow>[0], own: ReadPlan, { sheet, number }: ScheduleRow): ReadRow => {
    const { blocks = [], isCertain = false } = sheets.get(sheet) ?? {}
    const { state, county, city } = blocks.findLast((above) => above.number < number)?.block ?? {}
    const used = [...(county ? [county] : []), ...(city && cities === 'use' ? [city] : [])]
    const placed =
      used.length === 0
        ? own
        : { ...own, constants: { ...own.constants, ...Object.fromEntries(used.map(({ field, value }) => [field, value])) } }
    const read = state === undefined ? readRow(cells, placed) : readState(state)
    for (const heading of used) nameSource(read, heading, `The ${heading.field} ${heading.value}`)
    if (city && cities === undefined)
      question(
        read,
        'heading_city',
        'city',
        `The city is missing. It may be in ${nameOf(city)}: answer the question about headings, or type it.`,
      )
    return read

    function readState(heading: Heading): ReadRow {
      const bare = readRow(cells, placed)
      if (states === 'ignore' || bare.fields.state || !isMissing(bare, 'state')) return bare
      const below = readRow(cells, { ...placed, constants: { ...placed.constants, state: heading.value } })
      if (below.fields.state !== heading.value || below.issues.some(({ code }) => code === 'state_zip_mismatch'))
        return question(
          bare,
          'required_missing',
          'state',
          `The state is missing, and ${nameOf(heading)} does not fit the country or the ZIP. Type the state.`,
        )
      if (!isCertain && !below.fields.postal_code && states === undefined)
        return question(
          bare,
          'heading_state',
          'state',
          `The state is missing. It may be in ${nameOf(heading)}: answer the question about headings, or type it.`,
        )
      nameSource(below, heading, `The state ${heading.value}`)
      return below
    }
  }

  function nameSource(row: ReadRow, heading: Heading, what: string) {
    row.origin[heading.field] = cellReference(heading.column, heading.number)
    const message = `${what} is taken from ${nameOf(heading)}. Type the ${heading.field} if that is wrong.`
    row.issues.push({ column: null, field: heading.field, code: 'value_elsewhere', severity: 'warning', message, value: heading.text })
  }
}

const isMissing = ({ issues }: ReadRow, field: Place): boolean =>
  issues.some((issue) => issue.code === 'required_missing' && issue.field === field)

/** Replaces the error about a missing field. */
function question(read: ReadRow, code: 'required_missing' | 'heading_state' | 'heading_city', field: Place, message: string): ReadRow {
  if (!isMissing(read, field)) return read
  read.issues = read.issues.filter((issue) => !(issue.code === 'required_missing' && issue.field === field))
  addIssue(read, field, null, { code, severity: 'error', message })
  return read
}
