import '#web/testing/browser.ts'
import { createMemoryHistory } from '@tanstack/react-router'
import { expect, it } from 'vitest'
import { MODEL_NAMES } from '#contract/models.ts'
import { isPermission } from '#contract/permissions.ts'
import { paths } from './paths.ts'
import { createAppRouter } from './routes.tsx'

/** A permission of this name opens the page of a model. */
const MODEL_PAGES = MODEL_NAMES.filter((model) => isPermission(`view_${model}_component`))

it('every page has its name, once, those of models that of the model', () => {
  const router = createAppRouter(createMemoryHistory())
  const named = Object.values(router.routesById).flatMap(({ options, fullPath }) => {
    const { name } = options.staticData ?? {}
    return name === undefined ? [] : [[name, fullPath] as const]
  })
  expect(new Set(named.map(([name]) => name)).size).toBe(named.length)
  expect(MODEL_PAGES).toContain('accounts')
  expect(Object.fromEntries(named)).toEqual({
    ...Object.fromEntries(MODEL_PAGES.map((model) => [model, `/${model}`])),
    login: '/login',
    'reset-password': '/reset-password/{-$token}',
    maintenance: '/maintenance',
    check: '/check',
    access: '/access',
    'account-invite': '/accounts/$id/invites/$invite_id',
    invite: '/invite/$invite_id',
    share: '/account/$account_id/share/$share_token',
    dashboard: '/',
    downloads: '/downloads',
    flags: '/flags',
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

/** `npm run walk` visits these addresses. */
it('every address is in the list of those that are walked', async () => {
  const router = createAppRouter(createMemoryHistory())
  const addresses = new Set(Object.values(router.routesById).map(({ fullPath }) => fullPath.replace(/(?<=.)\/$/, '')))
  const lines = [...addresses].filter((address) => address !== '/$').sort()
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('../../e2e/walk/addresses.txt')
})

const LINKS = Object.entries(paths).map(([name, to]) => {
  const link = to as (...ids: string[]) => string // its other params are in the query
  return [name, link('a', 'b').replace(/\?.*/, '')] as const
})

it.each(LINKS)('the link %s leads to a page', (_name, link) => {
  const router = createAppRouter(createMemoryHistory())
  expect(router.matchRoutes(link, {}).at(-1)?.fullPath).not.toBe('/$')
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
