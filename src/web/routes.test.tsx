import '#web/testing/browser.ts'
import { createMemoryHistory } from '@tanstack/react-router'
import { expect, it } from 'vitest'
import { createAppRouter } from './routes.tsx'

it('every page has its name, once', () => {
  const router = createAppRouter(createMemoryHistory())
  const named = Object.values(router.routesById).flatMap(({ options, fullPath }) => {
    const { name } = options.staticData ?? {}
    return name === undefined ? [] : [[name, fullPath] as const]
  })
  expect(new Set(named.map(([name]) => name)).size).toBe(named.length)
  expect(Object.fromEntries(named)).toEqual({
    login: '/login',
    'reset-password': '/reset-password/{-$token}',
    maintenance: '/maintenance',
    check: '/check',
    dashboard: '/',
    downloads: '/downloads',
    accounts: '/accounts',
    flags: '/flags',
    companies: '/companies',
    users: '/users',
    subscriptions: '/subscriptions',
    roles: '/roles',
    settings: '/settings',
    profile: '/profile',
    'account-dashboard': '/accounts/$id/',
    'account-export': '/accounts/$id/export',
    'account-files': '/accounts/$id/files',
    'account-file': '/accounts/$id/files/$file_id',
    'account-property': '/accounts/$id/property/$property_id',
    'account-properties': '/accounts/$id/properties/$prop_id',
    'account-properties-upload': '/accounts/$id/properties/$prop_id/upload',
  })
})

it.each([
  ['/accounts/a1/files', 'account-files', { id: 'a1' }],
  ['/accounts/a1/property/p2', 'account-property', { id: 'a1', property_id: 'p2' }],
  ['/accounts/a1/files/f3', 'account-file', { id: 'a1', file_id: 'f3' }],
])('%s is the route %s', (path, name, params) => {
  const router = createAppRouter(createMemoryHistory({ initialEntries: [path] }))
  const match = router.matchRoutes(path, {}).at(-1)
  expect([match?.staticData, match?.params]).toEqual([{ name }, params])
})
