import { editionYear } from './edition-year.ts'
import type { FoundHeader } from './find-header.ts'

const UNLIKELY =
  /\b(auto|autos|vehicles?|fleet|equipment|deleted?|sold|divested|disposed|insured elsewhere|summary|pivot|glossary|notes?|disclaimer|bi worksheet|cover|instructions|lookups?|lists?)\b/i
const LIKELY = /\b(sov|statement|schedule|locations?|propert(y|ies)|values|register)\b/i
const SOLD = /\b(deleted?|sold|divested|disposed|closed|dropped)\b/i

interface SheetFacts {
  name: string
  hidden: boolean
  rows: number
  header: FoundHeader | undefined
}

/** A sheet that lists what was sold since the last term. */
export const isSoldSheet = (name: string): boolean => SOLD.test(name)

/** A sheet whose name says that it is no schedule of what is insured now. */
export const isUnlikelySheet = (name: string): boolean => UNLIKELY.test(name.replace(/_/g, ' '))

/** How likely a sheet is the schedule itself; below 0.3 it is not proposed. The newest of two equal sheets wins. */
export function scoreSheet({ name, hidden, rows, header }: SheetFacts): number {
  if (!header) return 0
  const words = name.replace(/_/g, ' ')
  const year = editionYear(name)
  const knownHeaders = Math.min(1, header.matches / 15)
  const size = Math.min(1, Math.log10(Math.max(1, rows)) / 4)
  const named = (LIKELY.test(words) ? 0.1 : 0) - (isUnlikelySheet(name) ? 0.6 : 0) - (hidden ? 0.5 : 0)
  return Math.max(0, knownHeaders + 0.2 * size + named + (year === undefined ? 0 : (year - 2000) / 100) * 0.2)
}
