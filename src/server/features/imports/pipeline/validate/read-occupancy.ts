import { LRUCache } from 'lru-cache'
import { withoutDecimals } from '#server/features/imports/pipeline/read/cells.ts'
import { wordTable } from '#server/features/imports/pipeline/read/word-table.ts'
import { doubtIn, unclear } from './doubtful-words.ts'
import { occupancyInEnglish } from './foreign-words.ts'
import { tidy, toConfirm, warning, type CellResult, type FilledCell, type OccupancyScheme } from './results.ts'

/** The published crosswalk (docs/domain.md, "Code lists"). A general code (1000, 1050 …) means its group only. */
const OED = wordTable(
  'residential:1050,1051; multifamily:1052,1055,1056; hospitality:1053,1115,1116; senior_living:1054,1107; other:1100,1103,1123; retail:1101; warehouse:1102,1122; ' +
    'office:1104,1125; healthcare:1105,1106; recreation:1108,1114,1117,1211; parking:1113; restaurant:1119; retail:1120,1121; ' +
    'industrial:1150,1151,1152,1153,1154,1155,1157,1158,1159; tech:1156; religious:1200,1201; government:1210,1214,1215,1220; education:1230,1231; ' +
    'utility:1250,1251,1252,1253,1254,1255,1256,1300,1301,1302,1303,1304,1305; agriculture:1351',
)
const AIR = wordTable(
  'residential:301,302; multifamily:303,306; hospitality:304; senior_living:305; other:311,314,371; retail:312,335,336; warehouse:313,366; office:315; healthcare:316; ' +
    'recreation:317,319; parking:318; restaurant:331; industrial:321,322,323,324,325,326,328,329,330; tech:327; religious:341,342; government:343,344; education:345,346; ' +
    'utility:361,362,363,364,365; agriculture:373',
)
const ATC = wordTable(
  'residential:1; multifamily:2; hospitality:3; senior_living:4; retail:5; warehouse:6; other:7; office:8; healthcare:9; recreation:10; parking:11; ' +
    'industrial:12,13,14,15,16,18,19,21; tech:17; agriculture:20; religious:22; government:23,24; education:25',
)
const HAZUS = wordTable(
  'residential:RES1,RES2; multifamily:RES3,RES3A,RES3B,RES3C,RES3D,RES3E,RES3F; hospitality:RES4; education:RES5,EDU1,EDU2; senior_living:RES6; retail:COM1; warehouse:COM2; ' +
    'other:COM3; office:COM4,COM5; healthcare:COM6,COM7; restaurant:COM8; recreation:COM9; parking:COM10; industrial:IND1,IND2,IND3,IND4,IND6; tech:IND5; agriculture:AGR1; ' +
    'religious:REL1; government:GOV1,GOV2',
)
const UNKNOWN_CODES = new Set(['0', '300', '1000'])
const SCHEMES = { oed: OED, air: AIR, atc: ATC, hazus: HAZUS } as const

export const isOccupancyCode = (code: string, scheme: Exclude<OccupancyScheme, 'words'>): boolean => SCHEMES[scheme].has(code.toUpperCase())

/** The property type of an occupancy text or code. */
export function readOccupancy(cell: FilledCell, scheme: OccupancyScheme): CellResult {
  const text = tidy(cell)
  const code = withoutDecimals(text).toUpperCase()
  if (scheme !== 'words' && /^[A-Z]{0,3}\d+[A-Z]?$/.test(code)) {
    if (UNKNOWN_CODES.has(code)) return { value: null }
    const type = SCHEMES[scheme].get(code)
    return type === undefined ? unknownOccupancy(text) : { value: type }
  }
  if (/^(unk\w*|n\/?a|tbd|\?+|-+|none|not stated)$/i.test(text)) return { value: null }
  const { type, alternatives, doubt } = occupancyCache.memo(text.toLowerCase())
  if (type === undefined) return unknownOccupancy(text)
  if (doubt === 'unspecific' || doubt === 'denied') return unclear(text, 'Property type', 'other')
  if (doubt !== undefined) return unclear(text, 'Property type', type)
  return alternatives.length === 0
    ? { value: type }
    : toConfirm(`“${text}” contains more than one use and is read as ${type}. Confirm the property type.`, type)
}

function unknownOccupancy(text: string): CellResult {
  const choose = 'The text is imported as given with the type Other; choose a type from the list.'
  return warning('unknown_code', `“${text}” is not a known occupancy. ${choose}`, 'other')
}

