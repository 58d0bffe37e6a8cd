import { MODEL_NAMES, type Model } from '#contract/models.ts'
import type { As, TestAnswer } from './app.ts'
import { ISOLATED_MODELS } from './model-visibility.ts'
import type { Tenant } from './tenants.fixture.ts'

/** Part of the name of every record of the tenant: a response that contains it shows one of these records. */
export const MARKER = 'zanzibar'

/** A word in the text of the document of the tenant. */
export const TEXT_MARKER = 'bandicoot'

type Ids = Tenant['ids']

/** Every call that could leak a record to a caller without access. */
interface LeakProbes {
  /** Responses that would contain the marker. */
  lists: (ids: Ids) => readonly string[]
  /** Calls about the record itself; without access they must answer exactly as for an id that does not exist. */
  pages: (ids: Ids) => readonly string[]
  /** Writes; without access they must answer exactly as for an id that does not exist. */
  writes: (ids: Ids) => readonly Write[]
}

interface Write {
  method: Exclude<keyof As, 'get'>
  path: string
  body?: unknown
}

const select = (method: Write['method'], path: string, id: string): Write => ({ method, path, body: { ids: [id] } })
const act = (model: Model, action: string, id: string): Write => ({
  method: 'post',
  path: `/${model}/actions`,
  body: { action, selectedIds: [id] },
})
const trashAndRestore = (model: Model, id: string): Write[] => [
  select('delete', `/${model}`, id),
  { method: 'delete', path: `/${model}`, body: { ids: [id], force: true } },
  select('post', `/${model}/restore`, id),
]
const upload = { filePath: 'a.txt', size: 3 }

/** The probes of a model that has the calls of `recordCalls` and no others. */
const recordProbes = (model: Model): LeakProbes => ({
  lists: () => [`/${model}`, `/${model}?search=${MARKER}`, `/${model}/search?search=${MARKER}`],
  pages: ({ [model]: id }) => [`/${model}/${id}`, `/forms/${model}/${id}`, `/${model}/${id}/activity`],
  writes: ({ [model]: id = '' }) => [{ method: 'put', path: `/${model}/${id}`, body: {} }, ...trashAndRestore(model, id)],
})

