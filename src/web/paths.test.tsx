import { Link } from '@tanstack/react-router'
import { screen } from '@testing-library/react'
import { afterEach, describe, expect, test } from 'vitest'
import { renderWithSession, resetPage } from '#web/testing/render.tsx'
import { sessionWith } from '#web/testing/session.ts'
import { entryPath, paths, returnPath } from './paths.ts'
import { parseSearch, stringifySearch, useSearchParams } from './search-params.ts'

afterEach(resetPage)

describe('the way back after signing in', () => {
  test.each(['/accounts', '/accounts?filter__invites=1', '/accounts/1/properties/2?tab=properties#map'])('%s is followed', (path) => {
    expect(returnPath(path)).toBe(path)
  })

  test.each(['//evil.example', '/\\evil.example', '/\t/evil.example', 'https://evil.example', 'javascript:alert(1)', 'accounts', ''])(
    '%j leads outside or nowhere and is not',
    (path) => {
      expect(returnPath(path)).toBeUndefined()
    },
  )

  test.each(['/', '/login', '/login?r=/accounts', '/maintenance'])('%s is left out', (path) => {
    expect(returnPath(path)).toBeUndefined()
  })
})

test.each([
  ['/account/1/share/secret?x=1', '/account/1/share/secret?x=1'],
  ['/invite/secret', '/invite/secret'],
  ['/accounts/1', undefined],
  ['//invite/1', undefined],
  [undefined, undefined],
])('after maintenance, %s opens again as %s', (candidate, path) => expect(entryPath(candidate)).toBe(path))

test('search params are read and written as plain texts', () => {
  expect(parseSearch('?filter__invites=1&search=00123')).toEqual({ filter__invites: '1', search: '00123' })
  expect(stringifySearch({ page: 2, search: '', sort: undefined, filter__invites: '1' })).toBe('?page=2&filter__invites=1')
})

test('a link whose path carries a query opens the page with that query', async () => {
  function Page() {
    const search = useSearchParams()
    return (
      <>
        <Link to={paths.invitedAccounts()}>View All Invited Accounts</Link>
        <output>{JSON.stringify(search)}</output>
      </>
    )
  }
  const { user } = renderWithSession(<Page />, { session: sessionWith([]) })
  await user.click(await screen.findByText('View All Invited Accounts'))
  expect((await screen.findByRole('status')).textContent).toBe('{"filter__invites":"1"}')
})
