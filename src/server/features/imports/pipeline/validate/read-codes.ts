import { LRUCache } from 'lru-cache'
import { withoutDecimals } from '#server/features/imports/pipeline/read/cells.ts'
import { wordTable } from '#server/features/imports/pipeline/read/word-table.ts'
import { doubtIn, unclear } from './doubtful-words.ts'
import { tidy, warning, type CellResult, type ConstructionScheme, type FilledCell, type OccupancyScheme } from './results.ts'

/** The published crosswalk to ISO classes (docs/domain.md, "Code lists"). */
const CONSTRUCTION = {
  oed: wordTable('1:5050; 2:5108; 3:5201; 4:5100; 5:5200; 6:5150'),
  air: wordTable('1:101; 2:119; 3:152; 4:111; 5:151; 6:131'),
  rms: wordTable('1:1; 2:2; 5:4; 6:3'),
} as const
/** Other codes of a scheme take the usual class of their material. */
const CONSTRUCTION_RANGES = {
  oed: wordTable('1:5050-5099; 2:5101-5104; 4:5105-5149; 5:5202-5249; 6:5150-5199'),
  air: wordTable('1:101-110; 2:112-115; 4:116-130; 5:153-160; 6:131-150'),
} as const
const CONSTRUCTION_WORDS = wordTable('1:f,wf; 2:jm,ord; 3:nc,non comb; 4:mnc,masonry nc; 5:mfr,semi fr; 6:fr,rc')

const CONSTRUCTION_TERMS = /\bnon[- ]?comb\w*|\bnon[- ]?rated\b|\bun-?(protected|reinforced|insulated)\b/g

/** Tested in this order: texts that contain `frame` but mean another class come first. */
const PATTERNS: readonly (readonly [RegExp, iso: string, 'sure' | 'ambiguous'])[] = [
  [/modified fire|semi.?fire|protected steel(?<!unprotected steel)|\bmfr\b/, '5', 'sure'],
  [/\b(wood|timber)\b.*(\bfr\b|fire.?resist)|(\bfr\b|fire.?resist).*\b(wood|timber)\b/, '1', 'ambiguous'],
  [/fire.?resist|(?<!un-?)reinforced conc|poured conc|cast.in.place|\bfire proof|\bfr\b|\brc\b/, '6', 'sure'],
  [
    /masonry,? ?(non.?comb|nc\b|n\.c)|non.?comb\w* masonry|tilt.?up|block.*steel (deck|roof)|masonry.*(metal|steel|non.?comb\w*) (deck|roof)|\bmnc\b/,
    '4',
    'sure',
  ],
  [
    /non.?comb(?!\w* (roof|deck))|pre.?eng|light (gauge )?(steel|metal)|metal (building|bldg|clad)|all (steel|metal)|unprotected steel|\bnc\b/,
    '3',
    'sure',
  ],
  [/steel frame|metal frame|structural steel/, '3', 'ambiguous'],
  [/concrete frame/, '6', 'ambiguous'],
  [/joisted|ordinary|wood roof|wood joist|\bjm\b/, '2', 'sure'],
  [/brick veneer|stucco|wood|timber|\bframe\b|\bwf\b|\blog\b|(?<!non.?)combustible/, '1', 'sure'],
  [/masonry|brick|\bcmu\b|block|stone|adobe/, '2', 'ambiguous'],
  [/steel|metal|alumin/, '3', 'ambiguous'],
  [/concrete|precast/, '6', 'ambiguous'],
]

/** The ISO class 1 to 6 of a construction text or code. */
export function readConstruction(cell: FilledCell, scheme: ConstructionScheme): CellResult {
  const text = tidy(cell)
  const code = withoutDecimals(text)
  if (/^\d+[a-z]?$/i.test(code)) return fromCode(code, scheme)
  if (/^(unk\w*|n\/?a|tbd|\?+|-+|other|none)$/i.test(text)) return { value: null }
  if (doubtIn(text.toLowerCase(), CONSTRUCTION_TERMS) === 'denied') return unclear(text, 'Construction')
  const iso = ISO_FIRST.exec(text)?.[1]
  if (iso !== undefined) return fromIso(iso, text)
  return fromWords(text)
}

