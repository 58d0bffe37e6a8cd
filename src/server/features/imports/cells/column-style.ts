import { isOccupancyCode } from '#server/features/imports/codes/occupancy.ts'
import type { NormalHeader } from '#server/features/imports/headers/normalise-header.ts'
import { cellText, type Cell } from '#server/features/imports/sheet/sheet-row.ts'
import { looksAmerican, looksEuropean, parseNumber } from './number-text.ts'
import type { ColumnStyle, ConstructionScheme, OccupancyScheme } from './reading.ts'

/** What a person decided for the whole file; it wins over the evidence of the cells. */
export interface StyleChoices {
  factor: number
  areaUnit: 'sqft' | 'm2' | undefined
  constructionScheme: ConstructionScheme | undefined
  occupancyScheme: OccupancyScheme | undefined
  dateOrder: 'mdy' | 'dmy' | undefined
  /** YYYY-MM-DD */
  today: string
}

const MONTHS_MAX = 36
const REPEATS_MIN = 3
const SLASH_DATE = /^(\d{1,2})[/.-](\d{1,2})[/.-]\d{2,4}$/
const MAJORITY = 0.6

/** Gathers what the cells of one column say about how they are written, cell by cell. */
export interface StyleObserver {
  see(cell: Cell | undefined): void
  style(choices: StyleChoices): ColumnStyle
}

interface Evidence {
  texts: number
  european: number
  american: number
  maxAmerican: number
  maxEuropean: number
  of1900: number
  slashDates: number
  dayFirst: boolean | undefined
  oedConstruction: number
  airConstruction: number
  isoConstruction: number
  digits: number
  hazus: number
  oedOccupancy: number
  airOccupancy: number
  atcOccupancy: number
}

export function observeStyle(header: NormalHeader): StyleObserver {
  const seen: Evidence = {
    texts: 0,
    european: 0,
    american: 0,
    maxAmerican: -Infinity,
    maxEuropean: -Infinity,
    of1900: 0,
    slashDates: 0,
    dayFirst: undefined,
    oedConstruction: 0,
    airConstruction: 0,
    isoConstruction: 0,
    digits: 0,
    hazus: 0,
    oedOccupancy: 0,
    airOccupancy: 0,
    atcOccupancy: 0,
  }
  return { see: (cell) => weigh(seen, cellText(cell)), style: (choices) => conclude(seen, header, choices) }
}

/** How the cells of one column are written, from all of them and from their header. */
export function styleOf(header: NormalHeader, cells: readonly Cell[], choices: StyleChoices): ColumnStyle {
  const observer = observeStyle(header)
  cells.forEach(observer.see)
  return observer.style(choices)
}

function weigh(seen: Evidence, text: string): void {
  if (text === '') return
  seen.texts += 1
  if (looksEuropean(text)) seen.european += 1
  if (looksAmerican(text)) seen.american += 1
  const number = parseNumber(text, false)
  if (number !== undefined) {
    seen.maxAmerican = Math.max(seen.maxAmerican, number)
    if (number === 1900) seen.of1900 += 1
    if (Number.isInteger(number)) weighCode(seen, number)
  }
  const european = seen.european > 0 ? parseNumber(text, true) : number
  if (european !== undefined) seen.maxEuropean = Math.max(seen.maxEuropean, european)
  if (number === undefined && isOccupancyCode(text, 'hazus')) seen.hazus += 1
  if (SLASH_DATE.test(text)) seen.slashDates += 1
  seen.dayFirst ??= dayStandsFirst(text)
}

function weighCode(seen: Evidence, code: number): void {
  const isBetween = (from: number, to: number) => code >= from && code <= to
  if (isBetween(5000, 5999)) seen.oedConstruction += 1
  if (isBetween(100, 199)) seen.airConstruction += 1
  if (isBetween(1, 6)) seen.isoConstruction += 1
  if (isBetween(0, 9)) seen.digits += 1
  if (isBetween(1000, 1399)) seen.oedOccupancy += 1
  if (isBetween(300, 399)) seen.airOccupancy += 1
  if (isBetween(0, 30)) seen.atcOccupancy += 1
}

function conclude(seen: Evidence, header: NormalHeader, choices: StyleChoices): ColumnStyle {
  const european = seen.european > 0 && seen.american === 0
  const max = european ? seen.maxEuropean : seen.maxAmerican
  return {
    share: max > -Infinity && max <= 1,
    european,
    dayFirst: choices.dateOrder ? choices.dateOrder === 'dmy' : (seen.dayFirst ?? false),
    unclearDates: choices.dateOrder === undefined && seen.dayFirst === undefined && seen.slashDates > 0,
    factor: choices.factor,
    squareMetres: choices.areaUnit ? choices.areaUnit === 'm2' : header.hints.squareMetres,
    age: /\bage\b/.test(header.words),
    days: max > MONTHS_MAX || header.words.includes('days'),
    inverted: header.words.includes('vacan'),
    repeats1900: seen.of1900 >= REPEATS_MIN,
    constructionScheme: choices.constructionScheme ?? constructionScheme(seen, header),
    occupancyScheme: choices.occupancyScheme ?? occupancyScheme(seen, header),
    thisYear: Number(choices.today.slice(0, 4)),
    today: choices.today,
  }
}

/** Day or month first is decided by the first number above 12; without one the American order holds. */
function dayStandsFirst(text: string): boolean | undefined {
  const parts = SLASH_DATE.exec(text)
  if (!parts) return undefined
  return Number(parts[1]) > 12 ? true : Number(parts[2]) > 12 ? false : undefined
}

const isMost = (count: number, { texts }: Evidence) => texts > 0 && count / texts >= MAJORITY

function constructionScheme(seen: Evidence, header: NormalHeader): ConstructionScheme {
  if (isMost(seen.oedConstruction, seen)) return 'oed'
  if (isMost(seen.airConstruction, seen)) return 'air'
  if (/\b(rms|atc)\b/.test(header.words) && isMost(seen.digits, seen)) return 'rms'
  return isMost(seen.isoConstruction, seen) ? 'iso' : 'words'
}

function occupancyScheme(seen: Evidence, header: NormalHeader): OccupancyScheme {
  if (isMost(seen.hazus, seen)) return 'hazus'
  if (isMost(seen.oedOccupancy, seen)) return 'oed'
  if (isMost(seen.airOccupancy, seen)) return 'air'
  return /\b(rms|atc)\b/.test(header.words) && isMost(seen.atcOccupancy, seen) ? 'atc' : 'words'
}