/** Phrases for each property type (docs/domain.md, "Code lists"). */
const PHRASES: Readonly<Record<string, string>> = {
  office:
    'office|offices|professional|headquarters|hq|bank|corporate|medical billing|call center|administration|administrative|business park',
  retail:
    'retail|store|shop|shopping center|shopping mall|strip mall|mall|supermarket|grocery|dealership|showroom|gas station|convenience store|salon|pharmacy|auto repair',
  multifamily:
    'apartment|apartments|apts|condo|condos|condominium|condominiums|multi-family|multifamily|multi family|hoa|student housing|townhome|townhomes|townhouse|garden style',
  residential: 'dwelling|single family|single-family|duplex|residence|residential|house|home|mobile home|sfr|fourplex|triplex',
  industrial:
    'manufacturing|light manufacturing|heavy manufacturing|plant|factory|fabrication|processing|mill|assembly|industrial|machine shop|production',
  warehouse:
    'warehouse|whse|warehousing|distribution|distribution center|storage|dc|cold storage|logistics|self-storage|self storage|mini storage|fulfillment|wholesale',
  hospitality: 'hotel|motel|resort|inn|lodging|timeshare|hospitality|extended stay',
  healthcare:
    'hospital|clinic|medical office|medical office building|medical|mob|surgery center|medical laboratory|laboratory (medical)|dental|health care|healthcare|urgent care',
  senior_living: 'assisted living|nursing home|skilled nursing|memory care|ccrc|senior living|independent living|senior housing|retirement',
  education: 'school|university|college|classroom|dormitory|daycare|day care|education|educational|academy|preschool',
  government:
    'city hall|town hall|courthouse|library|police|police station|fire station|community center|jail|prison|government|municipal|public works|post office|armory',
  religious: 'church|temple|mosque|synagogue|worship|nonprofit|non-profit|religious|parish|chapel|ministry',
  restaurant: 'restaurant|cafe|bar|brewery|quick service|food service|fast food|tavern|qsr|brewpub',
  recreation:
    'theater|theatre|stadium|gym|gymnasium|fitness|fitness center|golf|casino|park|pool|museum|recreation|recreation / fitness|entertainment|arena|clubhouse|country club|marina|cinema',
  parking: 'garage|parking|parking structure|parking garage|parking lot|carport',
  tech: 'data center|data centre|datacenter|semiconductor|clean room|cleanroom|r&d|research|laboratory|lab|high tech|research and development|biotech|life science',
  utility:
    'pump station|water treatment|wastewater|substation|lift station|tower|pipeline|utility|power plant|water tank|well house|booster station',
  agriculture: 'barn|farm|greenhouse|winery|grain|agriculture|agricultural|silo|ranch|orchard|stable',
  mixed_use: 'mixed use|mixed-use|retail with apartments above|multi-use|retail with apartments',
  vacant: 'vacant|land|vacant land|unoccupied|builders risk|under construction|course of construction|coc|raw land',
}

/**
 * Phrases whose type depends on the words around them, with a test for words that agree with it: a hay barn is agriculture, a bus barn
 * is not. Next to a phrase of another type they say nothing: an office park is offices.
 */
const GENERIC: Readonly<Record<string, RegExp>> = {
  barn: only('hay horse dairy cattle cow calf livestock hog pig goat sheep milking milk poultry tobacco feed pole machinery'),
  house: only('family rental guest detached manor row attached owner owners s occupied rented'),
  home: only('family modular manufactured model rental vacation detached custom s owner owners occupied'),
  shop: only('gift barber beauty pet auto repair tire flower antique thrift book bike candy clothing liquor hair nail craft pawn'),
  tower: only('water cell radio communication communications transmission antenna telecom'),
  land: only('raw undeveloped unimproved excess lot lots parcel acreage acres acre'),
  farm: except('tank wind solar server data link'),
  ranch: except('style house home'),
  plant: except(
    'treatment water sewer sewage waste heating cooling chiller central boiler physical energy steam recycling filtration solar nursery',
  ),
  mill: except('wind'),
  assembly: except('hall room church general god place public space rights'),
  park: except('trailer rv car truck bus solar wind science technology tech commerce memorial'),
  pool: except('motor car van tire'),
  bank: except('food blood seed river battery plasma milk tissue'),
  bar: except('wash steel salad crow'),
}
/** Words that say nothing about the use of a building. */
const NEUTRAL = only(
  'the a an main old new north south east west upper lower small large big single two three story storey level wood frame metal steel brick stone ' +
    'masonry block concrete building buildings bldg facility property site location unit no number phase type general private commercial first second . [\\d,.]+\\w*',
)