/** Models with other calls than those of `recordCalls`. */
const OTHER_PROBES: Partial<Record<Model, LeakProbes>> = {
  accounts: {
    lists: ({ accounts }) => [
      '/accounts',
      `/accounts?search=${MARKER}`,
      `/accounts?filter__trashed=with`,
      `/accounts/search?search=${MARKER}`,
      `/accounts?filter__account_id=${accounts}`,
    ],
    pages: ({ accounts }) => [
      `/accounts/${accounts}`,
      `/forms/accounts/${accounts}`,
      `/accounts/${accounts}/activity`,
      `/accounts/${accounts}/files`,
      `/accounts/${accounts}/downloads`,
      `/accounts/${accounts}/receipt`,
      `/account_properties/${accounts}/map`,
      `/metrics/accounts/${accounts}/property-types`,
      `/metrics/accounts/${accounts}/property-locations`,
      `/metrics/accounts/${accounts}/reconciliation`,
    ],
    writes: ({ accounts }) => [
      { method: 'put', path: `/accounts/${accounts}`, body: { name: 'Mine' } },
      { method: 'delete', path: `/accounts/${accounts}` },
      { method: 'post', path: `/accounts/${accounts}/hand-over` },
      { method: 'patch', path: '/accounts/status', body: { account_id: accounts, status_id: accounts } },
      { method: 'post', path: `/accounts/${accounts}/reconciliation` },
      { method: 'post', path: `/accounts/${accounts}/files/action`, body: { action: 'archive' } },
      { method: 'post', path: `/accounts/${accounts}/files/action`, body: { action: 'document_list' } },
      { method: 'post', path: '/account_properties/property-list/download', body: { account_id: accounts } },
      { method: 'post', path: '/account_properties/with-documents/download', body: { account_id: accounts } },
      ...[true, false].map((with_documents) => ({
        method: 'post' as const,
        path: '/account_properties/actions',
        body: { action: 'export_excel', handle: 'json', input: 'all', account_id: accounts, with_documents },
      })),
      { method: 'post', path: `/accounts/${accounts}/files/signed-url`, body: upload },
      { method: 'post', path: `/accounts/${accounts}/files/multipart`, body: upload },
      { method: 'post', path: `/account_files`, body: { file: { name: 'a.txt', size: 3 }, s3ObjectLocation: 'a', account_id: accounts } },
      {
        method: 'post',
        path: '/account_properties',
        body: { account_id: accounts, address: '1 Main St', city: 'Dallas', country: 'US', currency: 'USD' },
      },
      act('accounts', 'add-favorite', accounts),
      ...trashAndRestore('accounts', accounts),
    ],
  },
  account_properties: {
    lists: ({ accounts }) => [
      '/account_properties',
      `/account_properties?filter__account_id=${accounts}`,
      `/account_properties?search=${MARKER}`,
      `/account_properties?search=${MARKER}&filter__account_id=${accounts}`,
      `/account_properties/search?search=${MARKER}`,
      `/account_properties/search?search=${MARKER}&filter__account_id=${accounts}`,
    ],
    pages: ({ account_properties: id }) => [
      `/account_properties/${id}/activity`,
      `/account_properties/${id}/history`,
      `/account_properties/${id}`,
      `/forms/account_properties/${id}`,
      `/account_properties/${id}/quality`,
    ],
    writes: ({ account_properties: id }) => [
      { method: 'put', path: `/account_properties/${id}`, body: { version: 1, property_name: 'Mine' } },
      act('account_properties', 'divest', id),
      { ...act('account_properties', 'flag', id), body: { action: 'flag', selectedIds: [id], input: { message: 'Mine' } } },
      ...trashAndRestore('account_properties', id),
    ],
  },
  account_files: {
    lists: ({ accounts, account_properties }) => [
      '/account_files',
      `/account_files?filter__account_id=${accounts}`,
      `/account_files?filter__property_id=${account_properties}`,
      `/account_files?search=${MARKER}`,
      `/account_files/search?search=${MARKER}`,
      `/account_files/search?search=${MARKER}&filter__account_id=${accounts}`,
      `/account_files?search=${MARKER}&filter__account_id=${accounts}`,
      // Only in the text of the document; an answer that finds it has the name.
      `/account_files?search=${TEXT_MARKER}`,
      `/account_files/text-search?search=${TEXT_MARKER}`,
      `/account_files/text-search?search=${TEXT_MARKER}&filter__account_id=${accounts}`,
    ],
    pages: ({ accounts, account_files: id }) => [
      ...['', '/preview', '/details', '/versions', '/versions/1/preview', '/versions/1/sheet', '/versions/1/download'].map(
        (rest) => `/accounts/${accounts}/files/${id}${rest}`,
      ),
      `/account_files/${id}/activity`,
    ],
    writes: ({ accounts, account_files: id }) => [
      { method: 'patch', path: `/accounts/${accounts}/files/${id}`, body: { private: true } },
      { method: 'post', path: `/accounts/${accounts}/files/${id}/versions`, body: { from: id } },
      { method: 'post', path: `/accounts/${accounts}/files/${id}/versions/1/current` },
      select('delete', `/accounts/${accounts}/files`, id),
      { method: 'post', path: `/accounts/${accounts}/files/action`, body: { action: 'set_private', files: [id] } },
      { method: 'post', path: `/accounts/${accounts}/files/action`, body: { action: 'archive', files: [id] } },
      { method: 'post', path: `/accounts/${accounts}/files/action`, body: { action: 'document_list', files: [id] } },
      ...trashAndRestore('account_files', id),
    ],
  },
  risk_control: {
    lists: ({ accounts, account_properties }) => [
      '/risk_control',
      `/risk_control?filter__account_id=${accounts}`,
      `/risk_control?filter__property_id=${account_properties}`,
      `/risk_control?search=${MARKER}`,
      `/risk_control/search?search=${MARKER}`,
      `/risk_control/search?search=${MARKER}&filter__account_id=${accounts}`,
    ],
    pages: ({ risk_control: id }) => [`/risk_control/${id}`, `/forms/risk_control/${id}`],
    writes: ({ risk_control: id, account_properties: property_id }) => [
      { method: 'put', path: `/risk_control/${id}`, body: { title: 'Mine' } },
      { method: 'delete', path: `/risk_control/${id}` },
      { method: 'post', path: '/risk_control', body: { property_id, title: 'Mine', survey_date: '2026-01-05' } },
      { method: 'post', path: `/risk_control/${id}/recommendations/${id}/responses`, body: { text: 'Mine' } },
      ...trashAndRestore('risk_control', id),
    ],
  },
  companies: {
    ...recordProbes('companies'),
    writes: (ids) => [...recordProbes('companies').writes(ids), select('post', '/companies/contents', ids.companies)],
  },
  users: {
    ...recordProbes('users'),
    writes: (ids) => [
      ...recordProbes('users').writes(ids),
      { method: 'post', path: `/users/${ids.users}/sendwelcome` },
      { method: 'post', path: `/users/${ids.users}/reset-second-factor`, body: { current_password: 'Mine' } },
      ...['send_welcome', 'deactivate', 'reactivate'].map((action) => act('users', action, ids.users)),
    ],
  },
  flags: {
    lists: ({ accounts, account_properties, risk_control }) => [
      '/flags',
      `/flags?search=${MARKER}`,
      `/flags?search=${MARKER}&filter__account_id=${accounts}`,
      `/flags?filter__property_id=${account_properties}`,
      `/flags?filter__risk_control_id=${risk_control}`,
      '/flags?filter__status=open&sort=due_on&order=asc',
    ],
    pages: ({ flags: id, accounts, account_properties: property }) => [
      `/flags/${id}`,
      `/accounts/${accounts}/flag-assignees?flaggable_type=account_property&flaggable_id=${property}`,
    ],
    writes: ({ flags: id, account_properties, account_files, risk_control }) => [
      { method: 'put', path: `/flags/${id}`, body: { status: 'dismissed', resolution: 'Mine' } },
      { ...act('flags', 'dismiss', id), body: { action: 'dismiss', selectedIds: [id], input: { resolution: 'Mine' } } },
      { method: 'post', path: '/flags', body: { flaggable_type: 'account_property', flaggable_id: account_properties, message: 'Mine' } },
      { method: 'post', path: '/flags', body: { flaggable_type: 'account_file', flaggable_id: account_files, message: 'Mine' } },
      { method: 'post', path: '/flags', body: { flaggable_type: 'risk_control', flaggable_id: risk_control, message: 'Mine' } },
    ],
  },
  discrepancies: {
    lists: ({ accounts, account_properties }) => [
      '/discrepancies',
      `/discrepancies?filter__account_id=${accounts}`,
      `/discrepancies?filter__property_id=${account_properties}`,
    ],
    pages: ({ discrepancies: id }) => [`/discrepancies/${id}`],
    writes: ({ discrepancies: id }) => [
      { method: 'put', path: `/discrepancies/${id}`, body: { status: 'kept', note: 'Mine' } },
      act('discrepancies', 'kept', id),
    ],
  },
  account_invites: {
    lists: ({ accounts }) => ['/account_invites', `/account_invites?filter__account_id=${accounts}`, `/account_invites?search=${MARKER}`],
    pages: ({ account_invites: id }) => [`/account_invites/${id}`],
    writes: ({ account_invites: id }) => [
      { method: 'post', path: '/account_invites/send', body: { invite_id: id } },
      ...['extend', 'issue_permanently', 'revoke'].map((action) => act('account_invites', action, id)),
    ],
  },
  property_imports: {
    lists: ({ accounts }) => [
      '/property_imports',
      `/property_imports?filter__account_id=${accounts}`,
      `/property_imports?search=${MARKER}`,
      `/properties/import/${accounts}/history`,
    ],
    pages: ({ property_imports: id }) => [`/properties/import/${id}`, `/properties/import/${id}/rows`],
    writes: ({ property_imports: id }) => [
      { method: 'put', path: `/properties/import/${id}`, body: { mode: 'add_only' } },
      { method: 'delete', path: `/properties/import/${id}` },
      act('property_imports', 'export_csv', id),
    ],
  },
}

