import { writeFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { DEFAULT_ROLE_NAMES, type DefaultRole } from '#contract/default-roles.ts'
import { ErrorBody } from '#contract/errors.ts'
import { maintenanceCalls } from '#contract/maintenance.ts'
import { PERMISSION_NAMES } from '#contract/permissions.ts'
import { PROPERTY_FIELD_NAMES } from '#contract/property-fields.ts'
import type { Call } from '#contract/route.ts'
import { routes } from '#server/features/index.ts'
import { redirectUri } from '#server/features/sso/openid.ts'
import { testApp, type As, type TestAnswer, type TestApp } from '#server/testing/app.ts'
import { hashCheaply } from '#server/testing/cheap-hashing.fixture.ts'
import { makeProperty } from '#server/testing/factories/accounts.ts'
import { makeUser } from '#server/testing/factories/people.ts'
import { oidcProvider, type TestProvider } from '#server/testing/oidc-provider.fixture.ts'
import { makeTenant } from '#server/testing/tenants.fixture.ts'
import { fittingRequest } from './fitting-requests.ts'
import { fieldsOf, pick, randomAnything, randomFrom, randomId, randomValue, type Source } from './random-values.ts'
import { someOf, type Fitting } from './scene.ts'

vi.mock('@node-rs/argon2', { spy: true })

/**
 * Makes random calls as every role and reports each answer of 500 or above. Parameters, queries and bodies are derived from the schemas of
 * the contract; a third of the requests are made to fit the records that the person can see, and half of these get a few random values. An answer that does not match its output schema is a 500, so it is found, too.
 *
 *     FUZZ_CALLS=50000 FUZZ_SEED=1 npm run fuzz
 */
const CALLS = Number(process.env['FUZZ_CALLS'] ?? 50_000)
const SEED = Number(process.env['FUZZ_SEED'] ?? 1)
/** Calls delete users and change roles, so each round has new records and people. */
const CALLS_PER_ROUND = 500
const REPORT = process.env['FUZZ_REPORT']

/** How often a call is chosen that has not succeeded yet, so that each of them does. */
const MISSING_SHARE = 0.2

/** How often a request is made to fit; these take several calls each. */
const FITTING_SHARE = 0.35

let app: TestApp
let origin: string
let idp: TestProvider
beforeAll(async () => {
  await hashCheaply()
  app = await testApp({ worker: true, env: { LOG_LEVEL: 'fatal', SSO_PRIVATE_HOSTS: '127.0.0.1' } })
  idp = await oidcProvider(redirectUri(app.system))
  origin = await app.api.server.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(async () => {
  await app.stop()
  await idp.stop()
})

const random = randomFrom(SEED)
/** People who are there more than once, so that more calls get beyond the check of permissions. */
const MOST_RIGHTS = ['admin', 'admin', 'admin', 'provider', 'provider', 'broker', 'broker', 'broker'] as const

/** Every list has the call; these lists have no actions. */
const WITHOUT_ACTIONS = new Set(['account_files', 'companies', 'roles', 'subscriptions'].map((model) => `POST /${model}/actions`))

const nameOf = ({ method, path }: Call): string => `${method} ${path}`

interface Person {
  role: DefaultRole | 'anonymous'
  as: As
}
interface Round {
  companyId: string
  account: string
  people: Person[]
  ids: string[]
  /** A record of each model, by the beginning of the paths of its calls. */
  byModel: Readonly<Record<string, string>>
}

async function makePerson({ companyId, account }: Pick<Round, 'companyId' | 'account'>, role: DefaultRole): Promise<Person> {
  const { id } = await makeUser(app.system, { role, companyId })
  await app.system.db.insertInto('account_users').values({ account_id: account, user_id: id }).execute()
  return { role, as: app.as(id) }
}

async function startRound(roles: readonly { id: string; permissions: string[] }[]): Promise<Round> {
  const { db } = app.system
  for (const { id, permissions } of roles)
    await db.updateTable('roles').set({ permissions, deleted_at: null }).where('id', '=', id).execute()
  const tenant = await makeTenant(app)
  const plan = await db
    .insertInto('subscriptions')
    .values({ name: `Plan ${random()}` })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('company_subscriptions')
    .values({ company_id: tenant.company.id, subscription_id: plan.id, term_months: 12 })
    .execute()
  const property = await makeProperty(app.system, tenant.account)
  const place = { companyId: tenant.company.id, account: tenant.account }
  const people: Person[] = [{ role: 'anonymous', as: app.anonymous }]
  for (const role of [...DEFAULT_ROLE_NAMES, ...MOST_RIGHTS]) people.push(await makePerson(place, role))
  const statuses = await db.selectFrom('statuses').select('id').where('company_id', '=', tenant.company.id).limit(4).execute()
  const given = [tenant.account, tenant.account, tenant.account, ...Object.values(tenant.ids), property.id, plan.id]
  const others = [...roles.slice(0, 2), ...statuses].map(({ id }) => id)
  const byModel = { ...tenant.ids, archives: tenant.file, properties: tenant.account, subscriptions: plan.id }
  return {
    ...place,
    byModel,
    people,
    ids: [...given, ...others, tenant.added.id, tenant.carrier.companyId].filter((id) => id !== undefined),
  }
}

const newAdmin = async (): Promise<As> => app.as((await makeUser(app.system, { role: 'admin' })).id)

async function endMaintenance(): Promise<void> {
  const { status } = await (await newAdmin()).delete(`/api/v1${maintenanceCalls.end.path}`)
  if (status !== 200) throw new Error(`Maintenance did not end: ${status}`)
}

/** What the lists call their columns, filters and actions, and the names of permissions and fields. */
async function vocabulary(): Promise<string[]> {
  const admin = await newAdmin()
  const lists = routes.flatMap(({ call }) => (call.path.endsWith('/columns') && !call.path.includes(':') ? [call.path.split('/')[1]] : []))
  const read = async (path: string, key: string, prefix = '') =>
    ((await admin.get(`/api/v1/${path}`)).body.data ?? []).map((item: Record<string, unknown>) => `${prefix}${String(item[key])}`)
  const words = lists.map(async (list) => [
    ...(await read(`${list}/columns`, 'src')),
    ...(await read(`${list}/filters`, 'name', 'filter__')),
    ...(await read(`${list}/actions`, 'action')),
  ])
  const hidden = ['account_id', 'property_id', 'status', 'country', 'county', 'city', 'import_id', 'sov', 'check', 'nothing']
  return [
    ...(await Promise.all(words)).flat(),
    ...hidden.map((name) => `filter__${name}`),
    ...PERMISSION_NAMES.slice(0, 20),
    ...PROPERTY_FIELD_NAMES,
    'dashboard',
    'datatable_accounts',
    'account_tabs',
    'full_address',
    'ignore',
    'custom',
    'factor',
    'archive',
    'A',
    'B',
  ]
}

/** The round with a new person in place of one whose session has ended; a new round if their company is gone. */
async function replaced(round: Round, { role, as }: Person, start: () => Promise<Round>): Promise<Round> {
  const gone = app.system.db.selectFrom('accounts').innerJoin('companies', 'companies.id', 'accounts.company_id')
  const isLive = await gone
    .select('accounts.id')
    .where('accounts.id', '=', round.account)
    .where('companies.deleted_at', 'is', null)
    .executeTakeFirst()
  if (role === 'anonymous' || isLive === undefined) return start()
  const next = await makePerson(round, role)
  return { ...round, people: round.people.map((person) => (person.as === as ? next : person)) }
}

function addressOf(call: Call, source: Source, fitting: Fitting | undefined): string {
  if (fitting?.path !== undefined) return fitting.path
  const anyParams = call.params === undefined ? {} : Object(randomValue(call.params, { ...source, mistakes: source.mistakes / 4 }))
  const params = { ...anyParams, ...fitting?.params }
  const path = call.path.replace(/:(\w+)/g, (_whole, name: string) => encodeURIComponent(wellFormed(params[name] ?? randomId(source))))
  const query = fitting?.query ?? (call.query === undefined || fitting?.body !== undefined ? {} : Object(randomValue(call.query, source)))
  const pairs = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, wellFormed(value)]]))
  return `/api/v1${path}${pairs.length === 0 ? '' : `?${new URLSearchParams(pairs).toString()}`}`
}

