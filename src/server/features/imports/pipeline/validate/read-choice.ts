import type { CodeList } from '#contract/code-lists.ts'
import { PROPERTY_FIELDS, propertyField, type PropertyFieldName } from '#contract/property-fields.ts'
import { FLOOD_ZONES } from '#contract/property-vocabularies.ts'
import { withoutDecimals } from '#server/features/imports/pipeline/read/cells.ts'
import { doubtIn, unclear } from './doubtful-words.ts'
import { NO_VALUE, isPlaceholder, tidy, warning, type CellResult, type FilledCell } from './results.ts'

/** The code of a word in the list of a field, as the product writes it. */
export function ownCode(cell: FilledCell, field: PropertyFieldName): string | undefined {
  const definition = propertyField(field)
  const text = tidy(cell)
  return definition.kind === 'choice' ? Object.keys(definition.choices).find((code) => definition.choices[code] === text) : undefined
}

/** Says only that there is one. */
const YES = /^(y|yes|t|true|1|x|✓|✔|☑|present|installed)$/

/** Patterns for each list, the most likely first; with OED numbers where OED has a list (docs/domain.md, "Code lists"). */
const PATTERNS: Partial<Record<PropertyFieldName, readonly (readonly [code: string, pattern: RegExp])[]>> = {
  interest: [
    ['leased', /^(l|leased?|lessee|(is ?)?tenant|rented|rents?|r)$|^leased(?! (out|to)\b| ?[/&]| and )/],
    ['owned', /^(o|f|own(ed|er)?|fee|owner occupied|lessor|landlord|title)$|^owned(?! ?[/&]| and )/],
    ['managed', /^(m|managed|management)$/],
    ['other', /^(other|mixed|both|(owned|leased) ?(\/|&|and) ?(owned|leased))$/],
  ],
  roof_cover: [
    ['asphalt_shingle', /^1$|asphalt|comp(osition)?\.? shingle|^shingles?$/],
    ['wood_shingle', /^2$|wood sh(ingle|ake)|shake/],
    ['tile', /^3$|(?<!ceiling |floor )\btiles?\b|\bclay\b/],
    ['standing_seam', /^8$|standing seam/],
    ['light_metal', /^4$|\bmetal\b|steel deck/],
    ['slate', /^5$|\bslate\b/],
    ['built_up', /^9$|(built.?up|bur).*(without|no|w\/o) gravel/],
    ['built_up_gravel', /^6$|built.?up|\bbur\b|\bgravel\b/],
    ['single_ply_ballasted', /^10$|ballast/],
    ['single_ply', /^7$|single.?ply|\b(tpo|epdm|pvc)\b|\bmembrane\b|\brubber\b|modified bitumen/],
    ['concrete', /^15$|\bconcrete\b/],
  ],
  roof_shape: [
    ['flat', /^1$|\bflat\b/],
    ['gable', /^2$|^gabled?( roof)?$/],
    ['hip', /^3$|^hip(ped)?( roof)?$/],
    ['complex', /^4$|\bcomplex\b|\bmulti/],
    ['stepped', /^5$|stepped/],
    ['shed', /^6$|\bshed\b|\bmono[- ]?(slope|pitch)/],
    ['mansard', /^7$|mansard/],
    ['gambrel', /^10$|gambrel/],
  ],
  opening_protection: [
    ['none', /^1$|^no(ne)?$|^n$|^unprotected|^(no|without|w\/o) ((opening|window|wind|storm) )?protection$/],
    [
      'engineered',
      /^3$|\bengineered\b|\bimpact\b|large missile|\bmiami[- ]dade\b|\bhurricane[- ](rated|resistant|proof|glass|windows?|shutters?|panels?|screens?)/,
    ],
    ['basic_shutters', /^2$|\bshutters?\b|\bplywood\b/],
  ],
  foundation: [
    ['slab', /^8$|\bslabs?\b/],
    ['basement', /^2$|\bbasements?\b/],
    ['crawl_space', /^5$|\bcrawl/],
    ['pile', /^9$|\bpil(es?|ings?)\b/],
    ['pier', /^6$|\b(piers?|posts?)\b(?! (office|tension))/],
  ],
  fire_alarm: [
    [
      'central_station',
      /\bcentral(?=\W*($|stations?|sta?\b|alarm|monitor|reporting|none|and))|(?<!\b(?:self|locally|site|owner)[- ])\bmonitored\b|\bcs\b|\bul /,
    ],
    ['proprietary', /\bproprietary\b/],
    ['local', /\blocal(ly)?\b/],
    ['none', /^no(ne)?$|^n$|^false$|^0$|^(no|without|w\/o) ((fire|burglar|intrusion|security) )?alarms?( systems?)?$/],
  ],
  valuation_basis: [
    ['frc', /functional|^frc$/],
    ['rcv', /^2$|^rcv?$|replacement|^rcn$/],
    ['acv', /^1$|^acv$|actual cash/],
    ['agreed', /\bagreed\b/],
    ['market', /\bmarket\b|\bfmv\b/],
  ],
}

