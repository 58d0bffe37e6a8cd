import { stateFromText } from '#contract/regions.ts'

const PREFIX = /^(?:state|province|prov)\s*(?:of\s|[:–—-])\s*/i
const COUNT = /\s*[([:,–—-]*\s*\d[\d,]*\s+(?:locations?|properties|property|buildings?|sites?|premises|risks?)\s*[)\]]?$/i
const ENDING = /\s+(?:locations|properties|premises)$|\s*\(cont(?:inued|'d|d)?\.?\)$|\s*:$/i
/** States with the names of cities or countries. */
const OTHER_PLACES = /^(?:washington|new york|georgia|quebec)$/i
const CODE_LETTERS = 2

/** Without a count of locations and other endings. */
export const headingName = (text: string): string => text.trim().replace(PREFIX, '').replace(COUNT, '').replace(ENDING, '').trim()

/** The state that a heading names: `TEXAS`, `State: FL`, `Florida (12 locations)`. */
export function headingState(text: string): { state: string; isClear: boolean } | undefined {
  const name = headingName(text)
  const state = /^[\p{L} .'-]+$/u.test(name) ? (stateFromText(name) ?? stateFromText(name, 'CA')) : undefined
  if (state === undefined) return undefined
  const isWhole = name.replace(/[^\p{L}]/gu, '').length > CODE_LETTERS && !OTHER_PLACES.test(name)
  return { state, isClear: isWhole || PREFIX.test(text.trim()) }
}
