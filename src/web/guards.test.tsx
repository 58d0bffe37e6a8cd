import { screen, waitFor } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { initCalls, type InitData } from '#contract/init.ts'
import type { PermissionName } from '#contract/permissions.ts'
import { registry } from './features/index.ts'
import { modelPaths } from './paths.ts'
import { removeEndedVisit } from './guards.ts'
import { errorAnswer, fakeServer } from '#web/testing/fake-server.ts'
import { queryClient } from '#web/data/query-client.ts'
import { endSession } from '#web/data/session.ts'
import { storeTokens, tokens } from '#web/data/tokens.ts'
import { renderApp } from '#web/testing/render-app.tsx'
import { resetPage } from '#web/testing/render.tsx'
import { sessionWith } from '#web/testing/session.ts'

const ID = '0198c0de-0000-7000-8000-0000000000aa'
/** The routes of a model's page from the registry: its list, with the panels over it if it has the standard pages. */
const ROUTES = registry
  .filter((entry) => 'Icon' in entry)
  .flatMap((entry): (readonly [route: string, needs: PermissionName])[] => {
    const { list, create, record, edit } = modelPaths(entry.model)
    const needs = 'needs' in entry ? entry.needs : (`view_${entry.model}_component` as const)
    const own = 'view' in entry ? [list(), create(), record('$id'), edit('$id')] : [list()]
    const nested = ('panels' in entry ? entry.panels : []).flatMap((panel) => [
      `/${panel.path}`,
      ...(panel.editable ? [`/${panel.path}/edit`] : []),
      ...('add' in panel ? [`/${panel.add.path}`] : []),
    ])
    return [...own, ...nested].map((route) => [route, needs] as const)
  })

afterEach(resetPage)

/** Opens the path and waits until the router has decided where it leads. */
async function open(path: string, session?: InitData) {
  fakeServer()
  const { path: current, router } = renderApp(path, session)
  await waitFor(() => expect([router.state.status, router.state.resolvedLocation?.href]).toEqual(['idle', current()]))
  return { path: current(), route: router.state.matches.at(-1)?.fullPath }
}

it('the routes under test include those of a user in a company', () => {
  expect(ROUTES.map(([route]) => route)).toEqual(
    expect.arrayContaining(['/companies/$id/users/$user_id/edit', '/companies/$id/users/create']),
  )
})

describe.each(ROUTES)('%s', (route, needs) => {
  const path = route.replaceAll(/\$\w+/g, ID)

  it('leads to the sign-in page with the way back', async () => {
    expect((await open(path)).path).toBe(`/login?r=${encodeURIComponent(path)}`)
  })

  it('is not found without its permission', async () => {
    expect((await open(path, sessionWith(['view_dashboard_component']))).path).toBe('/404')
  })

  it('opens with its permission', async () => {
    expect(await open(path, sessionWith([needs]))).toEqual({ path, route })
  })
})

it('an address below a list that does not exist is not found', async () => {
  expect((await open(`/companies/${ID}/nowhere`, sessionWith(['view_companies_component']))).route).toBe('/$')
})

it('says that the session has ended when the server rejects it as the page loads', async () => {
  storeTokens({ token: 'user', refreshToken: null, remember: false, challenge: false })
  fakeServer().on(initCalls.init, () => errorAnswer('unauthenticated', 'Please sign in to continue.'))
  const { path } = renderApp('/companies')
  await screen.findByText('You have been logged out, session expired.')
  expect(path()).toBe('/login?r=%2Fcompanies')
})

describe('a tab in which a visit has ended', () => {
  const path = `/accounts/${ID}`
  const visit = () => storeTokens({ token: 'visit', refreshToken: null, remember: false, challenge: false, guest: 'visit' })

  it('says so when a page is opened in it', async () => {
    visit()
    endSession({ reason: 'expired', message: undefined })
    expect((await open(path)).path).toBe('/visit-ended')
  })

  it('says so when the server rejects the visit as the page loads, and in the other tabs of the visit, too', async () => {
    const ended: unknown[] = []
    const otherTab = new BroadcastChannel('plumbline.session')
    otherTab.addEventListener('message', ({ data }) => ended.push(data))
    visit()
    fakeServer().on(initCalls.init, () => errorAnswer('unauthenticated', 'Please sign in to continue.'))
    const { path: current } = renderApp(path)
    await waitFor(() => expect(current()).toBe('/visit-ended'))
    await waitFor(() => expect(ended).toEqual([{ type: 'ended', token: 'visit', reason: 'expired' }]))
    otherTab.close()
  })

  it.each([
    ['removes a visit that the server has ended', 'unauthenticated', undefined],
    ['does not remove a visit while the server does not answer', 'unavailable', 'visit'],
  ] as const)('%s before a link opens another one, also when the shell is not on screen', async (_what, answer, remaining) => {
    visit()
    const server = fakeServer().on(initCalls.init, () => errorAnswer(answer))
    removeEndedVisit()
    await waitFor(() => expect(queryClient.isFetching()).toBe(0))
    await waitFor(() => expect(tokens()?.token).toBe(remaining))
    expect([server.requests, window.sessionStorage.getItem('plumbline.session') === null]).toEqual([['GET /init'], remaining === undefined])
  })

  it('leads to the sign-in page after the visitor has left the visit', async () => {
    visit()
    endSession()
    expect((await open(path)).path).toBe(`/login?r=${encodeURIComponent(path)}`)
  })

  it('leads to the sign-in page after a user was signed in there', async () => {
    visit()
    storeTokens({ token: 'user', refreshToken: null, remember: false, challenge: false })
    endSession({ reason: 'expired', message: undefined })
    expect((await open(path)).path).toBe(`/login?r=${encodeURIComponent(path)}`)
  })
})
