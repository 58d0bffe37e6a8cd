import { parseNumber } from './number-text.ts'
import { NOTHING, warning, type ColumnStyle, type Reading } from './reading.ts'

const FULL = /^(y|yes|t|true|full|fully|fully sprinklered|sprinklered|x|✓|all|100%|nfpa ?13|ordinary hazard|light hazard|esfr)$/
const NONE = /^(n|no|f|false|none|not sprinklered|unsprinklered|non-?sprinklered|nil|-+)$/
const UNKNOWN = /^(\?+|unk\.?|unknown|n\/?a|tbd)$/
const PARTIAL = /^(partial|partially|part|p|mixed|varies|various|some|.* only|partial.*)$/
const SYSTEMS: readonly [RegExp, 'wet' | 'dry' | 'preaction' | 'deluge' | 'nfpa13r' | 'nfpa13d'][] = [
  [/13\s?r\b/, 'nfpa13r'],
  [/13\s?d\b/, 'nfpa13d'],
  [/pre-?action/, 'preaction'],
  [/deluge/, 'deluge'],
  [/\bdry\b/, 'dry'],
  [/\bwet\b/, 'wet'],
]

/** Sprinkler protection from a word, a share or the name of a system; partial cover always asks a person. */
export function readSprinklered(cell: string | number | boolean, style: ColumnStyle): Reading {
  if (typeof cell === 'boolean') return covered(cell ? 100 : 0)
  if (typeof cell === 'number') return fromNumber(cell, style, false)
  const written = cell.replace(/\s+/g, ' ').trim()
  const text = written.toLowerCase()
  if (UNKNOWN.test(text)) return NOTHING
  if (FULL.test(text)) return covered(100)
  if (NONE.test(text)) return covered(0)
  const system = SYSTEMS.find(([pattern]) => pattern.test(text))?.[1]
  if (system) return { value: 'full', also: { sprinkler_system: system } }
  if (PARTIAL.test(text)) {
    return warning(
      'unknown_code',
      `“${written}” is read as partial. Partial cover changes the rate: confirm it, or type the covered share.`,
      'partial',
    )
  }
  const number = parseNumber(text.replace(/\s*(%|percent)$/, ''), style.european)
  if (number !== undefined) return fromNumber(number, style, /%|percent/.test(text))
  return warning('unknown_code', `“${written}” says nothing known about sprinklers, so the field stays empty. Type Full, Partial or None.`)
}

function fromNumber(number: number, style: ColumnStyle, isPercent: boolean): Reading {
  if (number === 13 && !isPercent) {
    return { ...warning('unknown_code', '13 is read as a full system to NFPA 13. Type 13 % if it is the covered share.', 'full') }
  }
  const percent = style.share && !isPercent ? number * 100 : number
  if (percent < 0 || percent > 100) return warning('out_of_range', `${number} is not a share from 0 to 100 %. Type Full, Partial or None.`)
  return covered(Math.round(percent * 100) / 100)
}

const covered = (percent: number): Reading => {
  const value = percent === 0 ? 'none' : percent === 100 ? 'full' : 'partial'
  const reading: Reading = { value, also: { percent_sprinklered: percent } }
  return value === 'partial'
    ? {
        ...reading,
        ...warning('unknown_code', `${percent} % is read as partial. Partial cover changes the rate: please confirm it.`, value),
      }
    : reading
}
