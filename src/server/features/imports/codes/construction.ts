import { warning, type ConstructionScheme, type Reading } from '#server/features/imports/cells/reading.ts'

type IsoClass = '1' | '2' | '3' | '4' | '5' | '6'

/** Published centres of the crosswalk (domain 3.1); neighbouring codes of a scheme take the class of their material. */
const OED_EXACT: Readonly<Record<string, IsoClass>> = { 5050: '1', 5108: '2', 5201: '3', 5100: '4', 5200: '5', 5150: '6' }
const AIR_EXACT: Readonly<Record<string, IsoClass>> = { 101: '1', 119: '2', 152: '3', 111: '4', 151: '5', 131: '6' }
const OED_RANGES: readonly (readonly [from: number, to: number, iso: IsoClass])[] = [
  [5050, 5099, '1'],
  [5101, 5104, '2'],
  [5105, 5149, '4'],
  [5150, 5199, '6'],
  [5202, 5249, '5'],
]
const AIR_RANGES: readonly (readonly [from: number, to: number, iso: IsoClass])[] = [
  [101, 110, '1'],
  [112, 115, '2'],
  [116, 130, '4'],
  [131, 150, '6'],
  [153, 160, '5'],
]
const RMS: Readonly<Record<string, IsoClass>> = { 1: '1', 2: '2', 3: '6', 4: '5' }

const EXACT_WORDS: Readonly<Record<string, IsoClass>> = {
  f: '1',
  fr: '6',
  wf: '1',
  jm: '2',
  nc: '3',
  mnc: '4',
  mfr: '5',
  rc: '6',
  'semi fr': '5',
  'masonry nc': '4',
  'non comb': '3',
  ord: '2',
}

/** Tested in this order: whatever is not frame although it says so comes first. */
const PATTERNS: readonly (readonly [RegExp, IsoClass, 'sure' | 'ambiguous'])[] = [
  [/modified fire|semi.?fire|protected steel(?<!unprotected steel)|\bmfr\b/, '5', 'sure'],
  [/fire.?resist|reinforced conc|poured conc|cast.in.place|\bfire proof|\bfr\b|\brc\b/, '6', 'sure'],
  [
    /masonry,? ?(non.?comb|nc\b|n\.c)|non.?comb\w* masonry|tilt.?up|block.*steel (deck|roof)|masonry.*(metal|steel) (deck|roof)|\bmnc\b/,
    '4',
    'sure',
  ],
  [/non.?comb|pre.?eng|light (gauge )?(steel|metal)|metal (building|bldg|clad)|all (steel|metal)|unprotected steel|\bnc\b/, '3', 'sure'],
  [/steel frame|metal frame|structural steel/, '3', 'ambiguous'],
  [/concrete frame/, '6', 'ambiguous'],
  [/joisted|ordinary|wood roof|wood joist|\bjm\b/, '2', 'sure'],
  [/brick veneer|stucco|wood|timber|\bframe\b|\bwf\b|\blog\b|combustible/, '1', 'sure'],
  [/masonry|brick|\bcmu\b|block|stone|adobe/, '2', 'ambiguous'],
  [/steel|metal|alumin/, '3', 'ambiguous'],
  [/concrete|precast/, '6', 'ambiguous'],
]

/** The ISO class 1 to 6 of a construction word or code; the text itself is kept by the caller whatever comes out. */
export function readConstruction(cell: string | number | boolean, scheme: ConstructionScheme): Reading {
  const text = String(cell).replace(/\s+/g, ' ').trim()
  const code = text.replace(/^(\d+)\.0+$/, '$1')
  if (/^\d+[a-z]?$/i.test(code)) return fromCode(code, scheme)
  const iso = /^(?:iso|class|iso class|iso const\w*|type)?[ #-]*([1-6])(?:[ .:)-].*)?$/i.exec(text)?.[1]
  if (isIsoClass(iso)) return { value: iso }
  if (/^(unk\w*|n\/?a|tbd|\?+|-+|other|none)$/i.test(text)) return { value: null }
  return fromWords(text)
}

const isIsoClass = (text: string | undefined): text is IsoClass => text !== undefined && /^[1-6]$/.test(text)

function fromCode(code: string, scheme: ConstructionScheme): Reading {
  if (scheme === 'oed' || scheme === 'air') {
    const [exact, ranges] = scheme === 'oed' ? [OED_EXACT, OED_RANGES] : [AIR_EXACT, AIR_RANGES]
    const sure = exact[code]
    if (sure) return { value: sure }
    const near = ranges.find(([from, to]) => Number(code) >= from && Number(code) <= to)?.[2]
    if (near)
      return warning(
        'unknown_code',
        `Code ${code} (${scheme.toUpperCase()}) is read as ISO ${near}, the usual class of its material. Confirm the class.`,
        near,
      )
    return notUnderstood(code)
  }
  if (scheme === 'rms') return RMS[code] ? { value: RMS[code] } : notUnderstood(code)
  return isIsoClass(code) ? { value: code } : code === '0' ? { value: null } : notUnderstood(code)
}

function fromWords(text: string): Reading {
  const lower = text.toLowerCase().replace(/[.]/g, '').replace(/\s+/g, ' ')
  const exact = EXACT_WORDS[lower.replace(/[^a-z ]/g, ' ').trim()]
  if (exact) return { value: exact }
  const parts = lower.split(/\s*(?:\/|;|,| and | & |\+)\s*/).filter((part) => part !== '')
  const whole = classOf(lower)
  const classes = [...new Set(parts.map((part) => classOf(part)?.iso ?? EXACT_WORDS[part]).filter((iso) => iso !== undefined))].sort()
  const lowest = /mixed|various|varies/.test(lower)
    ? (classes[0] ?? whole?.iso)
    : classes.length > 1 && whole?.sure !== 'sure'
      ? classes[0]
      : undefined
  if (lowest)
    return warning(
      'unknown_code',
      `“${text}” names several kinds of construction and is read as ISO ${lowest}, the lowest. Confirm the class.`,
      lowest,
    )
  if (!whole) return notUnderstood(text)
  if (whole.sure === 'sure' && classes.length <= 1) return { value: whole.iso }
  const iso = classes.length > 1 ? (classes[0] ?? whole.iso) : whole.iso
  return warning('unknown_code', `“${text}” can mean several classes and is read as ISO ${iso}. Confirm the class.`, iso)
}

function classOf(text: string): { iso: IsoClass; sure: 'sure' | 'ambiguous' } | undefined {
  const found = PATTERNS.find(([pattern]) => pattern.test(text))
  return found && { iso: found[1], sure: found[2] }
}

const notUnderstood = (text: string): Reading =>
  warning('unknown_code', `“${text}” is no known construction class. The text is kept; choose a class from 1 Frame to 6 Fire resistive.`)