const wellFormed = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).toWellFormed()

function bodyOf(call: Call, source: Source, fitting: Fitting | undefined): unknown {
  if (fitting?.body !== undefined) return source.random() < 0.5 ? fitting.body : { ...fitting.body, ...fewValues(call, source) }
  const chance = source.random()
  if (chance < 0.02) return pick(source.random, ['{', '', 'null', '[[[[[', '"text"', '{"a":1,"a":2}', '['.repeat(2_000)])
  if (chance < 0.04) return randomAnything(source)
  return call.body === undefined ? undefined : randomValue(call.body, source)
}

/** Random values of one to three fields. */
function fewValues({ body }: Call, source: Source): Record<string, unknown> {
  const fields = body === undefined ? [] : Object.entries(fieldsOf(body))
  if (fields.length === 0) return {}
  const chosen = Array.from({ length: pick(source.random, [1, 1, 2, 3]) }, () => pick(source.random, fields))
  return Object.fromEntries(chosen.map(([name, field]) => [name, randomValue(field, source)]))
}

function send(as: As, call: Call, path: string, body: unknown): Promise<TestAnswer> {
  if (call.method === 'GET') return as.get(path)
  const method = { POST: as.post, PUT: as.put, PATCH: as.patch, DELETE: as.delete }[call.method]
  return method(path, body)
}