/** Words that may mean a code, which is only offered. `yes` names none of several codes. */
const HINTS: typeof PATTERNS = {
  opening_protection: [['basic_shutters', YES]],
  fire_alarm: [['local', new RegExp(`${YES.source}|\\bsmoke\\b`)]],
  valuation_basis: [['agreed', /\bstated\b/]],
  interest: [['leased', YES]],
}

/** Terms with a word that otherwise denies what a text says. */
const TERMS: Partial<Record<PropertyFieldName, RegExp>> = { roof_cover: /\b(without|no|w\/o) gravel/ }

const patternsOf = (field: PropertyFieldName) => PATTERNS[field === 'burglar_alarm' ? 'fire_alarm' : field] ?? []
const hintIn = (field: PropertyFieldName, text: string) =>
  HINTS[field === 'burglar_alarm' ? 'fire_alarm' : field]?.find(([, pattern]) => pattern.test(text))?.[0]
const codeIn = (field: PropertyFieldName, text: string) => patternsOf(field).find(([, pattern]) => pattern.test(text))?.[0]

/** Of several alarms the best one counts. */
const ALARM_FIELDS: ReadonlySet<PropertyFieldName> = new Set(['fire_alarm', 'burglar_alarm'])

/** Whether a text lists several codes, as in `Slab / Basement`. */
const isSeveral = (field: PropertyFieldName, text: string) =>
  !ALARM_FIELDS.has(field) && new Set(text.split(/\s*(?:\/|;|&|\+|\band\b)\s*/).flatMap((part) => codeIn(field, part) ?? [])).size > 1

/**
 * A value of one of the short lists; text that does not match leaves the field empty, with a warning.
 * @param headerWords may say what `yes` means: `Central station` does, `Alarm` does not
 */
export function readChoice(cell: FilledCell, field: PropertyFieldName, headerWords = ''): CellResult {
  const text = tidy(cell)
  const lower = withoutDecimals(text.toLowerCase())
  // A single X is the most frequent flood zone, not a placeholder.
  if (field === 'flood_zone' && lower === 'x') return { value: 'X' }
  const hint = hintIn(field, lower)
  if ((isPlaceholder(text) && hint === undefined) || /^(-+|0(\.0+)?|unknown|not stated)$/.test(lower))
    return lower === '0' && ALARM_FIELDS.has(field) ? { value: 'none' } : NO_VALUE
  if (field === 'flood_zone') {
    const zone = floodZone(text)
    return zone === undefined ? notListed(text, 'FEMA flood zone') : { value: zone }
  }
  const definition = PROPERTY_FIELDS[field]
  if (definition.kind !== 'choice') return { value: text }
  const labels: CodeList = definition.choices
  const listed = Object.entries(labels).find(([code, label]) => code === lower || label.toLowerCase() === lower)
  if (listed) return { value: listed[0] }
  const visible = field === 'roof_cover' ? lower.replace(LOWER_LAYER, '') : lower
  const code = codeIn(field, visible)
  const named = hint === undefined && code !== 'none' ? undefined : codeIn(field, headerWords)
  if (named !== undefined && code === undefined && YES.test(lower)) return { value: named }
  if (named !== undefined && code === 'none' && /^(n|no|false|0)$/.test(lower)) return unclear(text, definition.label, null, 'None')
  if (code === undefined && hint !== undefined) return unclear(text, definition.label, null, labels[hint])
  if (code === undefined) return notListed(text, definition.label)
  // The patterns of `none` are denials themselves, and `other` may name several.
  const isCertain = code === 'none' || code === 'other' || (doubtIn(visible, TERMS[field]) === undefined && !isSeveral(field, visible))
  return isCertain ? { value: code } : unclear(text, definition.label)
}

/** `TPO over metal deck` is TPO. */
const LOWER_LAYER = /(?<=\w) (over|on) .*$/

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