function only(words: string): RegExp {
  return new RegExp(`^(?:${words.replace(/ /g, '|')})$`)
}
function except(words: string): RegExp {
  return new RegExp(`^(?!(?:${words.replace(/ /g, '|')})$)`)
}

/** The longest first. */
const PHRASE_PATTERNS = Object.entries(PHRASES)
  .flatMap(([type, phrases]) => phrases.split('|').map((phrase) => ({ type, phrase })))
  .sort((a, b) => b.phrase.length - a.phrase.length)
  .map(({ type, phrase }) => ({
    type,
    phrase,
    pattern: new RegExp(`(?<![a-z])${phrase.replace(/[/&()-]/g, '\\$&')}(?![a-z])`),
  }))

const OCCUPANCY_TERMS = /\bnon[- ]?profit|\bnot[- ]for[- ]profit/g
/** What the building was used for says little about it now. */
const VACANCY = /\b(vacant|vacated|unoccupied|abandoned|empty|closed|shuttered|idle)\b/

interface Occupancies {
  type: string | undefined
  doubt?: 'vacant' | 'unspecific' | ReturnType<typeof doubtIn>
  /** Further types in the text, as in `Office / Warehouse`. */
  alternatives: string[]
}

/** Many rows, few distinct texts. A module constant because the result depends on the text alone. */
const occupancyCache = new LRUCache<string, Occupancies>({ max: 5_000, memoMethod: (text) => findOccupancies(occupancyInEnglish(text)) })

/** The phrases in a text, the longest first, and its other words. */
function findPhrases(text: string) {
  let rest = ` ${text.replace(/[.,;:_()]/g, ' ').replace(/\s+/g, ' ')} `
  const all: { at: number; type: string; phrase: string }[] = []
  for (const { type, phrase, pattern } of PHRASE_PATTERNS) {
    const at = pattern.exec(rest)?.index
    if (at === undefined) continue
    all.push({ at, type, phrase })
    rest = rest.slice(0, at) + ' '.repeat(phrase.length) + rest.slice(at + phrase.length)
  }
  const specific = all.filter(({ phrase }) => GENERIC[phrase] === undefined)
  return { found: specific.length > 0 ? specific : all, isGeneric: specific.length === 0, others: rest.split(/[^a-z0-9]+/).filter(Boolean) }
}

/** The property type of the longest phrase in a text, or of the first one where the text lists several. */
function findOccupancies(text: string): Occupancies {
  const { found, isGeneric, others } = findPhrases(text)
  const isList = /[/;,&+]| (and|over|above|with) /.test(text)
  const [longest] = found
  const head = headOf(text, found)
  if (isList) found.sort((a, b) => a.at - b.at)
  else if (head !== longest?.type) found.sort((a, b) => Number(b.type === head) - Number(a.type === head))
  const [type, ...alternatives] = new Set(found.map((phrase) => phrase.type))
  const doubt = doubtIn(text, OCCUPANCY_TERMS)
  if (doubt === undefined && VACANCY.test(text) && [type, ...alternatives].some((other) => other !== 'vacant'))
    return { type: 'vacant', alternatives: [], doubt: 'vacant' }
  const isKnown = (word: string) => NEUTRAL.test(word) || found.some(({ phrase }) => GENERIC[phrase]?.test(word))
  if (doubt === undefined && isGeneric && !(isList ? alternatives.length > 0 : alternatives.length === 0 && others.every(isKnown)))
    return { type, alternatives: [], doubt: 'unspecific' }
  return { type, alternatives: isList || head !== longest?.type ? alternatives : [], doubt }
}

/** The type of the last phrase, which the words before it describe: a school garage is a garage. What follows `of` or `for` describes it, too. */
function headOf(text: string, found: readonly { at: number; type: Occupancies['type'] }[]) {
  const end = / (of|for|in|at|near|by|on|from|to) /.exec(text)?.index ?? Infinity
  const before = found.filter(({ at }) => at <= end)
  return (before.length > 0 ? before : found).toSorted((a, b) => b.at - a.at)[0]?.type
}
