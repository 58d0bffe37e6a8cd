import { MODEL_NAMES } from '#contract/models.ts'
import type { Call } from '#contract/route.ts'
import { formValue } from '#server/testing/tenants.fixture.ts'
import { pick } from './random-values.ts'
import { NothingFits, dataOf, type Fitting, type Recipes, type Scene } from './scene.ts'
import { fittingAccess } from './fitting-access.ts'
import { fittingImports } from './fitting-imports.ts'
import { fittingSignIns } from './fitting-sign-ins.ts'
import { fittingSso } from './fitting-sso.ts'
import { fittingWork } from './fitting-work.ts'
import { fittingUploads } from './fitting-uploads.ts'

interface FormJson {
  version: number | null
  sections: { fields: Parameters<typeof formValue>[0][] }[]
}

/** The values of the form of a record, as the browser sends them. */
async function saved({ as, companyId, random }: Scene, path: string): Promise<Record<string, unknown>> {
  const form: FormJson = await dataOf(as, `forms/${path}`)
  const fields = form.sections.flatMap((section) => section.fields).filter(({ disabled }) => disabled !== true)
  if (form.version === null) {
    const needed = fields.filter(({ required, search }) => required || search === 'companies')
    return Object.fromEntries(needed.map((field) => [field.name, formValue(field, companyId)]))
  }
  const sent = fields.filter(({ required, value }) => (required || value !== '') && random() < 0.8)
  return { ...Object.fromEntries(sent.map(({ name, value }) => [name, value])), version: form.version }
}

const PROPERTY = { address: '12 Elm St', city: 'Dallas', state: 'TX', postal_code: '75201', country: 'US', currency: 'USD' }

/** The calls of every list and every record, by model. */
function ofModel(model: string): Recipes {
  return {
    [`GET /${model}/:id`]: async ({ some }) => ({ params: { id: await some(model) } }),
    [`GET /forms/${model}/:id`]: async ({ some }) => ({ params: { id: await some(model) } }),
    [`PUT /${model}/:id`]: async (scene) => {
      const id = await scene.some(model)
      return { params: { id }, body: await saved(scene, `${model}/${id}`) }
    },
    [`POST /${model}`]: async (scene) => {
      const body = await saved(scene, model)
      const email = `made${Math.floor(scene.random() * 1e9)}@example.test`
      if (model === 'users') return { body: { ...body, email, roles: [await scene.some('roles/search?search=broker')] } }
      return { body: model === 'account_properties' ? { ...body, ...PROPERTY, account_id: scene.account } : body }
    },
    [`GET /${model}/search`]: async () => ({ query: { search: 'Zanzibar' } }),
    [`DELETE /${model}`]: async ({ some, random }) => {
      const force = random() < 0.3
      return { body: { ids: [await some(`${model}?filter__trashed=${force ? 'only' : 'without'}`)], force } }
    },
    [`POST /${model}/restore`]: async ({ some }) => ({ body: { ids: [await some(`${model}?filter__trashed=only`)] } }),
    [`POST /${model}/actions`]: async ({ as, some, random, account }) => {
      const action = pick(random, await dataOf(as, `${model}/actions`))
      if (typeof action !== 'object' || action === null || !('action' in action)) throw new NothingFits(model)
      const chosen = random() < 0.7 ? { selectedIds: [await some(model)] } : { input: 'all', filters: {} }
      const answers = {
        divested_on: '2026-01-31',
        reason: 'A reason',
        note: 'A reason',
        resolution: 'A reason',
        confirm: true,
        confirmed: true,
        name: 'Name',
      }
      const inAccount = ['account_properties', 'account_files', 'discrepancies', 'flags'].includes(model) && random() < 0.5
      return { body: { action: action.action, input: answers, ...chosen, ...(inAccount ? { account_id: account } : {}) } }
    },
  }
}

