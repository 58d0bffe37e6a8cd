import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { fileCalls } from '#contract/account-files.ts'
import type { TextHit } from '#contract/document-texts.ts'
import { errorAnswer, fakeServer, type FakeServer } from '#web/testing/fake-server.ts'
import { renderWithSession, resetPage } from '#web/testing/render.tsx'
import { sessionWith } from '#web/testing/session.ts'
import { shellModels } from '../signed-in.tsx'
import { Shell } from './shell.tsx'

const ACCOUNT = '0198c0de-0000-7000-8000-00000000000a'
const hit = (number: number, more: Partial<TextHit> = {}): TextHit => ({
  id: `0198c0de-0000-7000-8000-00000000000${number}`,
  account_id: ACCOUNT,
  name: `Survey ${number}.pdf`,
  account: 'Harbor Mills',
  page: 12,
  place: 'Page 12',
  excerpt: [
    { text: 'The ', is_match: false },
    { text: 'sprinkler', is_match: true },
    { text: ' <b>heads</b> are painted.', is_match: false },
  ],
  ...more,
})

let server: FakeServer
beforeEach(() => {
  server = fakeServer()
    .on(fileCalls.search, () => errorAnswer('not_found', 'No results found.'))
    .on(fileCalls.searchTexts, () => ({ data: [hit(1)] }))
    .on(fileCalls.unreadTexts, () => ({ data: { waiting: 0, unreadable: 0 } }))
})
afterEach(resetPage)

async function searchFor(text: string, ...permissions: Parameters<typeof sessionWith>[0]) {
  const session = sessionWith(['view_global_search', 'view_account_files', ...permissions])
  const page = renderWithSession(<Shell models={shellModels}>page</Shell>, { session })
  await screen.findByText('page')
  await page.user.keyboard('/')
  await page.user.type(await screen.findByRole('textbox', { name: 'Search' }), text)
  return page
}
const group = () => screen.findByRole('region', { name: 'In documents' })

describe('documents found by their text', () => {
  test('show the page and the sentence with the words marked, as text', async () => {
    await searchFor('sprinkler', 'preview_files')
    const link = await within(await group()).findByRole('link', { name: /Survey 1\.pdf/ })
    expect(link.textContent).toBe('Survey 1.pdfHarbor MillsPage 12The sprinkler <b>heads</b> are painted.')
    expect([...link.querySelectorAll('mark')].map((mark) => mark.textContent)).toEqual(['sprinkler'])
    expect(link.querySelector('b')).toBeNull()
  })

  test('open at the page', async () => {
    const { user, router } = await searchFor('sprinkler', 'preview_files')
    await user.click(await within(await group()).findByRole('link', { name: /Survey 1/ }))
    await waitFor(() =>
      expect(router.state.location).toMatchObject({ pathname: `/accounts/${ACCOUNT}/files/${hit(1).id}`, search: { preview_page: '12' } }),
    )
  })

  test('are all shown on request', async () => {
    const some = [1, 2, 3, 4, 5].map((number) => hit(number))
    server.on(fileCalls.searchTexts, ({ query }) => ({ data: query.paginate === '100' ? [...some, hit(6, { page: null })] : some }))
    const { user } = await searchFor('sprinkler', 'preview_files')
    await user.click(await screen.findByRole('button', { name: 'Show all In documents' }))
    expect((await screen.findByRole('link', { name: /Survey 6/ })).getAttribute('href')).toBe(`/accounts/${ACCOUNT}/files/${hit(6).id}`)
  })

  test('are not searched for users who can neither preview nor download documents', async () => {
    await searchFor('sprinkler')
    await within(await screen.findByRole('region', { name: 'Documents found' })).findByText('No results found.')
    expect(screen.queryByRole('region', { name: 'In documents' })).toBeNull()
  })

  test('say how many documents were not searched', async () => {
    server.on(fileCalls.searchTexts, () => ({ data: [] })).on(fileCalls.unreadTexts, () => ({ data: { waiting: 12, unreadable: 1 } }))
    await searchFor('sprinkler', 'download_files')
    expect(await within(await group()).findByText('No results found in the documents that are read.')).toBeTruthy()
    await waitFor(async () =>
      expect((await group()).textContent).toContain('12 documents are not read yet, 1 document has no text to search.'),
    )
  })

  test('say if the search or the number of unread documents failed', async () => {
    server
      .on(fileCalls.searchTexts, () => errorAnswer('internal', 'Failed'))
      .on(fileCalls.unreadTexts, () => errorAnswer('internal', 'Failed'))
    await searchFor('sprinkler', 'preview_files')
    expect(await screen.findByText('The texts of documents could not be searched. Please try again.', {}, { timeout: 8_000 })).toBeTruthy()
    expect(await screen.findByText('How many documents were not searched is not known.', {}, { timeout: 8_000 })).toBeTruthy()
  })
})