const probesOf = (model: Model) => [model, OTHER_PROBES[model] ?? recordProbes(model)] as const
export const LEAK_PROBES = Object.fromEntries(MODEL_NAMES.map(probesOf)) as Readonly<Record<Model, LeakProbes>> // one entry for each model

let serial = 0
/** List responses are cached by query, so each probe of a list has a new query. Other calls reject unknown parameters. */
const uncached = (path: string) =>
  /^\/\w+(\?|$)/.test(path) ? `${path}${path.includes('?') ? '&' : '?'}filter__probe=${(serial += 1)}` : path
export const probe = (as: As, path: string): Promise<TestAnswer> => as.get(`/api/v1${uncached(path)}`)
const shows = ({ status, raw }: TestAnswer): boolean => status === 200 && raw.toString().toLowerCase().includes(MARKER)

/** Splits the probes of a model into those that show the record to this caller and those that do not. */
export async function probeAll(as: As, model: Model, ids: Ids): Promise<{ seen: string[]; unseen: string[] }> {
  const seen: string[] = []
  const unseen: string[] = []
  for (const path of LEAK_PROBES[model].lists(ids)) (shows(await probe(as, path)) ? seen : unseen).push(path)
  for (const path of LEAK_PROBES[model].pages(ids)) ((await probe(as, path)).status === 200 ? seen : unseen).push(path)
  return { seen, unseen }
}

const PLACEHOLDERS = Object.fromEntries(Object.keys(LEAK_PROBES).map((model) => [model, 'id'])) as Ids // one id for each model
/** Isolated models with a probe whose path matches: models with a search, with a trash and the like. */
export const modelsProbedAt = (path: RegExp): Model[] =>
  ISOLATED_MODELS.filter((model) => {
    const { lists, writes } = LEAK_PROBES[model]
    return [...lists(PLACEHOLDERS), ...writes(PLACEHOLDERS).map((write) => write.path)].some((candidate) => path.test(candidate))
  })

/** Everything a client can observe in a response, without the headers that identify the request. */
export const observable = ({ status, headers, raw }: TestAnswer) => {
  const { 'x-request-id': _request, date: _date, ...rest } = headers
  return { status, headers: rest, body: raw.toString() }
}

export const send = (as: As, { method, path, body }: Write): Promise<TestAnswer> => as[method](`/api/v1${path}`, body)