const DECISIONS: readonly Record<string, unknown>[] = [
  { status: 'kept', note: 'It is right' },
  { status: 'waived', note: 'Known', waived_until: '2027-01-31' },
  { status: 'waived', note: 'Known' },
  { status: 'accepted', value: 1990 },
  { status: 'accepted' },
]
const SETTINGS = ['dashboard', 'account_tabs', 'datatable_accounts']

const OTHERS: Recipes = {
  'POST /check': async ({ random }) => ({
    body: {
      checksums: Array.from({ length: 1 + Math.floor(random() * 5) }, () =>
        Math.floor(random() * 2 ** 52)
          .toString(16)
          .padStart(64, '0'),
      ),
    },
  }),
  'DELETE /accounts/:id': async ({ some }) => ({ params: { id: await some('accounts') } }),
  'PATCH /accounts/status': async ({ some }) => ({
    body: { account_id: await some('accounts'), status_id: await some('statuses/accounts') },
  }),
  'GET /account_properties/:id/map': async ({ account }) => ({ params: { id: account } }),
  'GET /account_properties/:id/summary': async ({ account }) => ({ params: { id: account } }),
  'GET /account_properties/:id/quality': async ({ some }) => ({ params: { id: await some('account_properties') } }),
  'PUT /discrepancies/:id': async ({ some, random, account }) => ({
    params: { id: await some(`discrepancies?filter__account_id=${account}`) },
    body: pick(random, DECISIONS),
  }),
  'GET /settings/:key': async ({ random }) => ({ params: { key: pick(random, SETTINGS) } }),
  'POST /settings/:key': async ({ random }) => ({ params: { key: pick(random, SETTINGS) }, body: { value: { order: ['a'], hidden: [] } } }),
  'POST /broadcasting/auth': async ({ account }) => ({ body: { socket_id: '1.1', channel_name: `private-account.${account}` } }),
  'POST /statuses': async ({ random }) => ({
    body: { model_type: 'account', name: `Status ${Math.floor(random() * 1e9)}`, color: '#1976D2' },
  }),
  'PUT /statuses/:id': async ({ some, random }) => ({
    params: { id: await some('statuses') },
    body: { name: `Status ${Math.floor(random() * 1e9)}`, position: Math.floor(random() * 5) },
  }),
  'DELETE /statuses/:id': async ({ some }) => ({ params: { id: await some('statuses') } }),
  'POST /help': async () => ({ body: { message: 'The map is empty.', url: 'https://plumbline.example/', state: { route: '/' } } }),
  'POST /companies/:id/files/signed-url': async ({ companyId }) => ({
    params: { id: companyId },
    body: { filePath: 'logo.png', contentType: 'image/png' },
  }),
  'GET /companies/logos/:id': async ({ app, companyId }) => {
    const logo = { company_id: companyId, png: Buffer.from('an image') }
    return { params: await app.system.db.insertInto('company_logos').values(logo).returning('id').executeTakeFirstOrThrow() }
  },
  'GET /companies/names': async () => ({ query: { search: 'Zanzibar' } }),
}

const RECIPES: Recipes = {
  ...Object.assign({}, ...MODEL_NAMES.map(ofModel)),
  ...OTHERS,
  ...fittingImports,
  ...fittingUploads,
  ...fittingSignIns,
  ...fittingWork,
  ...fittingAccess,
  ...fittingSso,
}

/** A request that should succeed for a person with the right, made of records that this person can see; undefined if nothing fits. */
export async function fittingRequest(call: Call, scene: Scene): Promise<Fitting | undefined> {
  const inAccount = /^\/(?:metrics\/)?accounts\/:id\//.test(call.path) ? { id: scene.account } : undefined
  const recipe = RECIPES[`${call.method} ${call.path}`]
  try {
    const fitting = recipe === undefined ? undefined : await recipe(scene)
    if (fitting === undefined && inAccount === undefined) return undefined
    return { ...fitting, params: { ...inAccount, ...fitting?.params } }
  } catch (error) {
    if (error instanceof NothingFits) return undefined
    throw error
  }
}
