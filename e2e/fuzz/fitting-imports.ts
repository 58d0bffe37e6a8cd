import { setTimeout as pause } from 'node:timers/promises'
import { columnsToConfirm, type Import } from '#contract/imports.ts'
import { SOV } from '#server/testing/factories/import-flow.ts'
import { NothingFits, dataOf, type Recipes, type Scene } from './scene.ts'
import { uploadedKey } from './fitting-uploads.ts'
import { pick } from './random-values.ts'

const READY_MS = 3_000
const POLL_MS = 30
const NEW_IMPORTS = 4
const OPEN = ['parsed', 'mapped', 'validated']

const property = (random: () => number) => ({
  location_number: String(Math.floor(random() * 30) + 1),
  property_name: 'Warehouse',
  address: `${Math.floor(random() * 30) + 1} Elm St`,
  city: 'Dallas',
  state: pick(random, ['TX', 'TX', 'CA', 'Texas', 'nowhere']),
  postal_code: '75201',
  country: 'US',
  construction_class: pick(random, ['4', 'JM', 'Frame', 'straw']),
  year_built: pick(random, [1990, 2001, 'c. 1975', 'Unk']),
  building_value: pick(random, [1_000_000, 2_500_000, 0, 'Incl.']),
})

async function source(scene: Scene) {
  const { random } = scene
  if (random() < 0.5) return { properties: Array.from({ length: pick(random, [1, 3, 8]) }, () => property(random)) }
  return { source: { key: await uploadedKey(scene, { name: 'sov.csv', bytes: Buffer.from(SOV), purpose: 'import' }) } }
}

/** An import of the account in one of the states, that no job works on. New ones are prepared if there is no open one. */
async function importIn(scene: Scene, states: readonly string[]): Promise<Import> {
  const { as, account, random } = scene
  const known = async (): Promise<Import[]> => dataOf(as, `properties/import/${account}/history`)
  const usable = (imports: Import[]) => imports.filter(({ state, activity }) => activity === null && states.includes(state))
  const found = pick(random, usable(await known()))
  if (found !== undefined) return dataOf(as, `properties/import/${found.id}`)
  if (!states.includes('validated')) throw new NothingFits('import')
  for (let made = 0; made < NEW_IMPORTS; made += 1) await as.post(`/api/v1/properties/import/${account}`, await source(scene))
  for (const until = Date.now() + READY_MS; Date.now() < until; await pause(POLL_MS)) {
    const prepared = usable(await known()).at(0)
    if (prepared !== undefined) return dataOf(as, `properties/import/${prepared.id}`)
  }
  throw new NothingFits('import')
}

const CHANGES: readonly Record<string, unknown>[] = [
  { mode: 'add_and_update' },
  { mode: 'add_only' },
  { mode: 'update_only' },
  { mode: 'full_replacement' },
  { empty_clears: true },
  { sheet: 0, header_row: 2 },
  { mapping: { A: 'location_number', B: 'ignore' } },
  { constants: { state: 'TX', repeated_locations: 'number' } },
  { edits: [{ row: 3, column: 'D', value: '12 Oak St' }] },
  { replace: { column: 'H', from: 'Stone', to: 'JM' } },
  { words: [{ field: 'construction_class', word: 'straw', code: '1' }] },
  { exclusions: [{ row: 2, excluded: true }] },
  { exclusions: [{ row: 2, automatic: true }] },
  { matches: [{ row: 3, property_id: null }] },
]

const open = (change: (scene: Scene, found: Import) => Promise<object> | object) => async (scene: Scene) => {
  const found = await importIn(scene, OPEN)
  return { params: { id: found.id }, ...(await change(scene, found)) }
}

export const fittingImports: Recipes = {
  'POST /properties/import/:account_id': async (scene) => ({ params: { account_id: scene.account }, body: await source(scene) }),
  'GET /properties/import/:account_id/history': async ({ account }) => ({ params: { account_id: account } }),
  'GET /properties/import/:account_id/columns': async ({ account }) => ({ params: { account_id: account } }),
  'GET /properties/import/:id': open(() => ({})),
  'GET /properties/import/:id/rows': open(({ random }) => ({
    query: { tab: pick(random, ['add', 'change', 'unchanged', 'remove', 'conflict', 'errors', undefined]) },
  })),
  'GET /properties/import/:id/rejected': open(() => ({})),
  'PUT /properties/import/:id': open(({ random }) => ({ body: pick(random, CHANGES) })),
  'POST /properties/import/:id/commit': open(({ random }, found) => ({
    body: { version: found.version, removals: pick(random, [[], { all_except: [] }]), confirmed: columnsToConfirm(found) },
  })),
  'DELETE /properties/import/:id': async (scene) => {
    const { id } = await importIn(scene, scene.random() < 0.7 ? ['committed'] : OPEN)
    return { params: { id }, query: scene.random() < 0.5 ? { others: '1' } : {} }
  },
}
