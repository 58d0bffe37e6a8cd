import { FLAG_REASONS } from '#contract/flags.ts'
import { codesOf } from '#contract/code-lists.ts'
import { NothingFits, dataOf, type Recipes, type Scene } from './scene.ts'
import { pick } from './random-values.ts'

const propertyOf = ({ some, account }: Scene) => some(`account_properties?filter__account_id=${account}&filter__status=active`)

const flagged = async (scene: Scene): Promise<{ flaggable_type: string; flaggable_id: string }> => {
  const { some, account, random } = scene
  const targets = [
    async () => ({ flaggable_type: 'account_property', flaggable_id: await propertyOf(scene) }),
    async () => ({ flaggable_type: 'account_file', flaggable_id: await some(`account_files?filter__account_id=${account}`) }),
    async () => ({ flaggable_type: 'risk_control', flaggable_id: await some(`risk_control?filter__account_id=${account}`) }),
  ] as const
  return pick(random, targets)()
}

const FLAG_CHANGES: readonly Record<string, unknown>[] = [
  { priority: 'high' },
  { due_on: '2027-01-31' },
  { assigned_to: null },
  { status: 'resolved', resolution: 'Asked the owner.' },
  { status: 'dismissed', resolution: 'Not needed.' },
]

/** An account's report with its recommendations. */
async function reportOf({ as, some, account }: Scene) {
  const id = await some(`risk_control?filter__account_id=${account}`)
  return { id, report: await dataOf(as, `risk_control/${id}`) }
}

const ANSWERS: readonly Record<string, unknown>[] = [
  { status: 'in_progress', text: 'Ordered.' },
  { status: 'completed', text: 'Done.' },
  { status: 'deferred', text: 'After the renewal.', due_on: '2027-01-31' },
  { text: 'We asked for an offer.' },
]

/** A view of the person; a new one if there is none. */
async function viewOf({ as, random }: Scene): Promise<{ id: string; version: number }> {
  const views: { id: string; version: number; can_change: boolean }[] = await dataOf(as, 'saved-views?model=accounts')
  const found = views.filter(({ can_change }) => can_change)
  if (found.length > 0) return pick(random, found)
  const body = { model: 'accounts', name: `View ${random()}`, shared: random() < 0.5, state: {} }
  const { status, body: made } = await as.post('/api/v1/saved-views', body)
  if (status !== 201) throw new NothingFits('view')
  return made.data
}

/** Flags, risk control reports and saved views. */
export const fittingWork: Recipes = {
  'POST /flags': async (scene) => ({
    body: { ...(await flagged(scene)), reason: pick(scene.random, codesOf(FLAG_REASONS)), message: 'Check the roof.' },
  }),
  'PUT /flags/:id': async ({ some, random, account }) => ({
    params: { id: await some(`flags?filter__account_id=${account}&filter__status=open,acknowledged`) },
    body: pick(random, FLAG_CHANGES),
  }),
  'GET /accounts/:id/flag-assignees': async (scene) => ({ query: await flagged(scene) }),
  'POST /risk_control': async (scene) => ({
    body: {
      property_id: await propertyOf(scene),
      title: 'Survey of the warehouse',
      survey_date: '2026-01-31',
      recommendations: [{ title: 'Test the hydrants', priority: 'important' }],
    },
  }),
  'PUT /risk_control/:id': async (scene) => {
    const { id, report } = await reportOf(scene)
    return { params: { id }, body: { version: report.version, title: `Survey ${scene.random()}` } }
  },
  'GET /risk_control/:id/activity': async (scene) => ({ params: { id: (await reportOf(scene)).id } }),
  'POST /risk_control/:id/recommendations/:recommendation_id/responses': async (scene) => {
    const { id, report } = await reportOf(scene)
    const recommendation = pick(scene.random, report.recommendations as { id: string }[]) // of the record of the contract
    if (recommendation === undefined) throw new NothingFits('recommendation')
    return { params: { id, recommendation_id: recommendation.id }, body: pick(scene.random, ANSWERS) }
  },
  'GET /account_properties/:id/history': async (scene) => ({ params: { id: await propertyOf(scene) } }),
  'GET /subscriptions/:id/activity': async ({ some }) => ({ params: { id: await some('subscriptions') } }),
  'GET /roles': async ({ random }) => ({ query: random() < 0.5 ? {} : { search: 'broker' } }),
  'GET /saved-views': async () => ({ query: { model: 'accounts' } }),
  'PUT /saved-views/:id': async (scene) => {
    const { id, version } = await viewOf(scene)
    const change = pick(scene.random, [{ name: `View ${scene.random()}` }, { shared: true }, { state: { search: 'Elm' } }])
    return { params: { id }, body: { version, ...change } }
  },
  'DELETE /saved-views/:id': async (scene) => ({ params: { id: (await viewOf(scene)).id } }),
}