/** What is wrong with an answer, or undefined. */
function faultOf({ status, body }: TestAnswer): string | undefined {
  if (status >= 500) return `${status} ${JSON.stringify(body).slice(0, 200)}`
  if (status < 400) return undefined
  if (!ErrorBody.safeParse(body).success) return `${status} with another body: ${JSON.stringify(body).slice(0, 200)}`
  const texts = [body.message, ...Object.values<string[]>(body.errors ?? {}).flat()]
  const raw = texts.find(
    (text) =>
      text === '' ||
      /invalid input|expected (?:string|number|boolean|array|object|record)|undefined|\[object|regular expression|ZodError/i.test(text),
  )
  return raw === undefined ? undefined : `${status} with a text that is not for people: ${raw}`
}

it(`answers ${CALLS} random calls without an error of its own`, async () => {
  const roles = await app.system.db.selectFrom('roles').select(['id', 'name', 'permissions']).where('company_id', 'is', null).execute()
  const permissionsOf = new Map<string, string[]>(roles.map(({ name, permissions }) => [name, permissions]))
  const words = await vocabulary()
  const statuses = new Map<number, number>()
  const faults = new Map<string, { times: number; example: string }>()
  const called = new Map<string, boolean>()
  const changing = routes.filter(({ call }) => call.method !== 'GET' && call.can !== 'public')
  let round = await startRound(roles)
  for (let made = 0; made < CALLS; made += 1) {
    if (made > 0 && made % CALLS_PER_ROUND === 0) round = await startRound(roles)
    const missing = random() < MISSING_SHARE ? routes.filter(({ call }) => called.get(nameOf(call)) !== true) : []
    const { call } = pick(random, missing.length > 0 ? missing : random() < 0.5 ? routes : changing)
    const entitled = round.people.filter(({ role }) => permissionsOf.get(role)?.includes(call.can) ?? false)
    const person = pick(random, entitled.length > 0 && (missing.length > 0 || random() < 0.6) ? entitled : round.people)
    const { role, as } = person
    const fitting = round.byModel[call.path.split('/').find((part) => part in round.byModel) ?? '']
    const source: Source = {
      random,
      fitting,
      likely: {
        // Restore and row actions find the record that an earlier call trashed or changed.
        ...(fitting === undefined ? {} : { ids: [fitting] }),
        version: pick(random, [1, 1, 1, 2, 3]),
        company_id: round.companyId,
        roles: [pick(random, roles).id],
        password: 'level and plumb 31',
        size: 1_024,
      },
      ids: round.ids,
      words,
      mistakes: pick(random, [0, 0.05, 0.3]),
    }
    const scene = { app, origin, idp, as, account: round.account, companyId: round.companyId, random, some: someOf(as, random) }
    const request = missing.length > 0 || random() < FITTING_SHARE ? await fittingRequest(call, scene) : undefined
    const [path, body] = [addressOf(call, source, request), bodyOf(call, source, request)]
    const answer = await send(request?.as ?? as, call, path, body)
    const name = nameOf(call)
    called.set(name, called.get(name) === true || answer.status < 400)
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
    if (name === nameOf(maintenanceCalls.start) && answer.status < 300) {
      // Every later call would be answered with 503. An earlier one may have taken rights from administrators.
      round = await startRound(roles)
      await endMaintenance()
    }
    // Signed out, deleted, or without a company by an earlier call.
    if (answer.status === 401 && role !== 'anonymous') round = await replaced(round, person, () => startRound(roles))
    if (answer.status === 201 && typeof answer.body.data?.id === 'string') round.ids.push(answer.body.data.id)
    const fault = faultOf(answer)
    if (fault === undefined) continue
    const key = `${name} ${fault.replace(/"request_id":"[^"]*"/, '')}`
    const example = `${role} ${call.method} ${path.slice(0, 600)} ${JSON.stringify(body)?.slice(0, 1_500) ?? ''}`
    faults.set(key, { times: (faults.get(key)?.times ?? 0) + 1, example: faults.get(key)?.example ?? example })
  }
  const report = [...faults].map(([fault, { times, example }]) => `${times} x ${fault}\n    ${example}`).join('\n')
  const counts = [...statuses].toSorted(([one], [other]) => one - other).map(([status, times]) => `${status}: ${times}`)
  const rejected = [...called].filter(([name, succeeded]) => !succeeded && !WITHOUT_ACTIONS.has(name)).map(([name]) => name)
  process.stdout.write(`Never successful: ${rejected.join(', ') || 'none'}.\n`)
  process.stdout.write(`${CALLS} calls of seed ${SEED} to ${called.size} of ${routes.length} calls of the contract. ${counts.join(', ')}\n`)
  if (REPORT !== undefined) writeFileSync(REPORT, report)
  expect(report).toBe('')
})
