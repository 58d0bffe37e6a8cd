import type { CellResult } from './results.ts'

/** With one of these words, a text does not say that the building now is or has what the other words name. */
const DENIALS = new RegExp(
  [
    String.raw`\b(?:no|not|none|nope|never|non|non-?[a-z]\w*|neither|nor|without|sans|sin|ohne|nicht|kein\w*|lacks?|lacking|missing|absent|instead|less|minus)\b`,
    String.raw`\bw\/o\b|n['’]t\b|^n\s*[-–—/,;:(]|[-–—/,;:(]\s*n\)?$`,
    String.raw`\bun-?(?:monitored|supervised|protected|sprinklered|attached|equipped|verified|confirmed|known|clear|sure)\b`,
    String.raw`\b(?:plan(?:s|ned|ning)?|proposed|future|pending|scheduled|budgeted|upcoming|to be|will be|tbd|tba)\b`,
    String.raw`\b(?:remov(?:e|ed|al|ing)|cancel\w*|disconnect\w*|disabled|deactivated|inactive|inoperable|inoperative|decommissioned)\b`,
    String.raw`\b(?:discontinued|demolished|impaired|expired|lapsed|terminated|suspended|broken|failed|offline|out of (?:service|order))\b`,
    String.raw`\b(?:former|formerly|ex|previous|previously|was|were|used to|converted|conversion)\b`,
  ].join('|'),
)
/** With one of these, it says so only for a part of the building, or not for certain. `100%` limits nothing. */
const LIMITS =
  /(?<!\b100\s?)%|\bpercent\b|\bpart(?:s|ial|ially|ly)?\b|\bsome\b|\bhalf\b|\bmost(?:ly)?\b|\bexcept\w*|\bexcl(?:uding|\.)?\b|\bbut\b/
const GUESSES = /\?|\bor\b|\bmaybe\b|\bpossibl[ey]\b|\bprobabl[ey]\b|\bassum(?:e|ed|ing)\b|\bunknown\b|\bunverified\b/

type Doubt = 'denied' | 'limited' | 'guessed'

/**
 * Why a text in lower case cannot be read by the words that it contains.
 * @param known phrases that contain such a word and are terms themselves, as `non-combustible`
 */
export function doubtIn(lower: string, known?: RegExp): Doubt | undefined {
  const text = known ? lower.replace(known, ' ') : lower
  if (DENIALS.test(text)) return 'denied'
  return GUESSES.test(text) ? 'guessed' : LIMITS.test(text) ? 'limited' : undefined
}

/**
 * The user chooses for a text whose words are known, but which may mean the opposite, a part, or several of them.
 * @param suggestion the label of a code that is only offered, not imported
 */
export function unclear(text: string, label: string, value: CellResult['value'] = null, suggestion?: string): CellResult {
  const effect = value === null ? ', so the field stays empty' : ''
  const message = `“${text}” does not say for certain what to import as ${label}${effect}. Choose one from the list.`
  const code = value === null || value === 'other' ? 'unknown_code' : 'word_to_confirm'
  const problem = { code, severity: 'warning', message, ...(suggestion === undefined ? {} : { suggestion }) } as const
  return { value, problem, isUnclear: true }
}
