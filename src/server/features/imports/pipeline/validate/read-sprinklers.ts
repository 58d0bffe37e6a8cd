import { parseNumber } from '#server/features/imports/pipeline/read/cells.ts'
import { doubtIn, unclear } from './doubtful-words.ts'
import { answerInEnglish } from './foreign-words.ts'
import { NO_VALUE, tidy, toConfirm, warning, type CellResult, type ColumnStyle, type FilledCell, type RowFields } from './results.ts'

const LABEL = 'Sprinkler protection'

const FULL = /^(y|yes|t|true|full|fully|fully sprinklered|sprinklered|x|✓|all|100%|nfpa ?13|ordinary hazard|light hazard|esfr)$/
const NONE =
  /^(n|no|ns|f|false|none|nil|-+|(not|non-?|un-?) ?sprinklere?d|(no|without|w\/o)( any)?( automatic)?( fire)? sprinklers?( systems?| protection)?)$/
/** `N - dry`, `None/wet`, `No wet system`: none, regardless of what follows. */
const NONE_FIRST =
  /^(n|no|none|(not|non-?|un-?) ?sprinklere?d)\s*[-–—/,;:(]|^no (automatic |fire )?(wet|dry|pre-?action|deluge)?( pipe)? ?(sprinklers?|systems?)( systems?)?($|[-,;(])/
const UNKNOWN = /^(\?+|unk\.?|unknown|n\/?a|tbd)$/
const PARTIAL = /^(p|mixed|varies|various)$|\bonly\b/
const SYSTEMS: readonly (readonly [RegExp, NonNullable<RowFields['sprinkler_system']>])[] = [
  [/13\s?r\b/, 'nfpa13r'],
  [/13\s?d\b/, 'nfpa13d'],
  [/pre-?action/, 'preaction'],
  [/deluge/, 'deluge'],
  [/\bdry\b/, 'dry'],
  [/\bwet\b/, 'wet'],
]
/**
 * All words that a system can be named with. A text with others may be about something else: a wet standpipe, wet chemical for a kitchen,
 * the dry part of a building.
 */
const SYSTEM_WORDS = new Set(
  (
    'y yes full fully all 100 100% throughout entire complete building bldg area areas automatic auto fire sprinkler sprinklers sprinklered ' +
    'system systems pipe pipes piping protection wet dry pre action preaction deluge nfpa 13 13r 13d r d esfr in rack quick response heads ' +
    'ordinary light extra hazard and with w combined combination type standard code monitored supervised central station'
  ).split(' '),
)

/** Sprinkler protection from a word, a share or the name of a system. Partial cover always needs to be confirmed. */
export function readSprinklered(cell: FilledCell, style: ColumnStyle): CellResult {
  if (typeof cell === 'boolean') return covered(cell ? 100 : 0)
  if (typeof cell === 'number') return fromNumber(cell, style, false)
  const written = tidy(cell)
  const text = answerInEnglish(written.toLowerCase())
  if (UNKNOWN.test(text)) return NO_VALUE
  if (FULL.test(text)) return covered(100)
  if (NONE.test(text)) return covered(0)
  const number = parseNumber(text.replace(/\s*(%|percent)$/, ''), style.european)
  if (number !== undefined) return fromNumber(number, style, /%|percent/.test(text))
  return fromWords(written, text)
}

function fromWords(written: string, text: string): CellResult {
  const doubt = doubtIn(text)
  const isLimited = PARTIAL.test(text) || doubt === 'limited'
  const shares = [...text.matchAll(/(\d+(?:\.\d+)?)\s*(?:%|percent|pct)/g)].map(([, share]) => Number(share))
  if (NONE_FIRST.test(text) && !/\b(yes|y)\b/.test(text) && shares.length === 0 && !isLimited)
    return {
      ...toConfirm(`“${written}” is read as none. Confirm it, or type Full or Partial.`, 'none'),
      derived: { percent_sprinklered: 0 },
    }
  if (doubt === 'denied' || doubt === 'guessed') return unclear(written, LABEL)
  const systems = SYSTEMS.flatMap(([pattern, system]) => (pattern.test(text) ? [system] : []))
  const [system] = systems[0] === 'dry' && systems.length > 1 ? [] : systems
  const derived = system === undefined ? {} : { derived: { sprinkler_system: system } }
  const [percent = 100, ...others] = shares
  if (others.length > 0 || percent === 0 || percent > 100) return unclear(written, LABEL)
  if (percent < 100) return { ...partial(written), derived: { ...derived.derived, percent_sprinklered: percent } }
  if (isLimited) return { ...partial(written), ...derived }
  if (systems.length > 0) return isSystem(text) ? { value: 'full', ...derived } : unclear(written, LABEL)
  return warning('unknown_code', `“${written}” is not a known sprinkler protection, so the field stays empty. Type Full, Partial or None.`)
}

const isSystem = (text: string) => text.split(/[^a-z0-9%]+/).every((word) => word === '' || SYSTEM_WORDS.has(word))

const partial = (written: string) =>
  toConfirm(`“${written}” is read as partial. Partial cover changes the rate: confirm it, or type the covered share.`, 'partial')

function fromNumber(number: number, style: ColumnStyle, isPercent: boolean): CellResult {
  if (number === 13 && !isPercent) return toConfirm('13 is read as a full system to NFPA 13. Type 13 % if it is the covered share.', 'full')
  const percent = style.share && !isPercent ? number * 100 : number
  if (percent < 0 || percent > 100) return warning('out_of_range', `${number} is not a share from 0 to 100 %. Type Full, Partial or None.`)
  return covered(Math.round(percent * 100) / 100)
}

function covered(percent: number): CellResult {
  const derived = { percent_sprinklered: percent }
  if (percent === 0 || percent === 100) return { value: percent === 0 ? 'none' : 'full', derived }
  const message = `${percent} % is read as partial. Partial cover changes the rate: please confirm it.`
  return { ...toConfirm(message, 'partial'), derived }
}
