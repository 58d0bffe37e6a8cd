import { stringifySearch } from './search-params.ts'

export type AccountTab = 'overview' | 'properties' | 'files' | 'invites'

export const withQuery = (path: string, query: Record<string, string | number | undefined>): string => path + stringifySearch(query)

/** The addresses that every model with a list page has. */
export const modelPaths = (name: string) => ({
  list: () => `/${name}`,
  create: () => `/${name}/create`,
  record: (id: string) => `/${name}/${id}`,
  edit: (id: string) => `/${name}/${id}/edit`,
})

const accounts = modelPaths('accounts')
const account = accounts.record

/** Every address of the application. */
export const paths = {
  login: (returnTo?: string) => withQuery('/login', { r: returnTo }),
  forgotPassword: () => '/forgot-password',
  maintenance: () => '/maintenance',
  dashboard: () => '/',
  startAccount: () => '/start-account',
  quickView: (id: string) => `/quickview/accounts/${id}`,
  accounts: accounts.list,
  invitedAccounts: () => withQuery(accounts.list(), { filter__invites: '1' }),
  assignedAccounts: () => '/your-accounts',
  newAccount: accounts.create,
  editAccount: accounts.edit,
  account,
  accountTab: (id: string, tab: AccountTab) => (tab === 'overview' ? account(id) : withQuery(account(id), { tab })),
  editOverview: (id: string) => `${account(id)}/edit-overview`,
  accountExport: (id: string) => `${account(id)}/export`,
  import: (id: string) => `${account(id)}/import`,
  upload: (id: string) => `${account(id)}/upload`,
  file: (accountId: string, fileId: string) => `${account(accountId)}/files/${fileId}`,
  newProperty: (accountId: string) => `${account(accountId)}/properties/create`,
  property: (accountId: string, propertyId: string) => `${account(accountId)}/properties/${propertyId}`,
  editProperty: (accountId: string, propertyId: string) => `${account(accountId)}/properties/${propertyId}/edit`,
  propertyUpload: (accountId: string, propertyId: string) => `${account(accountId)}/properties/${propertyId}/upload`,
  settings: () => '/settings',
  profile: () => '/profile',
  users: modelPaths('users').list,
  userCompany: (id: string) => `/users/users-company/${id}`,
} as const

const NEVER_RETURNED_TO = ['/', '/login', '/maintenance', '/forgot-password']

/** Where to return after signing in: only to a path of this application, and never to the public pages. */
export function returnPath(candidate: string | undefined): string | undefined {
  if (candidate === undefined || !candidate.startsWith('/') || /^\/[/\\]/.test(candidate) || hasControls(candidate)) return undefined
  const path = new URL(candidate, window.location.origin)
  return path.origin !== window.location.origin || NEVER_RETURNED_TO.includes(path.pathname) ? undefined : candidate
}

function hasControls(text: string): boolean {
  return [...text].some((character) => character < ' ' || character === '\u007f')
}
