import { cellText, looksAmerican, looksEuropean, parseNumber, type Cell } from '#server/features/imports/pipeline/read/cells.ts'
import type { NormalizedHeader } from '#server/features/imports/pipeline/read/headers.ts'
import { isOccupancyCode } from '#server/features/imports/pipeline/validate/read-codes.ts'
import type { ColumnStyle, ConstructionScheme, OccupancyScheme } from '#server/features/imports/pipeline/validate/results.ts'

/** What the user decided for the whole file; it overrides what the cells suggest. */
export interface FileSettings {
  factor: number
  areaUnit: 'sqft' | 'm2' | undefined
  constructionScheme: ConstructionScheme | undefined
  occupancyScheme: OccupancyScheme | undefined
  dateOrder: 'mdy' | 'dmy' | undefined
  /** YYYY-MM-DD */
  today: string
}

/** A column whose largest indemnity period exceeds this is in days. */
const MONTHS_MAX = 36
const REPEATS_MIN = 3
const SLASH_DATE = /^(\d{1,2})[/.-](\d{1,2})[/.-]\d{2,4}$/
const MAJORITY = 0.6

/** Collects how the cells of one column are written, cell by cell. */
export interface StyleObserver {
  add(cell: Cell | undefined): void
  style(settings: FileSettings): ColumnStyle
}

/** Counts of cells, and the largest number by either notation. */
const noEvidence = () => ({
  texts: 0,
  european: 0,
  american: 0,
  maxAmerican: -Infinity,
  maxEuropean: -Infinity,
  of1900: 0,
  slashDates: 0,
  oedConstruction: 0,
  airConstruction: 0,
  isoConstruction: 0,
  digits: 0,
  hazus: 0,
  oedOccupancy: 0,
  airOccupancy: 0,
  atcOccupancy: 0,
})
type Evidence = ReturnType<typeof noEvidence> & {
  /** Decided by the first clear date. */
  dayFirst?: boolean | undefined
}

export function observeStyle(header: NormalizedHeader): StyleObserver {
  const seen: Evidence = noEvidence()
  return { add: (cell) => addEvidence(seen, cellText(cell)), style: (settings) => styleFrom(seen, header, settings) }
}

/** How the cells of one column are written, by its cells and its header. */
export function columnStyle(header: NormalizedHeader, cells: readonly Cell[], settings: FileSettings): ColumnStyle {
  const observer = observeStyle(header)
  cells.forEach(observer.add)
  return observer.style(settings)
}

function addEvidence(seen: Evidence, text: string): void {
  if (text === '') return
  seen.texts += 1
  if (looksEuropean(text)) seen.european += 1
  if (looksAmerican(text)) seen.american += 1
  const number = parseNumber(text, false)
  if (number !== undefined) {
    seen.maxAmerican = Math.max(seen.maxAmerican, number)
    if (number === 1900) seen.of1900 += 1
    if (Number.isInteger(number)) addCode(seen, number)
  }
  const european = seen.european > 0 ? parseNumber(text, true) : number
  if (european !== undefined) seen.maxEuropean = Math.max(seen.maxEuropean, european)
  if (number === undefined && isOccupancyCode(text, 'hazus')) seen.hazus += 1
  if (SLASH_DATE.test(text)) seen.slashDates += 1
  seen.dayFirst ??= isDayFirst(text)
}

function addCode(seen: Evidence, code: number): void {
  const isBetween = (from: number, to: number) => code >= from && code <= to
  if (isBetween(5000, 5999)) seen.oedConstruction += 1
  if (isBetween(100, 199)) seen.airConstruction += 1
  if (isBetween(1, 6)) seen.isoConstruction += 1
  if (isBetween(0, 9)) seen.digits += 1
  if (isBetween(1000, 1399)) seen.oedOccupancy += 1
  if (isBetween(300, 399)) seen.airOccupancy += 1
  if (isBetween(0, 30)) seen.atcOccupancy += 1
}

function styleFrom(seen: Evidence, header: NormalizedHeader, settings: FileSettings): ColumnStyle {
  const european = seen.european > 0 && seen.american === 0
  const max = european ? seen.maxEuropean : seen.maxAmerican
  return {
    share: max > -Infinity && max <= 1,
    european,
    dayFirst: settings.dateOrder ? settings.dateOrder === 'dmy' : (seen.dayFirst ?? false),
    unclearDates: settings.dateOrder === undefined && seen.dayFirst === undefined && seen.slashDates > 0,
    factor: settings.factor,
    squareMeters: settings.areaUnit ? settings.areaUnit === 'm2' : header.squareMeters,
    age: /\bage\b/.test(header.words),
    days: max > MONTHS_MAX || header.words.includes('days'),
    inverted: header.words.includes('vacan'),
    repeats1900: seen.of1900 >= REPEATS_MIN,
    constructionScheme: settings.constructionScheme ?? constructionScheme(seen, header),
    occupancyScheme: settings.occupancyScheme ?? occupancyScheme(seen, header),
    thisYear: Number(settings.today.slice(0, 4)),
    today: settings.today,
  }
}

/** A number above 12 decides whether day or month comes first; undefined without one. */
function isDayFirst(text: string): boolean | undefined {
  const parts = SLASH_DATE.exec(text)
  if (!parts) return undefined
  return Number(parts[1]) > 12 ? true : Number(parts[2]) > 12 ? false : undefined
}

const isMost = (count: number, { texts }: Evidence) => texts > 0 && count / texts >= MAJORITY

function constructionScheme(seen: Evidence, header: NormalizedHeader): ConstructionScheme {
  if (isMost(seen.oedConstruction, seen)) return 'oed'
  if (isMost(seen.airConstruction, seen)) return 'air'
  if (/\b(rms|atc)\b/.test(header.words) && isMost(seen.digits, seen)) return 'rms'
  return isMost(seen.isoConstruction, seen) ? 'iso' : 'words'
}

function occupancyScheme(seen: Evidence, header: NormalizedHeader): OccupancyScheme {
  if (isMost(seen.hazus, seen)) return 'hazus'
  if (isMost(seen.oedOccupancy, seen)) return 'oed'
  if (isMost(seen.airOccupancy, seen)) return 'air'
  return /\b(rms|atc)\b/.test(header.words) && isMost(seen.atcOccupancy, seen) ? 'atc' : 'words'
}
