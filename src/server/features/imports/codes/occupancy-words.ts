/** Phrases of each property type (domain 3.3); the longest phrase found decides. */
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
    'warehouse|warehousing|distribution|distribution center|storage|dc|cold storage|logistics|self-storage|self storage|mini storage|fulfillment|wholesale',
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

const BY_PHRASE = new Map(Object.entries(PHRASES).flatMap(([type, phrases]) => phrases.split('|').map((phrase) => [phrase, type] as const)))
const ORDERED = [...BY_PHRASE.keys()].sort((a, b) => b.length - a.length)

interface TypeOfWords {
  type: string | undefined
  /** Other types the text names beside the one chosen, `Office / Warehouse`. */
  alternatives: string[]
}

const memo = new Map<string, TypeOfWords>()
const MEMO_MAX = 5_000

/** The property type a description of use names; the longest phrase wins, then the first in the text. */
export function typeOfWords(text: string): TypeOfWords {
  const key = text.toLowerCase()
  const known = memo.get(key)
  if (known) return known
  const found = find(key)
  if (memo.size < MEMO_MAX) memo.set(key, found)
  return found
}

function find(text: string): TypeOfWords {
  let rest = ` ${text.replace(/[.,;:_()]/g, ' ').replace(/\s+/g, ' ')} `
  const hits: { at: number; type: string }[] = []
  for (const phrase of ORDERED) {
    const at = new RegExp(`(?<![a-z])${phrase.replace(/[/&()-]/g, '\\$&')}(?![a-z])`).exec(rest)
    if (!at) continue
    hits.push({ at: at.index, type: BY_PHRASE.get(phrase) ?? 'other' })
    rest = rest.slice(0, at.index) + ' '.repeat(phrase.length) + rest.slice(at.index + phrase.length)
  }
  const separated = /[/;,&+]| and /.test(text)
  const types = [...new Set(separated ? [...hits].sort((a, b) => a.at - b.at).map(({ type }) => type) : hits.map(({ type }) => type))]
  return { type: types[0], alternatives: separated ? types.slice(1) : [] }
}
