import { act, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { fileCalls } from '#contract/account-files.ts'
import { queryClient } from '#web/data/query-client.ts'
import { ACCOUNT_ID, accountServer, accountWith } from '#web/testing/account-server.ts'
import { renderApp } from '#web/testing/render-app.tsx'
import { resetPage } from '#web/testing/render.tsx'
import { sessionWith } from '#web/testing/session.ts'
import { aFile } from './account-files.fixture.ts'

afterEach(resetPage)

it('counts and pages through the documents that the filters of the list show', async () => {
  const session = sessionWith(['view_account_details', 'view_account_files'])
  const asked: Record<string, string>[] = []
  const file = aFile({})
  accountServer(accountWith({}), session).on(fileCalls.details, ({ query }) => {
    asked.push(query)
    return { data: { ...file, previous_id: null, next_id: null, position: 1, total: 4 } }
  })
  const list = 'tab=files&sort=name&order=asc&search=roof&filter__category=appraisal,photos&filter__private=1&filter__trashed=with'
  renderApp(`/accounts/${ACCOUNT_ID}/files/${file.id}?${list}`, session)
  expect(await screen.findByText('1 of 4')).toBeDefined()
  const order = { sort: 'name', order: 'asc', search: 'roof', filter__sov: '0' }
  expect(asked).toEqual([{ ...order, filter__category: 'appraisal,photos', filter__private: '1' }])
})

it('retains unsaved input when another user saves the document', async () => {
  const session = sessionWith(['view_account_details', 'view_account_files', 'update_account_files'])
  const position = { previous_id: null, next_id: null, position: 1 }
  const answer = { version: 3, total: 4 }
  accountServer(accountWith({}), session).on(fileCalls.details, () => {
    const { version, total } = answer
    return { data: { ...aFile({ version, report_author_date: version === 3 ? null : '2025-02-01' }), ...position, total } }
  })
  const { user } = renderApp(`/accounts/${ACCOUNT_ID}/files/${aFile().id}`, session)
  await user.type(await screen.findByRole('textbox', { name: 'Descriptive Name' }), 'Roof')
  Object.assign(answer, { version: 4, total: 5 })
  await act(() => queryClient.invalidateQueries())
  expect(await screen.findByText('1 of 5')).toBeDefined()
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Descriptive Name' }).value).toBe('Roof')
})
