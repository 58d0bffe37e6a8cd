import { act, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { fileCalls } from '#contract/account-files.ts'
import { accountCalls } from '#contract/accounts.ts'
import { fileVersionCalls } from '#contract/file-versions.ts'
import { queryClient } from '#web/data/query-client.ts'
import { ACCOUNT_ID, accountServer, accountWith } from '#web/testing/account-server.ts'
import { renderApp } from '#web/testing/render-app.tsx'
import { resetPage } from '#web/testing/render.tsx'
import { sessionWith } from '#web/testing/session.ts'
import { aFile } from './account-files.fixture.ts'

afterEach(() => {
  vi.restoreAllMocks()
  resetPage()
})

/** A window without room for a list and a document next to each other. */
const narrow = () =>
  vi
    .spyOn(window, 'matchMedia')
    .mockImplementation((query) => Object.assign(new EventTarget(), { matches: false, media: query }) as MediaQueryList) // only what the hook reads

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

it('shows the page of the list that has the document, and lets the user leave it', async () => {
  const session = sessionWith(['view_account_details', 'view_account_files'])
  accountServer(accountWith({}), session).on(fileCalls.details, () => ({
    data: { ...aFile(), previous_id: null, next_id: null, position: 31, total: 40 },
  }))
  const { router } = renderApp(`/accounts/${ACCOUNT_ID}/files/${aFile().id}?tab=files`, session)
  await waitFor(() => expect(router.state.location.search).toMatchObject({ page: '3' }))
  await act(() => router.navigate({ to: '.', search: (current: object) => ({ ...current, page: '2' }) } as never))
  await act(() => queryClient.invalidateQueries())
  expect(router.state.location.search).toMatchObject({ page: '2' })
})

it.each([
  [{}, ['Age', 'Uploaded by', 'Text for search']],
  [{ via_share_link: true }, []],
])('shows a session %j what is known of a document, and leaves out what people from outside never see', async (via, shown) => {
  const session = sessionWith(['view_account_details', 'view_account_files'], via)
  const file = aFile({ age: null, created_by: null })
  accountServer(accountWith({}), session).on(fileCalls.details, () => ({
    data: { ...file, previous_id: null, next_id: null, position: 1, total: 1 },
  }))
  renderApp(`/accounts/${ACCOUNT_ID}/files/${file.id}?tab=files`, session)
  await screen.findByText('Original File Name')
  expect(['Age', 'Uploaded by', 'Text for search'].filter((label) => screen.queryByText(label) !== null)).toEqual(shown)
})

it('says that a document is not in the list', async () => {
  const session = sessionWith(['view_account_details', 'view_account_files'])
  accountServer(accountWith({}), session).on(fileCalls.details, () => ({
    data: { ...aFile(), previous_id: null, next_id: null, position: 0, total: 40 },
  }))
  renderApp(`/accounts/${ACCOUNT_ID}/files/${aFile().id}?tab=files`, session)
  expect(await screen.findByText('Not in this list')).toBeDefined()
})

it('retains unsaved input when another user saves the document', async () => {
  narrow()
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

const BROKER_RIGHTS = [
  'view_account_details',
  'view_account_files',
  'update_account_files',
  'upload_account_files',
  'preview_files',
] as const
const version = (number: number, isCurrent: boolean) => ({
  number,
  is_current: isCurrent,
  file_name: `roof v${number}.zip`,
  type: 'application/zip',
  size: 1_000,
  created_by: { full_name: `User ${number}`, email: 'a@b.example' },
  created_at: '2026-11-19T14:03:00Z',
})

function openFile(more: { next_id?: string | null } = {}) {
  const session = sessionWith([...BROKER_RIGHTS])
  const file = aFile({ file_number: 2, file: { original_file_name: 'roof.zip', type: 'application/zip', size: 2_000 } })
  const server = accountServer(accountWith({}), session)
    .on(fileCalls.details, ({ params }) => ({
      data: { ...file, id: params.file_id, previous_id: null, next_id: null, position: 1, total: 2, ...more },
    }))
    .on(fileVersionCalls.list, () => ({ data: [version(2, true), version(1, false)] }))
    .on(fileVersionCalls.preview, () => ({ data: { url: '/storage/x', type: 'application/zip', previewable: false } }))
    .on(fileVersionCalls.makeCurrent, () => ({ data: file, message: 'Version 1 is the current one.' }))
  return { server, file, ...renderApp(`/accounts/${ACCOUNT_ID}/files/${file.id}?tab=files`, session) }
}

it('shows no versions where there is one and no other can be added', async () => {
  const session = sessionWith(['view_account_details', 'view_account_files'], { via_share_link: true })
  const file = aFile({})
  const server = accountServer(accountWith({}), session)
    .on(fileCalls.details, () => ({
      data: {
        ...file,
        accessible_features: { ...file.accessible_features, update: false },
        previous_id: null,
        next_id: null,
        position: 1,
        total: 1,
      },
    }))
    .on(fileVersionCalls.list, () => ({ data: [version(1, true)] }))
  renderApp(`/accounts/${ACCOUNT_ID}/files/${file.id}?tab=files`, session)
  await waitFor(() => expect(server.requests.some((request) => request.endsWith('/versions'))).toBe(true))
  expect(await screen.findByText('1 of 1')).toBeDefined()
  expect(screen.queryByText('Versions')).toBeNull()
})

it('lists the versions of a document, shows a former one and makes it the current one', async () => {
  const { user, server } = openFile()
  expect(await screen.findByText('Version 2, current')).toBeDefined()
  expect(screen.getByText('roof v1.zip')).toBeDefined()
  expect(screen.getByRole('button', { name: 'Upload a new version' })).toBeDefined()
  await user.click(screen.getByRole('button', { name: 'Show' }))
  expect(await screen.findByText(/This is version 1\. Lists, archives and searches use version 2/)).toBeDefined()
  await waitFor(() => expect(server.requests.some((request) => request.endsWith('/versions/1/preview'))).toBe(true))
  await user.click(screen.getByRole('button', { name: 'Make current' }))
  expect(await screen.findByText('Version 1 is the current one.')).toBeDefined()
})

it('shows the text of a document whose file the user may not have, as soon as it is read', async () => {
  const { server } = openFile()
  let state: 'reading' | 'done' = 'reading'
  server
    .on(fileVersionCalls.preview, () => ({ data: { url: null, type: 'application/zip', previewable: false } }))
    .on(fileCalls.plainText, () => ({
      data: { state, parts: state === 'done' ? [{ place: 'Page 1', body: 'The wombat clause' }] : [], is_cut: false },
    }))
  expect(await screen.findByText('The text of this document is being read and appears here in a moment.')).toBeDefined()
  state = 'done'
  await act(() => queryClient.invalidateQueries())
  expect(await screen.findByText('The wombat clause')).toBeDefined()
  expect(screen.getByRole('heading', { name: 'Page 1' })).toBeDefined()
  expect(screen.queryByRole('button', { name: 'Download it instead' })).toBeNull()
})

it('moves to the next document with an arrow key, but not while the user types', async () => {
  narrow()
  const next = '0198c0de-0000-7000-8000-00000000f002'
  const { user, router } = openFile({ next_id: next })
  await user.click(await screen.findByRole('textbox', { name: 'Descriptive Name' }))
  await user.keyboard('{ArrowDown}')
  expect(router.state.location.pathname).toMatch(/f001$/)
  await user.click(document.body)
  await user.keyboard('{ArrowDown}')
  await waitFor(() => expect(router.state.location.pathname).toMatch(/f002$/))
})

it('in a wide window, a document opened by its address is next to the list from the start', async () => {
  const dialogs = vi.fn<() => void>()
  const observer = new MutationObserver(() => document.querySelector('[role="dialog"]') && dialogs())
  observer.observe(document.body, { childList: true, subtree: true })
  const answer = Promise.withResolvers<{ data: ReturnType<typeof accountWith> }>()
  const { server } = openFile()
  server.on(accountCalls.show, () => answer.promise as never)
  await waitFor(() => expect(server.requests.some((request) => request.includes('/details'))).toBe(true))
  expect(screen.queryByRole('textbox', { name: 'Descriptive Name' })).toBeNull()
  answer.resolve({ data: accountWith({}) })
  expect(await screen.findByRole('region', { name: 'roof.zip' })).toBeDefined()
  expect(await screen.findByRole('textbox', { name: 'Descriptive Name' })).toBeDefined()
  observer.disconnect()
  expect(dialogs).not.toHaveBeenCalled()
})

it('next to the list is closed with Escape, unless the choices of a field are open, which stay in the page when they are closed', async () => {
  const { user, router } = openFile()
  await screen.findByRole('region', { name: 'roof.zip' })
  const choices = document.body.appendChild(document.createElement('div'))
  choices.role = 'listbox'
  await user.keyboard('{Escape}')
  expect(router.state.location.pathname).toMatch(/f001$/)
  choices.style.display = 'none'
  await user.keyboard('{Escape}')
  await waitFor(() => expect(router.state.location.pathname).toBe(`/accounts/${ACCOUNT_ID}`))
  choices.remove()
})

it('keeps the entered text and the focus when the width of the window moves the document into a panel and back', async () => {
  const media = Object.assign(new EventTarget(), { matches: true, media: '' })
  vi.spyOn(window, 'matchMedia').mockImplementation(() => media as MediaQueryList) // only what the hook reads
  const resize = (matches: boolean) => {
    const change = Object.assign(new Event('change'), Object.assign(media, { matches }))
    act(() => void media.dispatchEvent(change))
  }
  const { user } = openFile()
  const field = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Descriptive Name' })
  await user.type(field, 'Roof')
  resize(false)
  expect(await screen.findByRole('dialog', { name: 'roof.zip' })).toBeDefined()
  expect(screen.getByRole('textbox', { name: 'Descriptive Name' })).toBe(field)
  resize(true)
  expect(await screen.findByRole('region', { name: 'roof.zip' })).toBeDefined()
  expect(field.value).toBe('Roof')
  await waitFor(() => expect(document.activeElement).toBe(field))
})
