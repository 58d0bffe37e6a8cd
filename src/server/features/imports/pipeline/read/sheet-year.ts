import { cellText, type SheetRow } from './cells.ts'

/** Whether both names contain a year and the years differ. */
export function isOtherYear(name: string, other: string): boolean {
  const [year, otherYear] = [sheetYear(name), sheetYear(other)]
  return year !== undefined && otherYear !== undefined && year !== otherYear
}

const FULL_YEAR = /(?<![\d-])(20\d\d)(?:\s?[-/]\s?(20\d\d|\d\d))?(?![\ds+]|\s?[-/]\s?\d)/
const FISCAL_YEAR = /(?<!\p{L})(?:fye?|cy|ay)\s?-?\s?['’]?(\d\d)(?!\d|\s?[-/]\s?\d)/iu
const SHORT_TERM = /(?<![\d-])(\d\d)\s?[-/]\s?(\d\d)(?![\d-])/
const CONSTRUCTION_YEARS = /\b(built|build|constructed|construction|before|after|pre|post|since|newer|older)\b/i

/**
 * The year a sheet was made for, by its name: 2025 for `SOV 2025`, 2026 for `SOV 25-26` and `FY26`. Undefined without a year, and where the years
 * are years of construction (`2000-2019`, `Built 2020`). A term covers two years; a longer range is not a term.
 */
export function sheetYear(sheetName: string): number | undefined {
  const name = sheetName.replace(/_/g, ' ')
  if (CONSTRUCTION_YEARS.test(name)) return undefined
  const full = FULL_YEAR.exec(name)
  if (full && full[2] === undefined) return Number(full[1])
  const term = full ?? SHORT_TERM.exec(name)
  const fiscal = FISCAL_YEAR.exec(name)
  if (!term) return fiscal ? 2_000 + Number(fiscal[1]) : undefined
  const [first, last] = [term[1], term[2]].map((year = '') => (year.length === 2 ? 2_000 + Number(year) : Number(year)))
  return first !== undefined && last === first + 1 ? last : undefined
}

/** A name in lower case without the year. */
export const withoutYear = (name: string): string =>
  [FULL_YEAR, FISCAL_YEAR, SHORT_TERM]
    .reduce((text, year) => text.replace(year, ' '), name.replace(/_/g, ' '))
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .toLowerCase()

const TITLE_YEARS = /(?<![\d-])(20\d\d)(?!\d)/g

/** The year of the values on a sheet: that of its name, or else the last one in the texts above its header. */
export function yearOfSheet(name: string, headerRow: number, head: readonly SheetRow[]): number | undefined {
  const named = sheetYear(name)
  if (named !== undefined) return named
  const texts = head.filter(({ number }) => number < headerRow).flatMap(({ cells }) => cells.map(cellText))
  const years = texts.filter((text) => !CONSTRUCTION_YEARS.test(text)).flatMap((text) => sheetYear(text) ?? yearsIn(text))
  return years.length === 0 ? undefined : Math.max(...years)
}

const yearsIn = (text: string): number[] => [...text.matchAll(TITLE_YEARS)].map(([year]) => Number(year))
