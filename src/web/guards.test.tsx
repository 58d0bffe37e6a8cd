import { waitFor } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import type { PermissionName } from '#contract/permissions.ts'
import { fakeServer } from '#web/testing/fake-server.ts'
import { renderApp } from '#web/testing/render-app.tsx'
import { resetPage } from '#web/testing/render.tsx'
import { sessionWith } from '#web/testing/session.ts'

const ID = '0198c0de-0000-7000-8000-0000000000aa'
const ONE = ['create', ID, `${ID}/edit`]
/** The paths of administration below each list, and the permission that opens them. */
const PAGES: readonly (readonly [list: string, needs: PermissionName, below: readonly string[]])[] = [
  [
    '/companies',
    'view_companies_component',
    [...ONE, ...['users', 'subscriptions'].flatMap((inner) => [`${ID}/${inner}/${ID}`, `${ID}/${inner}/${ID}/edit`])],
  ],
  ['/users', 'view_users_component', [...ONE, `users-company/${ID}`]],
  ['/subscriptions', 'view_subscriptions_component', ONE],
  ['/roles', 'view_roles_component', ONE],
]
const PATHS = PAGES.flatMap(([list, needs, below]) =>
  ['', ...below].map((path) => [path === '' ? list : `${list}/${path}`, needs] as const),
)

afterEach(resetPage)

describe.each(PATHS)('%s', (path, needs) => {
  it('leads to the sign-in page with the way back', async () => {
    fakeServer()
    const { path: current } = renderApp(path)
    await waitFor(() => expect(current()).toBe(`/login?r=${encodeURIComponent(path)}`))
  })

  it('is not found without its permission', async () => {
    fakeServer()
    const { path: current } = renderApp(path, sessionWith(['view_dashboard_component']))
    await waitFor(() => expect(current()).toBe('/404'))
  })

  it('opens with its permission', async () => {
    fakeServer()
    const { path: current, router } = renderApp(path, sessionWith([needs]))
    await waitFor(() => expect(router.state.status).toBe('idle'))
    expect(current()).toBe(path)
    expect(router.state.matches.at(-1)?.fullPath).not.toBe('/$')
  })
})

it('an address below a list that does not exist is not found', async () => {
  fakeServer()
  const { router } = renderApp(`/companies/${ID}/nowhere`, sessionWith(['view_companies_component']))
  await waitFor(() => expect(router.state.status).toBe('idle'))
  expect(router.state.matches.at(-1)?.fullPath).toBe('/$')
})
