import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  type RouteComponent,
  type RouterHistory,
} from '@tanstack/react-router'
import type { ComponentType } from 'react'
import type { ListedModel } from './data/models.ts'
import type { ModelView } from './engines/model/model-view.ts'
import { registry } from './features/index.ts'
import {
  dashboardOrFirstPage,
  loadSessionIfAny,
  notForGuests,
  onlySignedOut,
  onlySignedOutOrGuest,
  onlyWithoutList,
  requires,
  signedInOrLogin,
  type Entered,
} from './guards.ts'
import { modelPaths } from './paths.ts'
import { parseSearch, stringifySearch, validateSearch, type SearchParams } from './search-params.ts'
import { InitializingOverlay, PageFailure, Root } from './shell/root.tsx'

const OVERLAY_AFTER_MS = 150

const root = createRootRoute({ component: Root, validateSearch })

const anyNotFound = lazyRouteComponent(() => import('./signed-in.tsx'), 'AnyNotFound')

interface RouteOptions {
  staticData?: { name: string }
  beforeLoad?: (entered: Entered) => void | Promise<void>
  component?: RouteComponent
}

type Parent = NonNullable<Parameters<typeof createRoute>[0]['getParentRoute']> extends () => infer R ? R : never
/** The name of a route for programs outside of the page, such as reports of errors. */
const named = (name: string) => ({ staticData: { name } })
/** A route below another one. */
const at = <const R extends Parent, const P extends string>(parent: R, path: P, options: RouteOptions = {}) =>
  createRoute({ getParentRoute: () => parent, path, ...options })

const publicRoutes = [
  at(root, 'login', {
    ...named('login'),
    beforeLoad: onlySignedOut,
    component: lazyRouteComponent(() => import('./features/session/sign-in.page.tsx'), 'SignInPage'),
  }),
  at(root, 'forgot-password', {
    beforeLoad: onlySignedOut,
    component: lazyRouteComponent(() => import('./features/session/password-recovery.page.tsx'), 'ForgotPasswordPage'),
  }),
  withParams(
    at(root, 'reset-password/{-$token}', { ...named('reset-password'), beforeLoad: onlySignedOutOrGuest }),
    async () => (await import('./features/session/password-recovery.page.tsx')).ResetPasswordPage,
  ),
  at(root, 'maintenance', {
    ...named('maintenance'),
    component: lazyRouteComponent(() => import('./features/session/maintenance.page.tsx'), 'MaintenancePage'),
  }),
  at(root, '$', { beforeLoad: loadSessionIfAny, component: anyNotFound }),
] as const

const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  beforeLoad: signedInOrLogin,
  pendingComponent: InitializingOverlay,
  pendingMs: OVERLAY_AFTER_MS,
  component: lazyRouteComponent(() => import('./signed-in.tsx'), 'SignedIn'),
})

interface RouteWithParams {
  types: { allParams: object }
  useParams: () => object
  update: (options: { component: RouteComponent }) => unknown
}

/** Loads a component when its route is opened and gives it the params of the route as props. */
function withParams<R extends RouteWithParams>(route: R, load: () => Promise<ComponentType<R['types']['allParams']>>): R {
  const importer = async () => {
    const Component = await load()
    return { Component: () => <Component {...route.useParams()} /> }
  }
  route.update({ component: lazyRouteComponent(importer, 'Component') })
  return route
}

/** Requests the first answers of a list while its code loads; nothing waits for them. */
const prefetchList =
  (model: ListedModel) =>
  ({ location }: { location: { search: SearchParams } }): void =>
    void import('./engines/datatable/list-queries.ts').then((queries) => queries.prefetchList(model, location.search))

const accountForm = async () => (await import('./features/accounts/account-form.panel.tsx')).AccountFormPanel

function accountsList() {
  const list = createRoute({
    getParentRoute: () => signedIn,
    id: 'accounts',
    beforeLoad: requires('view_accounts_component'),
    loader: prefetchList('accounts'),
    component: lazyRouteComponent(() => import('./features/accounts/accounts.page.tsx'), 'AccountsPage'),
  })
  return list.addChildren([
    at(list, 'accounts', named('accounts')),
    withParams(at(list, 'accounts/create'), accountForm),
    withParams(at(list, 'accounts/$id/edit'), accountForm),
  ])
}

