import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  type AnyRoute,
  type AnyRouter,
  type RouteComponent,
  type RouterHistory,
} from '@tanstack/react-router'
import type { ListedModel } from './data/queries.ts'
import {
  dashboardOrFirstPlace,
  loadSessionIfAny,
  onlySignedOut,
  onlySignedOutOrGuest,
  onlyWithoutList,
  requires,
  signedInOrLogin,
  type Entered,
} from './guards.ts'
import { parseSearch, stringifySearch } from './search-params.ts'
import { InitialisingOverlay } from './shell/full-screen.tsx'
import { PageFailure } from './shell/page-failure.tsx'
import { Root } from './shell/root.tsx'

const OVERLAY_AFTER_MS = 150

const root = createRootRoute({ component: Root })

const anyNotFound = lazyRouteComponent(() => import('./shell/signed-in.tsx'), 'AnyNotFound')
const notFound = createRoute({ getParentRoute: () => root, path: '$', beforeLoad: loadSessionIfAny, component: anyNotFound })

const entrances = [
  createRoute({
    getParentRoute: () => root,
    path: 'login',
    beforeLoad: onlySignedOut,
    component: lazyRouteComponent(() => import('./features/session/sign-in.page.tsx'), 'SignInPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: 'forgot-password',
    beforeLoad: onlySignedOut,
    component: lazyRouteComponent(() => import('./features/session/forgot-password.page.tsx'), 'ForgotPasswordPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: 'reset-password/{-$token}',
    beforeLoad: onlySignedOutOrGuest,
    component: lazyRouteComponent(() => import('./features/session/reset-password.page.tsx'), 'ResetPasswordPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: 'maintenance',
    component: lazyRouteComponent(() => import('./features/session/maintenance.page.tsx'), 'MaintenancePage'),
  }),
]

const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  beforeLoad: signedInOrLogin,
  pendingComponent: InitialisingOverlay,
  pendingMs: OVERLAY_AFTER_MS,
  component: lazyRouteComponent(() => import('./shell/signed-in.tsx'), 'SignedIn'),
})

/** A page of its own address. */
const page = (path: string, component: RouteComponent): AnyRoute => createRoute({ getParentRoute: () => signedIn, path, component })
type Ahead = (asked: { location: { search: Record<string, unknown> } }) => void
/** A page that lends its frame to every path of its children, which all keep it mounted; the guard keeps out those who may not see it. */
const frame = (id: string, guard: (asked: Entered) => void, component: RouteComponent, ahead?: Ahead): AnyRoute =>
  createRoute({
    getParentRoute: () => signedIn,
    id,
    beforeLoad: guard,
    component,
    ...(ahead === undefined ? {} : { loader: ahead }),
  })
/** The first answers of a list are asked for while its code is loaded, and nobody waits for them. */
const listAhead =
  (model: ListedModel): Ahead =>
  ({ location }) =>
    void import('./engines/datatable/list-queries.ts').then(({ prefetchList }) => prefetchList(model, location.search))
/** A panel over the page that frames it. Without a component: the page alone. */
const at = (parent: AnyRoute, path: string, component?: RouteComponent): AnyRoute =>
  createRoute({ getParentRoute: () => parent, path, ...(component === undefined ? {} : { component }) })

function accountsList(): AnyRoute {
  const list = frame(
    'accounts',
    requires('view_accounts_component'),
    lazyRouteComponent(() => import('./features/accounts/accounts.page.tsx'), 'AccountsPage'),
    listAhead('accounts'),
  )
  const form = lazyRouteComponent(() => import('./features/accounts/account-form.panel.tsx'), 'AccountFormPanel')
  return list.addChildren([at(list, 'accounts'), at(list, 'accounts/create', form), at(list, 'accounts/$id/edit', form)])
}

/** The account and the panels over it (S1 2.5). */
function account(): AnyRoute {
  const shown = frame(
    'account',
    requires('view_account_details'),
    lazyRouteComponent(() => import('./account-page.tsx'), 'AccountPage'),
  )
  const upload = lazyRouteComponent(() => import('./features/account-files/upload.panel.tsx'), 'UploadPanel')
  const file = lazyRouteComponent(() => import('./features/account-files/file.panel.tsx'), 'FilePanel')
  const property = lazyRouteComponent(() => import('./features/account-properties/property-form.panel.tsx'), 'PropertyFormPanel')
  return shown.addChildren([
    at(shown, 'accounts/$id'),
    at(shown, 'accounts/$id/export'),
    at(
      shown,
      'accounts/$id/edit-overview',
      lazyRouteComponent(() => import('./features/accounts/account-form.panel.tsx'), 'AccountFormPanel'),
    ),
    at(shown, 'accounts/$id/create', property),
    at(shown, 'accounts/$id/properties/create', property),
    at(
      shown,
      'accounts/$id/properties/$prop_id',
      lazyRouteComponent(() => import('./features/account-properties/property.panel.tsx'), 'PropertyPanel'),
    ),
    at(shown, 'accounts/$id/properties/$prop_id/edit', property),
    at(shown, 'accounts/$id/properties/$prop_id/upload', upload),
    at(shown, 'accounts/$id/upload', upload),
    at(shown, 'accounts/$id/files/$file_id', file),
    at(shown, 'accounts/$id/files/$file_id/edit', file),
  ])
}

function companies(): AnyRoute {
  const list = frame(
    'companies',
    requires('view_companies_component'),
    lazyRouteComponent(() => import('./features/companies/companies.page.tsx'), 'CompaniesPage'),
    listAhead('companies'),
  )
  const form = lazyRouteComponent(() => import('./features/companies/company-form.panel.tsx'), 'CompanyFormPanel')
  const company = lazyRouteComponent(() => import('./features/companies/company.panel.tsx'), 'CompanyPanel')
  const user = lazyRouteComponent(() => import('./features/users/user.panel.tsx'), 'UserPanel')
  const userForm = lazyRouteComponent(() => import('./features/users/user-form.panel.tsx'), 'UserFormPanel')
  return list.addChildren([
    at(list, 'companies'),
    at(list, 'companies/create', form),
    at(list, 'companies/$id', company),
    at(list, 'companies/$id/edit', form),
    at(list, 'companies/$id/users/$user_id', user),
    at(list, 'companies/$id/users/$user_id/edit', userForm),
  ])
}

function users(): AnyRoute {
  const list = frame(
    'users',
    requires('view_users_component'),
    lazyRouteComponent(() => import('./features/users/users.page.tsx'), 'UsersPage'),
    listAhead('users'),
  )
  const form = lazyRouteComponent(() => import('./features/users/user-form.panel.tsx'), 'UserFormPanel')
  const user = lazyRouteComponent(() => import('./features/users/user.panel.tsx'), 'UserPanel')
  const company = lazyRouteComponent(() => import('./features/companies/company.panel.tsx'), 'CompanyPanel')
  return list.addChildren([
    at(list, 'users'),
    at(list, 'users/create', form),
    at(list, 'users/$id', user),
    at(list, 'users/$id/edit', form),
    at(list, 'users/users-company/$id', company),
  ])
}

function dashboard(): AnyRoute {
  const page = frame(
    'dashboard',
    dashboardOrFirstPlace,
    lazyRouteComponent(() => import('./features/dashboard/dashboard.page.tsx'), 'DashboardPage'),
  )
  const quickView = lazyRouteComponent(() => import('./features/accounts/quick-view.panel.tsx'), 'QuickViewPanel')
  const form = lazyRouteComponent(() => import('./features/accounts/account-form.panel.tsx'), 'AccountFormPanel')
  return page.addChildren([at(page, '/'), at(page, 'quickview/accounts/$id', quickView), at(page, 'quickview/accounts/$id/edit', form)])
}

const givenAccounts = createRoute({
  getParentRoute: () => signedIn,
  path: 'your-accounts',
  beforeLoad: onlyWithoutList,
  component: lazyRouteComponent(() => import('./features/accounts/given-accounts.page.tsx'), 'GivenAccountsPage'),
})
const importPage = page(
  'accounts/$id/import',
  lazyRouteComponent(() => import('./features/imports/import.page.tsx'), 'ImportPage'),
)
const noPage = page(
  '404',
  lazyRouteComponent(() => import('./shell/not-found.tsx'), 'NotFound'),
)

/** The whole route table (S1 2.1). */
export function createAppRouter(history?: RouterHistory): AnyRouter {
  return createRouter({
    routeTree: root.addChildren([
      ...entrances,
      signedIn.addChildren([dashboard(), accountsList(), givenAccounts, account(), importPage, companies(), users(), noPage]),
      notFound,
    ]),
    ...(history === undefined ? {} : { history }),
    parseSearch,
    stringifySearch,
    defaultPreload: 'intent',
    defaultErrorComponent: PageFailure,
    defaultNotFoundComponent: anyNotFound,
    scrollRestoration: true,
  })
}
