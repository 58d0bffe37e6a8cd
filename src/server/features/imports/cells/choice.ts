import { PROPERTY_FIELDS, type PropertyFieldName } from '#contract/property-fields.ts'
import { FLOOD_ZONES } from '#contract/property-vocabularies.ts'
import { isPlaceholder, NOTHING, warning, type Reading } from './reading.ts'

/** Words of each list, the likeliest pattern first; OED numbers where OED has a list (domain 3.5, 3.6). */
const WORDS: Partial<Record<PropertyFieldName, readonly (readonly [code: string, pattern: RegExp])[]>> = {
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

const wordsOf = (field: PropertyFieldName) => WORDS[field === 'burglar_alarm' ? 'fire_alarm' : field]

/** A value of one of the register's short lists; a word that is not understood stays with the person. */
export function readChoice(cell: string | number | boolean, field: PropertyFieldName): Reading {
  const text = String(cell).replace(/\s+/g, ' ').trim()
  const lower = text.toLowerCase()
  const says = field === 'fire_alarm' || field === 'burglar_alarm' || field === 'opening_protection'
  if (isPlaceholder(text) || /^(-+|0(\.0+)?|unknown|not stated)$/.test(lower))
    return lower === '0' && says && field !== 'opening_protection' ? { value: 'none' } : NOTHING
  if (field === 'flood_zone') return readFloodZone(text)
  const definition = PROPERTY_FIELDS[field]
  if (definition.kind !== 'choice') return { value: text }
  const listed = Object.entries(definition.choices).find(([code, label]) => code === lower || label.toLowerCase() === lower)
  const code = listed?.[0] ?? wordsOf(field)?.find(([, pattern]) => pattern.test(lower.replace(/^(\d+)\.0+$/, '$1')))?.[0]
  if (code === 'unknown') return NOTHING
  return code === undefined ? notListed(text, definition.label) : { value: code }
}

function readFloodZone(text: string): Reading {
  const zone = text
    .toUpperCase()
    .replace(/^(FEMA )?(FLOOD )?ZONE /, '')
    .replace(/\s*\(?(SHADED|UNSHADED)\)?\s*/, '')
    .replace(/\s/g, '')
  if (FLOOD_ZONES.includes(zone)) return { value: zone }
  if (/^X\(?500\)?$|^0\.2PCT/.test(zone)) return { value: 'X500' }
  return notListed(text, 'FEMA flood zone')
}

const notListed = (text: string, label: string): Reading =>
  warning('unknown_code', `“${text}” is not in the list of ${label}, so the field stays empty. Choose one from the list.`)