/** The account and the panels over it. */
function account() {
  const page = at(signedIn, 'accounts/$id', { beforeLoad: requires('view_account_details') })
  const upload = async () => (await import('./features/account-files/upload.panel.tsx')).UploadPanel
  const file = async () => (await import('./features/account-files/file.panel.tsx')).FilePanel
  const propertyForm = async () => (await import('./features/account-properties/property-form.panel.tsx')).PropertyFormPanel
  const property = async () => (await import('./features/account-properties/property.panel.tsx')).PropertyPanel
  return withParams(page, async () => (await import('./account-page.tsx')).AccountPage).addChildren([
    at(page, '/', named('account-dashboard')),
    at(page, 'export', named('account-export')),
    withParams(at(page, 'edit-overview'), accountForm),
    withParams(at(page, 'create'), propertyForm),
    withParams(at(page, 'properties/create'), propertyForm),
    withParams(at(page, 'properties/$prop_id', named('account-properties')), property),
    withParams(at(page, 'properties/$prop_id/edit'), propertyForm),
    withParams(at(page, 'properties/$prop_id/upload', named('account-properties-upload')), upload),
    withParams(at(page, 'upload'), upload),
    withParams(at(page, 'files/$file_id', named('account-file')), file),
    withParams(at(page, 'files/$file_id/edit'), file),
  ])
}

function dashboard() {
  const page = createRoute({
    getParentRoute: () => signedIn,
    id: 'dashboard',
    beforeLoad: dashboardOrFirstPage,
    component: lazyRouteComponent(() => import('./features/dashboard/dashboard.page.tsx'), 'DashboardPage'),
  })
  const quickView = async () => (await import('./features/accounts/quick-view.panel.tsx')).QuickViewPanel
  return page.addChildren([
    at(page, '/', named('dashboard')),
    withParams(at(page, 'start-account'), accountForm),
    withParams(at(page, 'quickview/accounts/$id'), quickView),
    withParams(at(page, 'quickview/accounts/$id/edit'), accountForm),
  ])
}

type StandardPage = Extract<(typeof registry)[number], { view: unknown }>
type Params = Readonly<Record<string, string>>

/** The list of a model with the panels over it, all from the registry. */
function modelRoutes(page: StandardPage) {
  const { model, view } = page
  const panels = 'panels' in page ? page.panels : []
  const list = createRoute({
    getParentRoute: () => signedIn,
    id: model,
    beforeLoad: requires(`view_${model}_component`),
    loader: prefetchList(model),
    component: lazyRouteComponent(async () => {
      const [{ ListPage }, shown] = await Promise.all([import('./engines/model/list-page.tsx'), view()])
      return { Page: () => <ListPage view={shown} /> }
    }, 'Page'),
  })
  const closeTo = modelPaths(model).list()
  const record = (load: () => Promise<ModelView>, param: string, editable: boolean) => async () => {
    const [{ RecordPanel }, shown] = await Promise.all([import('./engines/model/record-panel.tsx'), load()])
    return (params: Params) => <RecordPanel view={shown} id={params[param] ?? ''} closeTo={closeTo} editable={editable} />
  }
  const form = (load: () => Promise<ModelView>, param: string) => async () => {
    const [{ FormPanel }, shown] = await Promise.all([import('./engines/model/form-panel.tsx'), load()])
    return (params: Params) => <FormPanel model={shown.model} id={params[param] ?? null} closeTo={closeTo} />
  }
  return list.addChildren([
    at(list, model, named(model)),
    withParams(at(list, `${model}/create`), form(view, 'id')),
    withParams(at(list, `${model}/$id`), record(view, 'id', true)),
    withParams(at(list, `${model}/$id/edit`), form(view, 'id')),
    ...panels.flatMap((panel) => [
      withParams(at(list, panel.path), record(panel.view, panel.param, panel.editable)),
      ...(panel.editable ? [withParams(at(list, `${panel.path}/edit`), form(panel.view, panel.param))] : []),
    ]),
  ])
}

const assignedAccounts = at(signedIn, 'your-accounts', {
  beforeLoad: onlyWithoutList,
  component: lazyRouteComponent(() => import('./features/accounts/assigned-accounts.page.tsx'), 'AssignedAccountsPage'),
})
const importPage = withParams(
  at(signedIn, 'accounts/$id/import'),
  async () => (await import('./features/imports/import.page.tsx')).ImportPage,
)
const settings = at(signedIn, 'settings', {
  ...named('settings'),
  beforeLoad: notForGuests,
  component: lazyRouteComponent(() => import('./features/settings/settings.page.tsx'), 'SettingsPage'),
})
const profile = at(signedIn, 'profile', {
  ...named('profile'),
  beforeLoad: notForGuests,
  component: lazyRouteComponent(() => import('./features/profile/profile.page.tsx'), 'ProfilePage'),
})
const notFound = at(signedIn, '404', { component: lazyRouteComponent(() => import('./shell/not-found.tsx'), 'NotFound') })

const standardPages = registry.filter((entry) => 'view' in entry)

/** Tests pass a history in memory. */
export function createAppRouter(history?: RouterHistory) {
  return createRouter({
    routeTree: root.addChildren([
      ...publicRoutes,
      signedIn.addChildren([
        dashboard(),
        accountsList(),
        account(),
        importPage,
        assignedAccounts,
        settings,
        profile,
        ...standardPages.map(modelRoutes),
        notFound,
      ]),
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

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    name?: string
  }
  interface Register {
    router: ReturnType<typeof createAppRouter>
  }
}
