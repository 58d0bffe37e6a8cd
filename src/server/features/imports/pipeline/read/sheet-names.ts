import { sheetYear } from './sheet-year.ts'

const UNLIKELY =
  /\b(auto|autos|vehicles?|fleet|equipment|deleted?|deletes|deletions?|sold|divested|divestitures?|disposed|disposals?|dispositions?|closed (?:stores|locations|sites|properties|offices|plants|units|\d{4})|^closed|dropped|cancell?ed|removals?|lapsed|insured elsewhere|summary|pivot|glossary|notes?|disclaimer|bi worksheet|cover|instructions|lookups?|lists?)\b/i
/** Schedules that are not, not yet or no longer true. */
const NOT_CURRENT =
  /\b(do ?n[o'’]?t use|don['’]t use|not used|unused|ignore|obsolete|superseded|outdated|void|archived?|backup|draft|test|sample|example|template|pending|proposed|prospects?|prospective|potential|future|planned|under contract|in escrow|not insured|uninsured|excluded|exclusions|removed|terminated|expired|expiring|prior|previous|last year)\b|^old$|\bold (sov|schedule|values|version|data)\b|\W\(?old\)?$/i
const LIKELY = /\b(sov|statement|schedule|locations?|propert(y|ies)|values|register)\b/i
const DIVESTED =
  /\b(deleted?|deletes|deletions?|sold|divested|divestitures?|disposed|disposals?|dispositions?|closed|dropped|cancell?ed|removals?|lapsed)\b/i

export const isNamedUnlikely = (name: string): boolean => UNLIKELY.test(name.replace(/_/g, ' '))
export const isNotCurrent = (name: string): boolean => NOT_CURRENT.test(name.replace(/_/g, ' '))

/** Whether a name says that a sheet is not a part of the schedule. */
export const isUnlikelyName = (name: string): boolean => isNamedUnlikely(name) || isNotCurrent(name)

/** Whether a name says that a sheet is the whole schedule, such as `2026 SOV`. */
export const isScheduleName = (name: string): boolean => LIKELY.test(name.replace(/_/g, ' ')) || sheetYear(name) !== undefined

/** Whether a name says so of the newest year among several sheets. */
export const isMainName = (name: string, names: readonly string[]): boolean =>
  isScheduleName(name) && !names.some((other) => (sheetYear(other) ?? 0) > (sheetYear(name) ?? Infinity))

export const isLikelyName = (name: string): boolean => LIKELY.test(name.replace(/_/g, ' '))
export const isDivestedName = (name: string): boolean => DIVESTED.test(name.replace(/_/g, ' '))
