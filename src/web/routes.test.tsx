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
    'account-file': '/accounts/$id/files/$file_id',
    'account-properties': '/accounts/$id/properties/$prop_id',
    'account-properties-upload': '/accounts/$id/properties/$prop_id/upload',
  })
})
