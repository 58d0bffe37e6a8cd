import { PROPERTY_FIELDS, type PropertyFieldName } from '#contract/property-fields.ts'
import { FLOOD_ZONES } from '#contract/property-vocabularies.ts'
import { parseNumber, withoutDecimals } from '#server/features/imports/pipeline/read/cells.ts'
import { NO_VALUE, isPlaceholder, tidy, warning, type CellResult, type ColumnStyle, type FilledCell } from './results.ts'

/** Patterns for each list, the most likely first; with OED numbers where OED has a list (docs/domain.md, "Code lists"). */
const PATTERNS: Partial<Record<PropertyFieldName, readonly (readonly [code: string, pattern: RegExp])[]>> = {
  interest: [
    ['leased', /^(l|leased?|lessee|tenant|rented|rents?|r|1|yes|true)$|^leased/],
    ['owned', /^(o|f|own(ed|er)?|fee|owner occupied|lessor|landlord|title)$|^owned/],
    ['managed', /^(m|managed|management)$/],
    ['other', /^(other|mixed|both|owned\/leased)$/],
  ],
  roof_cover: [
    ['asphalt_shingle', /^1$|asphalt|comp(osition)?\.? shingle|^shingles?$/],
    ['wood_shingle', /^2$|wood sh(ingle|ake)|shake/],
    ['tile', /^3$|tile|clay/],
    ['standing_seam', /^8$|standing seam/],
    ['light_metal', /^4$|metal|steel deck/],
    ['slate', /^5$|slate/],
    ['built_up', /^9$|(built.?up|bur).*(without|no|w\/o) gravel/],
    ['built_up_gravel', /^6$|built.?up|\bbur\b|tar (and|&) gravel|gravel/],
    ['single_ply_ballasted', /^10$|ballast/],
    ['single_ply', /^7$|single.?ply|tpo|epdm|pvc|membrane|rubber|modified bitumen/],
    ['concrete', /^15$|concrete/],
  ],
  roof_shape: [
    ['flat', /^1$|flat/],
    ['gable', /^2$|^gabled?( roof)?$/],
    ['hip', /^3$|^hip(ped)?( roof)?$/],
    ['complex', /^4$|complex|multi/],
    ['stepped', /^5$|stepped/],
    ['shed', /^6$|shed|mono/],
    ['mansard', /^7$|mansard/],
    ['gambrel', /^10$|gambrel/],
  ],
  opening_protection: [
    ['none', /^1$|^no(ne)?$|^n$|unprotected/],
    ['engineered', /^3$|engineered|impact|hurricane|large missile|miami/],
    ['basic_shutters', /^2$|shutter|plywood|^y(es)?$/],
  ],
  foundation: [
    ['slab', /^8$|slab/],
    ['basement', /^2$|basement/],
    ['crawl_space', /^5$|crawl/],
    ['pile', /^9$|pile/],
    ['pier', /^6$|pier|post/],
  ],
  fire_alarm: [
    ['central_station', /central|monitored|\bcs\b|ul /],
    ['proprietary', /proprietary/],
    ['local', /local|smoke|^y(es)?$|^true$|^1$/],
    ['none', /^no(ne)?$|^n$|^false$|^0$/],
  ],
  valuation_basis: [
    ['frc', /functional|^frc$/],
    ['rcv', /^2$|^rcv?$|replacement|^rcn$/],
    ['acv', /^1$|^acv$|actual cash/],
    ['agreed', /agreed|stated/],
    ['market', /market|fmv/],
  ],
}

const patternsOf = (field: PropertyFieldName) => PATTERNS[field === 'burglar_alarm' ? 'fire_alarm' : field]

/** A value of one of the short lists; text that does not match leaves the field empty, with a warning. */
export function readChoice(cell: FilledCell, field: PropertyFieldName): CellResult {
  const text = tidy(cell)
  const lower = withoutDecimals(text.toLowerCase())
  const zone = field === 'flood_zone' ? floodZone(text) : undefined
  // X is a placeholder in other fields.
  if ((isPlaceholder(text) && zone !== 'X') || /^(-+|0(\.0+)?|unknown|not stated)$/.test(lower))
    return lower === '0' && (field === 'fire_alarm' || field === 'burglar_alarm') ? { value: 'none' } : NO_VALUE
  if (field === 'flood_zone') return zone === undefined ? notListed(text, 'FEMA flood zone') : { value: zone }
  const definition = PROPERTY_FIELDS[field]
  if (definition.kind !== 'choice') return { value: text }
  const listed = Object.entries(definition.choices).find(([code, label]) => code === lower || label.toLowerCase() === lower)
  const code = listed?.[0] ?? patternsOf(field)?.find(([, pattern]) => pattern.test(lower))?.[0]
  return code === undefined ? notListed(text, definition.label) : { value: code }
}

function floodZone(text: string): string | undefined {
  const zone = text
    .toUpperCase()
    .replace(/^(FEMA )?(FLOOD )?ZONE /, '')
    .replace(/\s*\(?(SHADED|UNSHADED)\)?\s*/, '')
    .replace(/\s/g, '')
  if (FLOOD_ZONES.includes(zone)) return zone
  return /^X\(?500\)?$|^0\.2PCT/.test(zone) ? 'X500' : undefined
}

const notListed = (text: string, label: string): CellResult =>
  warning('unknown_code', `“${text}” is not in the list of ${label}, so the field stays empty. Choose one from the list.`)

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

/** Sprinkler protection from a word, a share or the name of a system. Partial cover always needs to be confirmed. */
export function readSprinklered(cell: FilledCell, style: ColumnStyle): CellResult {
  if (typeof cell === 'boolean') return covered(cell ? 100 : 0)
  if (typeof cell === 'number') return fromNumber(cell, style, false)
  const written = tidy(cell)
  const text = written.toLowerCase()
  if (UNKNOWN.test(text)) return NO_VALUE
  if (FULL.test(text)) return covered(100)
  if (NONE.test(text)) return covered(0)
  const system = SYSTEMS.find(([pattern]) => pattern.test(text))?.[1]
  if (system) return { value: 'full', derived: { sprinkler_system: system } }
  if (PARTIAL.test(text)) {
    const message = `“${written}” is read as partial. Partial cover changes the rate: confirm it, or type the covered share.`
    return warning('unknown_code', message, 'partial')
  }
  const number = parseNumber(text.replace(/\s*(%|percent)$/, ''), style.european)
  if (number !== undefined) return fromNumber(number, style, /%|percent/.test(text))
  return warning('unknown_code', `“${written}” is not a known sprinkler protection, so the field stays empty. Type Full, Partial or None.`)
}

function fromNumber(number: number, style: ColumnStyle, isPercent: boolean): CellResult {
  if (number === 13 && !isPercent)
    return warning('unknown_code', '13 is read as a full system to NFPA 13. Type 13 % if it is the covered share.', 'full')
  const percent = style.share && !isPercent ? number * 100 : number
  if (percent < 0 || percent > 100) return warning('out_of_range', `${number} is not a share from 0 to 100 %. Type Full, Partial or None.`)
  return covered(Math.round(percent * 100) / 100)
}

function covered(percent: number): CellResult {
  const derived = { percent_sprinklered: percent }
  if (percent === 0 || percent === 100) return { value: percent === 0 ? 'none' : 'full', derived }
  const message = `${percent} % is read as partial. Partial cover changes the rate: please confirm it.`
  return { ...warning('unknown_code', message, 'partial'), derived }
}
