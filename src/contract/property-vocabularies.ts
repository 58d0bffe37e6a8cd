import { labeledByCode } from './code-lists.ts'

/** Code lists of property fields, from which types, database checks, filters and select options derive: docs/domain.md, "Code lists". */

export const PROPERTY_STATUSES = labeledByCode('active', 'divested')

export const INTERESTS = labeledByCode('owned', 'leased', 'managed', 'other')

export const CONSTRUCTION_CLASSES = {
  '1': '1 Frame',
  '2': '2 Joisted masonry',
  '3': '3 Non-combustible',
  '4': '4 Masonry non-combustible',
  '5': '5 Modified fire resistive',
  '6': '6 Fire resistive',
} as const

export const PROPERTY_TYPES = {
  office: 'Office',
  retail: 'Retail',
  multifamily: 'Multifamily',
  residential: 'Residential (1 to 4)',
  industrial: 'Manufacturing',
  warehouse: 'Warehouse / distribution',
  hospitality: 'Hotel / lodging',
  healthcare: 'Healthcare',
  senior_living: 'Senior living',
  education: 'Education',
  government: 'Government / public',
  religious: 'Religious / nonprofit',
  restaurant: 'Restaurant / food service',
  recreation: 'Entertainment / recreation',
  parking: 'Parking',
  tech: 'Data center / high tech',
  utility: 'Utility / infrastructure',
  agriculture: 'Agriculture',
  mixed_use: 'Mixed use',
  vacant: 'Vacant / under construction',
  other: 'Other',
  unknown: 'Not stated',
} as const

/** "Warehouse" of "Warehouse / distribution", where there is no room for the rest. */
export const shortType = (label: string): string => label.split(/ [/(]/, 1)[0] ?? label

export const SPRINKLERED = labeledByCode('none', 'partial', 'full', 'unknown')

export const SPRINKLER_SYSTEMS = {
  wet: 'Wet',
  dry: 'Dry',
  preaction: 'Pre-action',
  deluge: 'Deluge',
  nfpa13r: 'NFPA 13R',
  nfpa13d: 'NFPA 13D',
  other: 'Other',
} as const

export const ALARMS = labeledByCode('none', 'local', 'central_station', 'proprietary', 'unknown')

export const ROOF_COVERS = {
  asphalt_shingle: 'Asphalt shingle',
  wood_shingle: 'Wood shingle',
  tile: 'Clay or concrete tile',
  light_metal: 'Light metal',
  slate: 'Slate',
  built_up_gravel: 'Built-up with gravel',
  single_ply: 'Single ply',
  standing_seam: 'Standing seam metal',
  built_up: 'Built-up without gravel',
  single_ply_ballasted: 'Single ply ballasted',
  concrete: 'Concrete',
  unknown: 'Unknown',
} as const

export const ROOF_SHAPES = labeledByCode('flat', 'gable', 'hip', 'complex', 'stepped', 'shed', 'mansard', 'gambrel', 'unknown')

export const OPENING_PROTECTIONS = labeledByCode('none', 'basic_shutters', 'engineered', 'unknown')

export const FOUNDATIONS = labeledByCode('slab', 'basement', 'crawl_space', 'pile', 'pier', 'unknown')

export const GEOCODE_LEVELS = {
  '0': 'Not geocoded',
  '1': 'User coordinates',
  '2': 'Building',
  '3': 'Parcel',
  '4': 'Interpolated street',
  '5': 'Fine postcode',
  '6': 'Block or street name',
  '7': 'Postal code',
  '8': 'City',
  '9': 'Area',
  '10': 'Zone',
  '20': 'Country',
} as const

export const VALUATION_BASES = {
  rcv: 'Replacement cost (RCV)',
  acv: 'Actual cash value (ACV)',
  frc: 'Functional replacement cost',
  agreed: 'Agreed value',
  market: 'Market value',
  unknown: 'Unknown',
} as const

export const VALUATION_SOURCES = labeledByCode('appraisal', 'cost_model', 'trended', 'owner', 'broker', 'unknown')

export const DIVESTED_REASONS = labeledByCode(
  'sold',
  'closed',
  'demolished',
  'lease_ended',
  'transferred',
  'insured_elsewhere',
  'data_error',
  'other',
)

const NUMBERED_ZONES = Array.from({ length: 30 }, (_, index) => index + 1)

export const FLOOD_ZONES: readonly string[] = [
  ...'A AE AH AO AR A99 V VE B C X X500 D UNK'.split(' '),
  ...NUMBERED_ZONES.map((zone) => `A${zone}`),
  ...NUMBERED_ZONES.map((zone) => `V${zone}`),
]

/** Usual building value per square foot in US dollars; companies can change these defaults. */
export const VALUE_BANDS: Readonly<Record<string, readonly [low: number, high: number]>> = {
  office: [150, 700],
  retail: [90, 500],
  multifamily: [110, 550],
  residential: [125, 600],
  industrial: [90, 500],
  warehouse: [60, 300],
  hospitality: [150, 750],
  healthcare: [250, 1_200],
  senior_living: [175, 600],
  education: [175, 700],
  government: [175, 900],
  religious: [150, 600],
  restaurant: [150, 800],
  recreation: [125, 700],
  parking: [40, 200],
  tech: [250, 2_500],
  agriculture: [25, 250],
}
export const VALUE_BAND_OTHER = [50, 1_000] as const
