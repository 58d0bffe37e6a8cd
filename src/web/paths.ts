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

const reports = (accountId: string, propertyId: string) => `${account(accountId)}/properties/${propertyId}/risk_control`

/** Every address of the application. */
export const paths = {
  login: (returnTo?: string) => withQuery('/login', { r: returnTo }),
  /** With the email that its form begins with. */
  sso: (returnTo?: string, email?: string) => withQuery('/sso', { r: returnTo, email }),
  forgotPassword: () => '/forgot-password',
  /** With the link that opens again afterwards, for people from outside. */
  maintenance: (link?: string) => withQuery('/maintenance', { r: link }),
  fileCheck: () => '/check',
  about: () => '/about',
  visitEnded: () => '/visit-ended',
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
  documents: (id: string, kind: 'disclosed' | 'submission') =>
    withQuery(account(id), { tab: 'files', filter__sov: kind === 'submission' ? '1' : '0' }),
  /** The properties or documents of an account that are new or changed since a moment. */
  since: (id: string, tab: 'properties' | 'files', filters: Readonly<Record<string, string>>) =>
    withQuery(account(id), { tab, ...filters }),
  divested: (id: string) => withQuery(account(id), { tab: 'properties', filter__status: 'divested' }),
  editOverview: (id: string) => `${account(id)}/edit-overview`,
  downloads: () => '/downloads',
  /** All links and invitations of the company. */
  access: () => '/access',
  accountExport: (id: string) => `${account(id)}/export`,
  import: (id: string) => `${account(id)}/import`,
  openImport: (id: string, importId: string) => withQuery(`${account(id)}/import`, { import: importId, view: 'sheet' }),
  upload: (id: string) => `${account(id)}/upload`,
  invites: (id: string) => `${account(id)}/invites`,
  invite: (accountId: string, id: string) => `${account(accountId)}/invites/${id}`,
  inviteUploader: (id: string) => withQuery(`${account(id)}/invites/create`, { search: 'upload_only' }),
  /** With the page of a PDF that the preview shows first. */
  file: (accountId: string, fileId: string, page?: number) => withQuery(`${account(accountId)}/files/${fileId}`, { preview_page: page }),
  newProperty: (accountId: string) => `${account(accountId)}/properties/create`,
  property: (accountId: string, propertyId: string) => `${account(accountId)}/properties/${propertyId}`,
  editProperty: (accountId: string, propertyId: string) => `${account(accountId)}/properties/${propertyId}/edit`,
  propertyUpload: (accountId: string, propertyId: string) => `${account(accountId)}/properties/${propertyId}/upload`,
  newReport: (accountId: string, propertyId: string) => `${reports(accountId, propertyId)}/create`,
  report: (accountId: string, propertyId: string, id: string) => `${reports(accountId, propertyId)}/${id}`,
  editReport: (accountId: string, propertyId: string, id: string) => `${reports(accountId, propertyId)}/${id}/edit`,
  flags: modelPaths('flags').list,
  flag: modelPaths('flags').record,
  settings: () => '/settings',
  profile: () => '/profile',
  users: modelPaths('users').list,
  user: modelPaths('users').record,
  /** The company of the role, if it has one, is that of the user. */
  newUserWithRole: (role: string, company?: string) =>
    withQuery(modelPaths('users').create(), { roles: role, ...(company === undefined ? {} : { company_id: company }) }),
  company: modelPaths('companies').record,
  companyUser: (id: string, user: string) => `/companies/${id}/users/${user}`,
  newCompanyUser: (id: string) => `/companies/${id}/users/create`,
  companySubscription: (id: string, subscription: string) => `/companies/${id}/subscriptions/${subscription}`,
  newCompanyWith: (subscription: string) => withQuery(modelPaths('companies').create(), { subscription_id: subscription }),
  usersOf: (company: string) => withQuery('/users', { filter__company: company }),
  usersWithRole: (role: string) => withQuery('/users', { filter__role: role }),
  companiesWithRole: (role: string) => withQuery('/companies', { filter__role: role }),
  companiesWithSubscription: (subscription: string) => withQuery('/companies', { filter__subscription: subscription }),
  accountsOf: (company: string) => withQuery(accounts.list(), { filter__company: company }),
  userCompany: (id: string) => `/users/users-company/${id}`,
} as const

const NEVER_RETURNED_TO = ['/', '/login', '/maintenance', '/forgot-password', '/sso']

/** Where to return after signing in: only to a path of this application, and never to the public pages. */
export function returnPath(candidate: string | undefined): string | undefined {
  if (candidate === undefined || !candidate.startsWith('/') || /^\/[/\\]/.test(candidate) || hasControls(candidate)) return undefined
  const path = new URL(candidate, window.location.origin)
  return path.origin !== window.location.origin || NEVER_RETURNED_TO.includes(path.pathname) ? undefined : candidate
}

/** The address of a link or invitation, which opens again without a sign-in; undefined for every other one. */
export const entryPath = (candidate: string | undefined): string | undefined =>
  candidate !== undefined && /^\/(invite|account\/[^/]+\/share)\//.test(candidate) ? returnPath(candidate) : undefined

function hasControls(text: string): boolean {
  return [...text].some((character) => character < ' ' || character === '\u007f')
}
