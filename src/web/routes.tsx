import { Navigate, createRoute, createRouter, type RouterHistory } from '@tanstack/react-router'
import type { ListedModel } from './data/models.ts'
import { at, byViewer, lazyPage, named, withParams } from './define-route.tsx'
import { registry } from './features/index.ts'
import { dashboardOrFirstPage, notForGuests, onlyWithoutList, requires, signedInOrLogin } from './guards.ts'
import { modelPanels } from './model-panels.tsx'
import { paths } from './paths.ts'
import { anyNotFound, publicRoutes, root } from './public-routes.tsx'
import { parseSearch, stringifySearch, type SearchParams } from './search-params.ts'
import { InitializingOverlay, PageFailure } from './shell/root.tsx'

const OVERLAY_AFTER_MS = 150

const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  beforeLoad: signedInOrLogin,
  pendingComponent: InitializingOverlay,
  pendingMs: OVERLAY_AFTER_MS,
  component: byViewer(
    lazyPage(() => import('./signed-in.tsx'), 'SignedIn'),
    lazyPage(() => import('./guest-signed-in.tsx'), 'GuestSignedIn'),
  ),
})

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
    component: lazyPage(() => import('./features/accounts/accounts.page.tsx'), 'AccountsPage'),
  })
  return list.addChildren([
    at(list, 'accounts', named('accounts')),
    withParams(at(list, 'accounts/create'), accountForm),
    withParams(at(list, 'accounts/$id/edit'), accountForm),
  ])
}

/** The account and the panels over it. */
function account() {
  const page = at(signedIn, 'accounts/$id')
  const upload = async () => (await import('./features/account-files/upload.panel.tsx')).UploadPanel
  const file = async () => (await import('./features/account-files/file.panel.tsx')).FilePanel
  const propertyForm = async () => (await import('./features/account-properties/property-form.panel.tsx')).PropertyFormPanel
  const property = async () => (await import('./property-page.tsx')).PropertyPage
  const report = async () => (await import('./features/risk-control/report.panel.tsx')).ReportPanel
  const reportForm = async () => (await import('./features/risk-control/report-form.panel.tsx')).ReportFormPanel
  const newInvite = async () => (await import('./features/invites/invite-form.panel.tsx')).InviteFormPanel
  const invite = async () => (await import('./features/invites/invite.panel.tsx')).InvitePanel
  const reports = 'properties/$prop_id/risk_control'
  const shown = async () => (await import('./account-page.tsx')).AccountPage
  const shownToGuests = async () => (await import('./guest-account.tsx')).GuestAccount
  return withParams(page, shown, shownToGuests).addChildren([
    at(page, '/', named('account-dashboard')),
    at(page, 'export', named('account-export')),
    withParams(at(page, 'edit-overview'), accountForm),
    withParams(at(page, 'create'), propertyForm),
    withParams(at(page, 'properties/create'), propertyForm),
    withParams(at(page, 'properties/$prop_id', named('account-properties')), property),
    withParams(at(page, 'properties/$prop_id/edit'), propertyForm),
    withParams(at(page, 'properties/$prop_id/upload', named('account-properties-upload')), upload),
    withParams(at(page, `${reports}/create`), reportForm),
    withParams(at(page, `${reports}/$risk_control_id`, { beforeLoad: requires('view_risk_control') }), report),
    withParams(at(page, `${reports}/$risk_control_id/edit`), reportForm),
    withParams(at(page, 'upload'), upload),
    // Names and addresses for links from elsewhere; the tab and the property have their own.
    withParams(at(page, 'files', named('account-files')), async () => ({ id }) => <Navigate to={paths.accountTab(id, 'files')} replace />),
    withParams(at(page, 'property/$property_id', named('account-property')), async () => ({ id, property_id }) => (
      <Navigate to={paths.property(id, property_id)} replace />
    )),
    withParams(at(page, 'files/$file_id', named('account-file')), file),
    withParams(at(page, 'files/$file_id/edit'), file),
    withParams(at(page, 'invites'), async () => ({ id }) => <Navigate to={paths.accountTab(id, 'invites')} replace />),
    withParams(at(page, 'invites/create', { beforeLoad: requires('create_account_invites') }), newInvite),
    withParams(at(page, 'invites/$invite_id', { ...named('account-invite'), beforeLoad: requires('view_account_invites') }), invite),
  ])
}

