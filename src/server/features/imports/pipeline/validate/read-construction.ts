import { withoutDecimals } from '#server/features/imports/pipeline/read/cells.ts'
import { wordTable } from '#server/features/imports/pipeline/read/word-table.ts'
import { doubtIn, unclear } from './doubtful-words.ts'
import { constructionInEnglish } from './foreign-words.ts'
import { tidy, toConfirm, warning, type CellResult, type ConstructionScheme, type FilledCell } from './results.ts'

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
  [/\b(wood|timber)\b.*(\bfr\b|fire.?res(?:ist|\b))|(\bfr\b|fire.?res(?:ist|\b)).*\b(wood|timber)\b/, '1', 'ambiguous'],
  [/fire.?res(?:ist|\b)|(?<!un-?)reinforced conc|poured conc|cast.in.place|\bfire proof|\bfr\b|\brc\b/, '6', 'sure'],
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
  [/joisted|\bordinary|wood roof|wood joist|\bjm\b/, '2', 'sure'],
  [/brick veneer|wood(?!land)|(?<!heavy )timber|\bframe\b|\bwf\b|\blog\b|(?<!non.?|in)combustible/, '1', 'sure'],
  // A finish on frame or masonry, and beams in walls of either.
  [/stucco|heavy timber/, '1', 'ambiguous'],
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
  if (doubtIn(constructionInEnglish(text.toLowerCase()), CONSTRUCTION_TERMS) === 'denied') return unclear(text, 'Construction')
  const iso = ISO_FIRST.exec(text)?.[1]
  if (iso !== undefined) return fromIso(iso, text)
  return fromWords(text)
}

/** `ISO 4`, `6 - Fire Resistive`; not `3 story frame` or `1-hr rated`. */
const ISO_FIRST =
  /^(?:iso|class|iso class|iso const\w*|type)?[ #-]*([1-6])(?![ -]?(?:hr|hour|stor|floor|level|building|bldg|unit))(?:[ .:)-].*)?$/i

function fromIso(iso: string, text: string): CellResult {
  const words = classOf(constructionInEnglish(text.toLowerCase()))
  if (words?.sure !== 'sure' || words.iso === iso) return { value: iso }
  return toConfirm(`“${text}” contains a number and the words of another class, and is read as ISO ${iso}. Confirm the class.`, iso)
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
  return toConfirm(message, near)
}

function fromWords(text: string): CellResult {
  const lower = constructionInEnglish(text.toLowerCase())
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
  return toConfirm(`“${text}” ${reason}. Confirm the class.`, iso)
}

function classOf(text: string) {
  const found = PATTERNS.find(([pattern]) => pattern.test(text))
  return found && { iso: found[1], sure: found[2] }
}

function notUnderstood(text: string): CellResult {
  const choose = 'The text is imported as given; choose a class from 1 Frame to 6 Fire resistive.'
  return warning('unknown_code', `“${text}” is not a known construction class. ${choose}`)
}
