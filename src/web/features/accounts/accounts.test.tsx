import { screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { accountCalls } from '#contract/accounts.ts'
import { fakeServer, onePage } from '#web/testing/fake-server.ts'
import { renderApp } from '#web/testing/render-app.tsx'
import { resetPage } from '#web/testing/render.tsx'
import { sessionWith } from '#web/testing/session.ts'
import { tableColumn } from '#web/testing/table-column.ts'

afterEach(resetPage)

const column = (src: string, label: string) => tableColumn(src, label, { primary: src === 'name' })
const open = (path: string) => {
  const server = fakeServer()
    .on(accountCalls.columns, () => ({ data: [column('name', 'Account'), column('updated_at', 'Updated')] }))
    .on(accountCalls.index, () => onePage([]))
  renderApp(path, sessionWith(['view_accounts_component']))
  return server
}
const sortOf = async (label: string) => {
  const heading = (await screen.findByText(label)).closest('th')
  return { order: heading?.getAttribute('aria-sort') ?? null, arrow: heading?.querySelector('svg') !== null }
}

it('starts with the accounts that changed last, and the arrow in the heading says so', async () => {
  const server = open('/accounts')
  expect(await sortOf('Updated')).toEqual({ order: 'descending', arrow: true })
  expect(await sortOf('Account')).toEqual({ order: null, arrow: false })
  expect(server.requests.find((request) => request.startsWith('GET /accounts?'))).toContain('sort=updated_at&order=desc')
})

it('shows another order in its heading once the user has sorted', async () => {
  open('/accounts?sort=name&order=asc')
  expect(await sortOf('Account')).toEqual({ order: 'ascending', arrow: true })
  expect(await sortOf('Updated')).toEqual({ order: null, arrow: false })
})