function dashboard() {
  const page = createRoute({
    getParentRoute: () => signedIn,
    id: 'dashboard',
    beforeLoad: dashboardOrFirstPage,
    component: lazyPage(() => import('./features/dashboard/dashboard.page.tsx'), 'DashboardPage'),
  })
  const quickView = async () => (await import('./features/dashboard/quick-view.panel.tsx')).QuickViewPanel
  return page.addChildren([
    at(page, '/', named('dashboard')),
    withParams(at(page, 'start-account'), accountForm),
    withParams(at(page, 'quickview/accounts/$id'), quickView),
    withParams(at(page, 'quickview/accounts/$id/edit'), accountForm),
  ])
}

/** The flags of all accounts, each in a panel. */
function flagsList() {
  const list = createRoute({
    getParentRoute: () => signedIn,
    id: 'flags',
    beforeLoad: requires('manage_flags'),
    component: lazyPage(() => import('./features/flags/flags.page.tsx'), 'FlagsPage'),
  })
  return list.addChildren([
    at(list, 'flags', named('flags')),
    withParams(at(list, 'flags/$id'), async () => (await import('./features/flags/flag.panel.tsx')).FlagPanel),
  ])
}

type StandardPage = Extract<(typeof registry)[number], { view: unknown }>

/** The list of a model with the panels over it, all from the registry. */
function modelRoutes(page: StandardPage) {
  const { model, view } = page
  const panels = 'panels' in page ? page.panels : []
  const list = createRoute({
    getParentRoute: () => signedIn,
    id: model,
    beforeLoad: requires(`view_${model}_component`),
    loader: prefetchList(model),
    component: lazyPage(async () => {
      const [{ ListPage }, shown] = await Promise.all([import('./engines/model/list-page.tsx'), view()])
      return { Page: () => <ListPage view={shown} /> }
    }, 'Page'),
  })
  const { record, form, addInside } = modelPanels(model)
  return list.addChildren([
    at(list, model, named(model)),
    withParams(at(list, `${model}/create`), form(view, 'id')),
    withParams(at(list, `${model}/$id`), record(view, 'id', true)),
    withParams(at(list, `${model}/$id/edit`), form(view, 'id')),
    ...panels.flatMap((panel) => [
      withParams(at(list, panel.path), record(panel.view, panel.param, panel.editable)),
      ...(panel.editable ? [withParams(at(list, `${panel.path}/edit`), form(panel.view, panel.param))] : []),
      ...('add' in panel ? [withParams(at(list, panel.add.path), addInside(panel.view, panel.add.preset))] : []),
    ]),
  ])
}

const assignedAccounts = at(signedIn, 'your-accounts', {
  beforeLoad: onlyWithoutList,
  component: lazyPage(() => import('./features/accounts/assigned-accounts.page.tsx'), 'AssignedAccountsPage'),
})
const importPage = withParams(
  at(signedIn, 'accounts/$id/import'),
  async () => (await import('./features/imports/import.page.tsx')).ImportPage,
)
const settings = at(signedIn, 'settings', {
  ...named('settings'),
  beforeLoad: notForGuests,
  component: lazyPage(() => import('./features/settings/settings.page.tsx'), 'SettingsPage'),
})
const downloads = at(signedIn, 'downloads', {
  ...named('downloads'),
  beforeLoad: requires('view_account_files'),
  component: lazyPage(() => import('./features/downloads/downloads.page.tsx'), 'DownloadsPage'),
})
const access = at(signedIn, 'access', {
  ...named('access'),
  beforeLoad: requires('update_account_sharing'),
  component: lazyPage(() => import('./features/sharing/live-grants.page.tsx'), 'LiveGrantsPage'),
})
const profile = at(signedIn, 'profile', {
  ...named('profile'),
  beforeLoad: notForGuests,
  component: lazyPage(() => import('./features/profile/profile.page.tsx'), 'ProfilePage'),
})
const notFound = at(signedIn, '404', { component: lazyPage(() => import('./shell/not-found.tsx'), 'NotFound') })

const standardPages = registry.filter((entry) => 'view' in entry)

/** A link that was cut in the middle of a character matches its route, whose page shows what is wrong. */
function withDecodablePath(url: URL): URL {
  try {
    decodeURIComponent(url.pathname)
  } catch {
    url.pathname = url.pathname.replaceAll('%', '%25')
  }
  return url
}

/** Tests pass a history in memory. */
export function createAppRouter(history?: RouterHistory) {
  return createRouter({
    routeTree: root.addChildren([
      ...publicRoutes,
      signedIn.addChildren([
        dashboard(),
        accountsList(),
        account(),
        flagsList(),
        importPage,
        assignedAccounts,
        settings,
        downloads,
        access,
        profile,
        ...standardPages.map(modelRoutes),
        notFound,
      ]),
    ]),
    ...(history === undefined ? {} : { history }),
    parseSearch,
    stringifySearch,
    rewrite: { input: ({ url }) => withDecodablePath(url) },
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
