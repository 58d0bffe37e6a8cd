import { fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { NOTIFICATIONS_HIDE_MS, NOTIFICATIONS_SHOWN, NOTIFICATION_REMOVE_MS } from '#contract/limits.ts'
import { notificationAddress, notificationCalls, type Notification } from '#contract/notifications.ts'
import { staleAfter } from '#web/data/staleness.ts'
import { errorAnswer, fakeServer, type FakeServer } from '#web/testing/fake-server.ts'
import { renderWithSession, resetPage } from '#web/testing/render.tsx'
import { sessionWith } from '#web/testing/session.ts'
import { GuestHeadingBar } from './guest-heading-bar.tsx'
import { HeadingBar } from './heading-bar.tsx'

const ACCOUNT = '0198c0de-0000-7000-8000-00000000000a'
const FILE = '0198c0de-0000-7000-8000-00000000000b'
const notification = (n: number, message: string): Notification => ({
  id: `0198c0de-0000-7000-8000-00000000030${String(n)}`,
  message,
  icon: 'paperclip',
  type: 'files_added',
  created_at: `2026-03-04T15:00:0${String(n)}.000Z`,
  link: { model: 'accounts', model_id: ACCOUNT, child: { model: 'account_files', model_id: null } },
})

let server: FakeServer
let stored: Notification[]
beforeEach(() => {
  stored = [notification(2, '2 documents were added to Harbor Stores.'), notification(1, 'sov.csv was imported: 3 added.')]
  server = fakeServer()
    .on(notificationCalls.index, ({ query }) => ({ data: stored.slice(0, Number(query['paginate'])), count: stored.length }))
    .on(notificationCalls.dismiss, ({ params }) => {
      stored = params.one_or_all === 'all' ? [] : stored.filter(({ id }) => id !== params.one_or_all)
      return { data: null, message: 'Dismissed.', dismissed_at: '2026-05-01T12:00:00.000Z' }
    })
})
afterEach(() => {
  vi.useRealTimers()
  resetPage()
})

const renderBar = (user: Parameters<typeof sessionWith>[1] = {}) =>
  renderWithSession(<HeadingBar onMenu={undefined} />, { session: sessionWith([], user) })
async function openDropdown() {
  const view = renderBar()
  await view.user.click(await screen.findByRole('button', { name: 'Notifications, 2 not dismissed' }))
  await screen.findByRole('button', { name: 'Dismiss All' })
  return view
}
const dismissButton = (message: string) => screen.getByRole('button', { name: `Dismiss: ${message}` })

it('the list shows every notification that the bell counts, the older ones on request', async () => {
  stored = Array.from({ length: NOTIFICATIONS_SHOWN + 7 }, (_, n) => ({
    ...notification(1, `Message ${n}.`),
    id: `0198c0de-0000-7000-8000-0000000${String(10_000 + n)}`,
  }))
  const { user } = renderBar()
  await user.click(await screen.findByRole('button', { name: `Notifications, ${stored.length} not dismissed` }))
  await user.click(await screen.findByRole('button', { name: 'Show older ones (7)' }))
  await waitFor(() => expect(screen.getAllByRole('button', { name: /^Dismiss: / })).toHaveLength(stored.length))
  expect(screen.queryByRole('button', { name: /older/ })).toBeNull()
})

describe('the bell', () => {
  it('is absent for guests and requests nothing', async () => {
    renderWithSession(<GuestHeadingBar onMenu={undefined} />, { session: sessionWith([], { via_invite: true }) })
    await screen.findByRole('link', { name: 'Live Chat' })
    expect(screen.queryByRole('button', { name: /^Notifications/ })).toBeNull()
    expect(server.requests).toEqual([])
  })

  it('counts a notification that arrives', async () => {
    renderBar()
    await screen.findByRole('button', { name: 'Notifications, 2 not dismissed' })
    stored = [notification(3, 'An import failed.'), ...stored]
    staleAfter.user.notification({ id: stored[0]?.id ?? '', createdAt: '' })
    expect(await screen.findByRole('button', { name: 'Notifications, 3 not dismissed' })).toBeDefined()
  })
})

describe('the dropdown', () => {
  it('links each notification to the part of the account that it is about', async () => {
    await openDropdown()
    const link = screen.getByRole('link', { name: '2 documents were added to Harbor Stores.' })
    expect(link.getAttribute('href')).toBe(`/accounts/${ACCOUNT}?tab=files`)
  })

  it('brings dismissed ones back from the toast', async () => {
    const { user } = await openDropdown()
    const before = stored
    server.on(notificationCalls.restore, () => {
      stored = before
      return { data: null, message: 'Your notifications are shown again.' }
    })
    await user.click(screen.getByRole('button', { name: 'Dismiss All' }))
    await user.click(await screen.findByRole('button', { name: 'Undo' }))
    await waitFor(() => expect(server.bodies(notificationCalls.restore)).toEqual([{ dismissed_at: '2026-05-01T12:00:00.000Z' }]))
    expect(await screen.findByRole('button', { name: 'Notifications, 2 not dismissed' })).toBeDefined()
  })

  it('removes a dismissed one after a moment and moves the focus to the next', async () => {
    const { user } = await openDropdown()
    const started = performance.now()
    await user.click(dismissButton('2 documents were added to Harbor Stores.'))
    expect(document.activeElement).toBe(dismissButton('sov.csv was imported: 3 added.'))
    await waitFor(() => expect(screen.queryByText('2 documents were added to Harbor Stores.')).toBeNull())
    expect(performance.now() - started).toBeGreaterThanOrEqual(NOTIFICATION_REMOVE_MS - 5)
    expect(screen.getByRole('button', { name: 'Notifications, 1 not dismissed' })).toBeDefined()
  })

  it('dismisses all up to the newest that it shows', async () => {
    const { user } = await openDropdown()
    await user.click(screen.getByRole('button', { name: 'Dismiss All' }))
    expect(await screen.findByText('You have no Notifications!')).toBeDefined()
    expect(server.bodies(notificationCalls.dismiss)).toEqual([{ until: '2026-03-04T15:00:02.000Z' }])
    expect(screen.getByRole('button', { name: 'Notifications' })).toBeDefined()
  })

  it('shows a notification that could not be dismissed again, with the reason', async () => {
    server.on(notificationCalls.dismiss, () => errorAnswer('conflict', 'Please try again in a minute.'))
    const { user } = await openDropdown()
    await user.click(dismissButton('sov.csv was imported: 3 added.'))
    expect(await screen.findByText('Please try again in a minute.')).toBeDefined()
    expect(dismissButton('sov.csv was imported: 3 added.')).toBeDefined()
  })

  it('is shown as busy until a moment after the answer', async () => {
    server.on(notificationCalls.dismiss, () => errorAnswer('conflict', 'Please try again in a minute.'))
    const { user } = await openDropdown()
    await user.click(screen.getByRole('button', { name: 'Dismiss All' }))
    const isBusy = () => screen.getByRole('button', { name: 'Dismiss All' }).hasAttribute('data-loading')
    await screen.findByText('Please try again in a minute.')
    const answered = performance.now()
    expect(isBusy()).toBe(true)
    await waitFor(() => expect(isBusy()).toBe(false))
    expect(performance.now() - answered).toBeGreaterThanOrEqual(NOTIFICATION_REMOVE_MS - 50)
  })

  it('says that the notifications could not be loaded', async () => {
    server.on(notificationCalls.index, () => errorAnswer('unavailable', 'Please try again in a minute.'))
    const { user } = renderBar()
    await user.click(await screen.findByRole('button', { name: 'Notifications' }))
    expect(await screen.findByText('This could not be loaded.')).toBeDefined()
    expect(screen.queryByText('You have no Notifications!')).toBeNull()
  })

  it('closes a second after the mouse has left it, unless the mouse returns, and never because of a finger', async () => {
    await openDropdown()
    const dropdown = screen.getByRole('dialog', { name: /^Notifications/ })
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const isOpen = () => screen.queryByRole('button', { name: 'Dismiss All' }) !== null
    fireEvent.pointerOut(dropdown, { pointerType: 'touch' })
    await vi.advanceTimersByTimeAsync(2 * NOTIFICATIONS_HIDE_MS)
    expect(isOpen()).toBe(true)
    fireEvent.pointerOut(dropdown, { pointerType: 'mouse' })
    await vi.advanceTimersByTimeAsync(NOTIFICATIONS_HIDE_MS / 2)
    fireEvent.pointerOver(dropdown, { pointerType: 'mouse' })
    await vi.advanceTimersByTimeAsync(2 * NOTIFICATIONS_HIDE_MS)
    expect(isOpen()).toBe(true)
    fireEvent.pointerOut(dropdown, { pointerType: 'mouse' })
    await vi.advanceTimersByTimeAsync(NOTIFICATIONS_HIDE_MS / 2)
    expect(isOpen()).toBe(true)
    await vi.advanceTimersByTimeAsync(NOTIFICATIONS_HIDE_MS)
    await waitFor(() => expect(isOpen()).toBe(false))
  })

  it('closes with Escape and returns the focus to the bell', async () => {
    const { user } = await openDropdown()
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Dismiss All' })).toBeNull())
    await waitFor(() => expect(document.activeElement?.getAttribute('aria-label')).toBe('Notifications, 2 not dismissed'))
  })
})

it.each([
  [undefined, `/accounts/${ACCOUNT}`],
  [{ model: 'account_files', model_id: FILE } as const, `/accounts/${ACCOUNT}/files/${FILE}`],
  [{ model: 'account_properties', model_id: FILE } as const, `/accounts/${ACCOUNT}/properties/${FILE}`],
  [{ model: 'account_properties', model_id: null } as const, `/accounts/${ACCOUNT}?tab=properties`],
  [
    { model: 'risk_control', model_id: FILE, property_id: ACCOUNT } as const,
    `/accounts/${ACCOUNT}/properties/${ACCOUNT}/risk_control/${FILE}`,
  ],
  [{ model: 'imports', model_id: FILE } as const, `/accounts/${ACCOUNT}/import`],
  [{ model: 'archives', model_id: FILE } as const, '/downloads'],
  [{ model: 'discrepancies', model_id: null } as const, `/accounts/${ACCOUNT}?tab=properties&filter__severity=critical`],
])('a link with the child %j opens %s', (child, address) => {
  expect(notificationAddress({ model: 'accounts', model_id: ACCOUNT, ...(child && { child }) })).toBe(address)
})
