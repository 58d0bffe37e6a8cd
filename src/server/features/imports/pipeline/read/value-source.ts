/** Who states the values of a column, if its header says so. */
export type ValueSource = 'client' | 'appraised' | 'recommended'

const START = '(?<![\\p{L}\\p{N}])'
const END = '(?![\\p{L}\\p{N}])'
const ADVISER = '(?:brokers?|agents?|underwriters?|uw|carriers?|insurers?|consultants?)(?: s)?'
const ADVISED = '(?:recommended|recommendation|suggested|suggestion|advised)'
/** "Insured value" is the name of a total, so that "insured" counts only in the possessive, after a preposition or at the end. */
const CLIENT =
  '(?:(?:per|by|from|as (?:reported|stated|submitted|provided) by) (?:the )?)?(?:clients?|customers?|owners?)(?: s)?(?: (?:reported|stated|submitted|provided))?|(?:per|by|from|as (?:reported|stated|submitted|provided) by) (?:the )?insured|insured s|as reported|reported|as submitted|submitted'
const SOURCES = (
  [
    ['recommended', `(?:(?:per|by) (?:the )?)?${ADVISER}(?: ${ADVISED})?|${ADVISED}(?: by (?:the )?${ADVISER})?`],
    ['client', `${CLIENT}|(?<=[-–—] )insured$`],
    [
      'appraised',
      '(?:per|by|from) (?:the )?(?:appraisal|appraiser)|appraiser(?: s)?|(?:per )?(?:marshall (?:& |and )?swift|msb|cost model|cost estimator)',
    ],
  ] as const
).map(([source, words]) => ({ source, pattern: new RegExp(`${START}(?:${words})${END}`, 'u') }))

const tidy = (text: string) => text.replace(/\s+/g, ' ').replace(/^[\s,/–—-]+|[\s,/–—-]+$/g, '')

/**
 * Removes who states the values, at the start or end of a header whose other words name a value: `Building Value - Broker Recommended`.
 * An appraised value is a name of its own, which remains.
 */
export function takeSource(text: string, isValue: (text: string) => boolean): { text: string; source: ValueSource | null } {
  for (const { source, pattern } of SOURCES) {
    const match = pattern.exec(text)
    if (!match || (match.index > 0 && match.index + match[0].length < text.length)) continue
    const rest = tidy(text.replace(pattern, ' '))
    if (rest === '' || !isValue(rest)) continue
    // Only the client states a total that is not said of what.
    return source !== 'client' && /^(total )?values?$/.test(rest) ? { text, source } : { text: rest, source }
  }
  return { text, source: /\b(appraised|appraisal)\b/.test(text) ? 'appraised' : null }
}

/**
 * The order in which the values of different sources are proposed: a schedule states what the client declares. An appraisal is evidence
 * to compare it with, and a recommendation applies only if the client agrees.
 */
const RANKS: Readonly<Record<ValueSource, number>> = { client: 2, appraised: 1, recommended: 0 }
export const sourceRank = (source: ValueSource | null): number => (source === null ? RANKS.client : RANKS[source])
