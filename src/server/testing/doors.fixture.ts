import type { Model } from '#contract/permissions.ts'
import type { As, TestAnswer } from './app.ts'
import { MARK, type Tenant } from './tenants.fixture.ts'

type Ids = Tenant['ids']

/** Where a record might be seen: addresses of answers that would hold its mark, and addresses of the record itself. */
interface Windows {
  /** Shown by what the answer says. */
  lists: (ids: Ids) => readonly string[]
  /** Shown by being answered at all; must be like the answer about an id that nobody has. */
  pages: (ids: Ids) => readonly string[]
  /** Writes that a stranger tries; must be answered as for an id that nobody has. */
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

/** A new model does not compile until it says where it might be seen. */
export const WINDOWS: Readonly<Record<Model, Windows>> = {
  accounts: {
    lists: ({ accounts }) => [
      '/accounts',
      `/accounts?search=${MARK}`,
      `/accounts?filter__trashed=with`,
      `/accounts/search?search=${MARK}`,
      `/accounts?filter__account_id=${accounts}`,
    ],
    pages: ({ accounts }) => [
      `/accounts/${accounts}`,
      `/forms/accounts/${accounts}`,
      `/accounts/${accounts}/activity`,
      `/accounts/${accounts}/files`,
      `/account_properties/${accounts}/map`,
      `/metrics/accounts/${accounts}/property-types`,
      `/metrics/accounts/${accounts}/property-locations`,
      `/metrics/accounts/${accounts}/reconciliation`,
    ],
    writes: ({ accounts }) => [
      { method: 'put', path: `/accounts/${accounts}`, body: { name: 'Mine' } },
      { method: 'delete', path: `/accounts/${accounts}` },
      { method: 'patch', path: '/accounts/status', body: { account_id: accounts, status_id: accounts } },
      { method: 'post', path: `/accounts/${accounts}/reconciliation` },
      { method: 'post', path: `/accounts/${accounts}/files/action`, body: { action: 'archive' } },
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
      `/account_properties?search=${MARK}`,
      `/account_properties?search=${MARK}&filter__account_id=${accounts}`,
      `/account_properties/search?search=${MARK}`,
      `/account_properties/search?search=${MARK}&filter__account_id=${accounts}`,
    ],
    pages: ({ account_properties: id }) => [
      `/account_properties/${id}`,
      `/forms/account_properties/${id}`,
      `/account_properties/${id}/quality`,
    ],
    writes: ({ account_properties: id }) => [
      { method: 'put', path: `/account_properties/${id}`, body: { version: 1, property_name: 'Mine' } },
      act('account_properties', 'divest', id),
      ...trashAndRestore('account_properties', id),
    ],
  },
  account_files: {
    lists: ({ accounts, account_properties }) => [
      '/account_files',
      `/account_files?filter__account_id=${accounts}`,
      `/account_files?filter__property_id=${account_properties}`,
      `/account_files?search=${MARK}`,
      `/account_files?search=${MARK}&filter__account_id=${accounts}`,
    ],
    pages: ({ accounts, account_files: id }) => ['', '/preview', '/details'].map((rest) => `/accounts/${accounts}/files/${id}${rest}`),
    writes: ({ accounts, account_files: id }) => [
      { method: 'patch', path: `/accounts/${accounts}/files/${id}`, body: { private: true } },
      select('delete', `/accounts/${accounts}/files`, id),
      { method: 'post', path: `/accounts/${accounts}/files/action`, body: { action: 'set_private', files: [id] } },
      { method: 'post', path: `/accounts/${accounts}/files/action`, body: { action: 'archive', files: [id] } },
      ...trashAndRestore('account_files', id),
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
  companies: {
    lists: () => ['/companies', `/companies?search=${MARK}`, `/companies/search?search=${MARK}`],
    pages: ({ companies: id }) => [`/companies/${id}`, `/forms/companies/${id}`],
    writes: ({ companies: id }) => [
      { method: 'put', path: `/companies/${id}`, body: { name: 'Mine' } },
      ...trashAndRestore('companies', id),
    ],
  },
  users: {
    lists: () => ['/users', `/users?search=${MARK}`, `/users/search?search=${MARK}`],
    pages: ({ users: id }) => [`/users/${id}`, `/forms/users/${id}`],
    writes: ({ users: id }) => [{ method: 'put', path: `/users/${id}`, body: { first_name: 'Mine' } }, ...trashAndRestore('users', id)],
  },
}

let serial = 0
/** A kept body answers only the very same query: each look is a new one. Calls that refuse what they do not know have no kept bodies. */
const afresh = (path: string) =>
  /^\/\w+(\?|$)/.test(path) ? `${path}${path.includes('?') ? '&' : '?'}filter__look=${(serial += 1)}` : path
export const look = (as: As, path: string): Promise<TestAnswer> => as.get(`/api/v1${afresh(path)}`)
const shows = ({ status, raw }: TestAnswer): boolean => status === 200 && raw.toString().toLowerCase().includes(MARK)

/** The addresses at which this caller sees the tenant's record of the model, and those at which not. */
export async function lookAround(as: As, model: Model, ids: Ids): Promise<{ seen: string[]; unseen: string[] }> {
  const seen: string[] = []
  const unseen: string[] = []
  for (const path of WINDOWS[model].lists(ids)) (shows(await look(as, path)) ? seen : unseen).push(path)
  for (const path of WINDOWS[model].pages(ids)) ((await look(as, path)).status === 200 ? seen : unseen).push(path)
  return { seen, unseen }
}

/** What a person can tell from an answer: all of it, but for what names the request. */
export const visibleOf = ({ status, headers, raw }: TestAnswer) => {
  const { 'x-request-id': _request, date: _date, ...rest } = headers
  return { status, headers: rest, body: raw.toString() }
}

export const send = (as: As, { method, path, body }: Write): Promise<TestAnswer> => as[method](`/api/v1${path}`, body)
