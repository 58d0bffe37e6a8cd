import { expect, it } from 'vitest'
import { importCalls } from '#contract/import-calls.ts'
import { makeUser } from './factories/people.ts'
import { reconcile } from './factories/register.ts'
import { LEAK_PROBES } from './leak-probes.fixture.ts'
import { ISOLATED_MODELS } from './model-visibility.ts'
import { testTenant } from './tenants.fixture.ts'

const { app, tenant, owner } = await testTenant()
const admin = app.as((await makeUser(app.system, { role: 'admin' })).id)

const INSTANT = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}/
const ISO_WITH_ZONE = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/

function textsIn(value: unknown, path: string): [path: string, text: string][] {
  if (typeof value === 'string') return [[path, value]]
  if (value === null || typeof value !== 'object') return []
  return Object.entries(value).flatMap(([key, item]) => textsIn(item, `${path}.${key}`))
}

it('every instant in an answer is ISO 8601 in UTC with a Z', async () => {
  await reconcile(app, tenant.account)
  const { ids } = tenant
  const paths = [
    ...ISOLATED_MODELS.flatMap((model) => [...LEAK_PROBES[model].lists(ids), ...LEAK_PROBES[model].pages(ids)]),
    '/init',
    '/metrics/init/summary',
    '/metrics/accounts/due?days=90',
    '/archives',
    '/subscriptions',
    '/roles',
    `/accounts/${tenant.account}/reconciliation`,
    importCalls.history.path.replace(':account_id', tenant.account),
  ]
  const found: [string, string][] = []
  for (const client of [owner, admin])
    for (const path of paths)
      found.push(...textsIn((await client.get(`/api/v1${path}`)).body, path).filter(([, text]) => INSTANT.test(text)))
  expect(found.length).toBeGreaterThan(50)
  expect(found.filter(([, text]) => !ISO_WITH_ZONE.test(text))).toEqual([])
})

it('init has the time zone of the company', async () => {
  expect((await owner.get('/api/v1/init')).body.data.auth_user.company.timezone).toBe('America/New_York')
})
