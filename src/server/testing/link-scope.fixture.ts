import type { As } from './app.ts'
import { textsOf } from './zip-texts.fixture.ts'
import type { DocumentCategoryCode } from '#contract/document-categories.ts'

/** The last ones are in the trash, and those with a value in another currency and state would show in sums and charts. */
export const PROPERTIES = {
  // Added first and without a number, like Pier Hall, so that its folder would have the name.
  aardvark: { property_name: 'Pier Hall', location_number: null, address: '1 Aardvark Way', building_value: 1_000_001 },
  pier: { property_name: 'Pier Hall', location_number: null, address: '2 Pierstreet', building_value: 2_000_002 },
  quay: { property_name: 'Quay House', location_number: '2', address: '3 Quaystreet', building_value: 4_000_004 },
  badger: {
    property_name: 'Badger Tower',
    location_number: '3',
    address: '4 Badger Way',
    building_value: 8_000_008,
    state: 'NV',
  },
  cougar: {
    property_name: 'Cougar Mill',
    location_number: '4',
    address: '5 Cougar Way',
    building_value: 16_000_016,
    property_type: 'industrial',
  },
  dolphin: {
    property_name: 'Dolphin Barn',
    location_number: '5',
    address: '6 Dolphin Way',
    building_value: 32_000_032,
    latitude: null,
    longitude: null,
  },
  elkhound: { property_name: 'Elkhound Works', location_number: '6', address: '7 Elkhound Way', building_value: 64_000_064 },
  sold: { property_name: 'Soldhouse', location_number: '7', address: '8 Soldstreet', building_value: 128_000_128 },
  ferret: { property_name: 'Ferret Yard', location_number: '8', address: '9 Ferret Way', building_value: 256_000_256 },
  gibbon: { property_name: 'Gibbon Yard', location_number: '9', address: '10 Gibbon Way', building_value: 512_000_512 },
} as const
export type PropertyName = keyof typeof PROPERTIES
const HIDDEN_SIX = ['pier', 'aardvark', 'badger', 'cougar', 'dolphin', 'elkhound'] as const
export const TRASHED = ['ferret', 'gibbon'] as const

export interface Doc {
  category: DocumentCategoryCode
  of: readonly PropertyName[]
  /** The same bytes as another document. */
  bytesOf?: string
  private?: true
}
export const FILES = {
  appraisalone: { category: 'appraisal', of: ['pier'] },
  phototwo: { category: 'photo', of: ['pier', 'badger'] },
  roofsix: { category: 'roof', of: HIDDEN_SIX },
  quayphoto: { category: 'photo', of: ['quay'] },
  narwhal: { category: 'appraisal', of: ['badger'], bytesOf: 'appraisalone' },
  ocelot: { category: 'policy', of: [] },
  panther: { category: 'appraisal', of: ['pier'], private: true },
  quokka: { category: 'appraisal', of: ['ferret'] },
  raccoon: { category: 'appraisal', of: ['gibbon'] },
  serval: { category: 'sov', of: [] },
  tapir: { category: 'photo', of: ['sold', 'cougar'] },
} as const satisfies Record<string, Doc>
export type FileName = keyof typeof FILES

/** What each link shows. Ferret is chosen, and in the trash. */
const CHOSEN = ['pier', 'quay', 'sold', 'ferret'] as const
const SHOWN: readonly PropertyName[] = ['pier', 'quay', 'sold']
const ALL_PROPERTIES: readonly PropertyName[] = ['aardvark', 'pier', 'quay', 'badger', 'cougar', 'dolphin', 'elkhound', 'sold']
export interface Link {
  input: { chosen?: readonly PropertyName[]; categories?: DocumentCategoryCode[]; unlinked_files?: boolean }
  properties: readonly PropertyName[]
  files: readonly FileName[]
}
export const LINKS: Readonly<Record<string, Link>> = {
  'some properties': {
    input: { chosen: CHOSEN },
    properties: SHOWN,
    files: ['appraisalone', 'phototwo', 'roofsix', 'quayphoto', 'tapir'],
  },
  'some properties, and documents of none': {
    input: { chosen: CHOSEN, unlinked_files: true },
    properties: SHOWN,
    files: ['appraisalone', 'phototwo', 'roofsix', 'quayphoto', 'tapir', 'ocelot', 'serval'],
  },
  'some categories': {
    input: { categories: ['appraisal', 'policy'] },
    properties: ALL_PROPERTIES,
    files: ['appraisalone', 'narwhal', 'ocelot', 'quokka', 'raccoon'],
  },
  'some properties and categories': {
    input: { chosen: CHOSEN, categories: ['roof', 'photo', 'sov'] },
    properties: SHOWN,
    files: ['phototwo', 'roofsix', 'quayphoto', 'tapir'],
  },
  'a property that is in the trash': { input: { chosen: ['ferret'] }, properties: [], files: [] },
  everything: {
    input: {},
    properties: ALL_PROPERTIES,
    files: ['appraisalone', 'phototwo', 'roofsix', 'quayphoto', 'narwhal', 'ocelot', 'quokka', 'raccoon', 'serval', 'tapir'],
  },
}

/** The texts of all downloads of the account. */
export async function downloads(visitor: As, account: string): Promise<[string, string][]> {
  const post = (path: string, body: object) => visitor.post(`/api/v1${path}`, body)
  const answers: [string, Promise<{ status: number; raw: Buffer }>][] = [
    ['archive', viaLink(visitor, await post(`/accounts/${account}/files/action`, { action: 'archive' }))],
    ['list', viaLink(visitor, await post(`/accounts/${account}/files/action`, { action: 'document_list' }))],
    ['properties', post('/account_properties/property-list/download', { account_id: account })],
    ['with documents', post('/account_properties/with-documents/download', { account_id: account })],
    ['properties as CSV', post('/account_properties/actions', { action: 'export_csv', input: 'all', filters: { filter__status: 'all' } })],
    ['documents as CSV', post('/account_files/actions', { action: 'export_csv', input: 'all' })],
    ['accounts as CSV', post('/accounts/actions', { action: 'export_csv', input: 'all' })],
  ]
  const texts: [string, string][] = []
  for (const [what, answer] of answers) {
    const { status, raw } = await answer
    texts.push([what, status === 200 ? textsOf(raw) : ''])
  }
  return texts
}

/** Follows the link of a download that is ready. */
async function viaLink(visitor: As, { status, body, raw }: { status: number; body: { data?: { url?: string } }; raw: Buffer }) {
  return status === 200 && body.data?.url ? visitor.get(body.data.url) : { status, raw }
}