/** `ISO 4`, `6 - Fire Resistive`; not `3 story frame` or `1-hr rated`. */
const ISO_FIRST =
  /^(?:iso|class|iso class|iso const\w*|type)?[ #-]*([1-6])(?![ -]?(?:hr|hour|stor|floor|level|building|bldg|unit))(?:[ .:)-].*)?$/i

function fromIso(iso: string, text: string): CellResult {
  const words = classOf(text.toLowerCase())
  if (words?.sure !== 'sure' || words.iso === iso) return { value: iso }
  return warning(
    'unknown_code',
    `“${text}” contains a number and the words of another class, and is read as ISO ${iso}. Confirm the class.`,
    iso,
  )
}

function fromCode(code: string, scheme: ConstructionScheme): CellResult {
  if (scheme === 'words' || scheme === 'iso') {
    if (code === '0') return { value: null }
    return /^[1-6]$/.test(code) ? { value: code } : notUnderstood(code)
  }
  const sure = CONSTRUCTION[scheme].get(code)
  if (sure !== undefined) return { value: sure }
  const ranges = scheme === 'rms' ? [] : [...CONSTRUCTION_RANGES[scheme]]
  const near = ranges.find(([range]) => {
    const [from = 0, to = 0] = range.split('-').map(Number)
    return Number(code) >= from && Number(code) <= to
  })?.[1]
  if (near === undefined) return notUnderstood(code)
  const message = `Code ${code} (${scheme.toUpperCase()}) is read as ISO ${near}, the usual class of its material. Confirm the class.`
  return warning('unknown_code', message, near)
}

function fromWords(text: string): CellResult {
  const lower = text
    .toLowerCase()
    .replace(/[.]/g, '')
    .replace(/\bw\/(?!o\b) ?/g, 'with ')
    .replace(/\s+/g, ' ')
  const exact = CONSTRUCTION_WORDS.get(lower.replace(/[^a-z ]/g, ' ').trim())
  const isDoubtful = doubtIn(lower, CONSTRUCTION_TERMS) !== undefined
  if (exact && !isDoubtful) return { value: exact }
  const parts = lower.split(/\s*(?:\/|;|,| and | or | & |\+| with (?!.*\b(?:roof|deck)))\s*/).filter((part) => part !== '')
  const whole = classOf(lower)
  const isSure = whole?.sure === 'sure'
  const classes = [...new Set(parts.flatMap((part) => classOf(part)?.iso ?? CONSTRUCTION_WORDS.get(part) ?? []))].sort()
  const isMixed = /mixed|various|varies/.test(lower) || (classes.length > 1 && !isSure)
  const iso = isMixed || classes.length > 1 ? (classes[0] ?? whole?.iso) : (whole?.iso ?? exact)
  if (iso === undefined) return notUnderstood(text)
  if (!isMixed && isSure && !isDoubtful && classes.length <= 1) return { value: iso }
  const reason = isMixed
    ? `contains several kinds of construction and is read as ISO ${iso}, the lowest`
    : `can mean several classes and is read as ISO ${iso}`
  return warning('unknown_code', `“${text}” ${reason}. Confirm the class.`, iso)
}

function classOf(text: string) {
  const found = PATTERNS.find(([pattern]) => pattern.test(text))
  return found && { iso: found[1], sure: found[2] }
}

function notUnderstood(text: string): CellResult {
  const choose = 'The text is imported as given; choose a class from 1 Frame to 6 Fire resistive.'
  return warning('unknown_code', `“${text}” is not a known construction class. ${choose}`)
}

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
  if (doubt === 'denied') return unclear(text, 'Property type', 'other')
  if (doubt !== undefined) return unclear(text, 'Property type', type)
  return alternatives.length === 0
    ? { value: type }
    : warning('unknown_code', `“${text}” contains more than one use and is read as ${type}. Confirm the property type.`, type)
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

/** The longest first. */
const PHRASE_PATTERNS = Object.entries(PHRASES)
  .flatMap(([type, phrases]) => phrases.split('|').map((phrase) => ({ type, phrase })))
  .sort((a, b) => b.phrase.length - a.phrase.length)
  .map(({ type, phrase }) => ({
    type,
    length: phrase.length,
    pattern: new RegExp(`(?<![a-z])${phrase.replace(/[/&()-]/g, '\\$&')}(?![a-z])`),
  }))

const OCCUPANCY_TERMS = /\bnon[- ]?profit|\bnot[- ]for[- ]profit/g
/** What the building was used for says little about it now. */
const VACANCY = /\b(vacant|vacated|unoccupied|abandoned|empty|closed|shuttered|idle)\b/

interface Occupancies {
  type: string | undefined
  doubt?: 'vacant' | ReturnType<typeof doubtIn>
  /** Further types in the text, as in `Office / Warehouse`. */
  alternatives: string[]
}

/** Many rows, few distinct texts. A module constant because the result depends on the text alone. */
const occupancyCache = new LRUCache<string, Occupancies>({ max: 5_000, memoMethod: (text) => findOccupancies(text) })

/** The property type of the longest phrase in a text, or of the first one where the text lists several. */
function findOccupancies(text: string): Occupancies {
  let rest = ` ${text.replace(/[.,;:_()]/g, ' ').replace(/\s+/g, ' ')} `
  const found: { at: number; type: string }[] = []
  for (const { type, length, pattern } of PHRASE_PATTERNS) {
    const at = pattern.exec(rest)?.index
    if (at === undefined) continue
    found.push({ at, type })
    rest = rest.slice(0, at) + ' '.repeat(length) + rest.slice(at + length)
  }
  const isList = /[/;,&+]| (and|over|above) /.test(text)
  if (isList) found.sort((a, b) => a.at - b.at)
  const [type, ...alternatives] = new Set(found.map((phrase) => phrase.type))
  const doubt = doubtIn(text, OCCUPANCY_TERMS)
  if (doubt === undefined && VACANCY.test(text) && [type, ...alternatives].some((other) => other !== 'vacant'))
    return { type: 'vacant', alternatives: [], doubt: 'vacant' }
  return { type, alternatives: isList ? alternatives : [], doubt }
}
