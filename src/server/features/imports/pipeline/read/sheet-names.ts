import { ENDED_WORDS } from './ended-words.ts'
import { sheetYear, withoutYear } from './sheet-year.ts'

const ENDED = `${ENDED_WORDS}|lapsed`
const UNLIKELY = new RegExp(
  `\\b(auto|autos|vehicles?|fleet|equipment|${ENDED}|closed (?:stores|locations|sites|properties|offices|plants|units|\\d{4})|^closed|insured elsewhere|summary|pivot|glossary|notes?|disclaimer|bi worksheet|cover|instructions|lookups?|lists?)\\b`,
  'i',
)
/** Schedules that are not, not yet or no longer true. */
const NOT_CURRENT =
  /\b(do ?n[o'’]?t use|don['’]t use|not used|unused|ignore|obsolete|superseded|outdated|void|archived?|backup|draft|test|sample|example|template|pending|proposed|prospects?|prospective|potential|future|planned|under contract|in escrow|not insured|uninsured|excluded|exclusions|removed|terminated|expired|expiring|prior|previous|last year)\b|^old$|\bold (sov|schedule|values|version|data)\b|\W\(?old\)?$/i
const LIKELY = /\b(sov|statement|schedule|locations?|propert(y|ies)|values|register)\b/i
const DIVESTED = new RegExp(`\\b(${ENDED}|closed)\\b`, 'i')

export const isNamedUnlikely = (name: string): boolean => UNLIKELY.test(name.replace(/_/g, ' '))
export const isNotCurrent = (name: string): boolean => NOT_CURRENT.test(name.replace(/_/g, ' '))

/** Whether a name says that a sheet is not a part of the schedule. */
export const isUnlikelyName = (name: string): boolean => isNamedUnlikely(name) || isNotCurrent(name)

/** Whether a name says that a sheet is the whole schedule, such as `2026 SOV`. */
export const isScheduleName = (name: string): boolean => LIKELY.test(name.replace(/_/g, ' ')) || sheetYear(name) !== undefined

/** Whether a name says so of the newest year among several sheets. `2025` and `SOV 2025` next to `SOV` may be of an earlier year. */
export function isMainName(name: string, names: readonly string[]): boolean {
  const [year, words] = [sheetYear(name), withoutYear(name)]
  const isDated = (other: string) => sheetYear(other) === undefined && isScheduleName(other) && ['', withoutYear(other)].includes(words)
  return isScheduleName(name) && (year === undefined || !names.some((other) => isDated(other) || (sheetYear(other) ?? 0) > year))
}

export const isLikelyName = (name: string): boolean => LIKELY.test(name.replace(/_/g, ' '))
export const isDivestedName = (name: string): boolean => DIVESTED.test(name.replace(/_/g, ' '))
