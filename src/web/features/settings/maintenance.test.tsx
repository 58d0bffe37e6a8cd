import { act, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { initCalls } from '#contract/init.ts'
import { maintenanceCalls, type Maintenance } from '#contract/maintenance.ts'
import { sessionCalls } from '#contract/session.ts'
import { api } from '#web/data/client.ts'
import { emitPageEvent } from '#web/data/page-events.ts'
import { unsavedForms } from '#web/engines/panel/unsaved-forms.ts'
import { showError } from '#web/engines/show-error.ts'
import { errorAnswer, fakeServer, type FakeServer } from '#web/testing/fake-server.ts'
import { renderApp } from '#web/testing/render-app.tsx'
import { resetPage } from '#web/testing/render.tsx'
import { sessionWith } from '#web/testing/session.ts'
import { toast } from '#web/ui/toast.tsx'

const STARTED = { message: 'Back at two.', started_at: '2026-11-23T15:00:00.000Z', started_by: 'Ruth Adler' }
const BANNER = 'Plumbline is in maintenance'
let server: FakeServer
let current: Maintenance | null

beforeEach(() => {
  current = null
  server = fakeServer()
    .on(initCalls.init, () => ({ data: sessionWith(['manage_maintenance']) }))
    .on(maintenanceCalls.show, () => ({ data: current }))
    .on(maintenanceCalls.start, ({ body }) => ({ data: { ...STARTED, message: body.message } }))
    .on(maintenanceCalls.end, () => ({ data: null, message: 'Maintenance has ended. Everyone can work again.' }))
})
afterEach(resetPage)

const openSettings = () => renderApp('/settings', sessionWith(['manage_maintenance']))

describe('the maintenance in the settings', () => {
  it('starts with a message after a confirmation, is announced to administrators, and ends', async () => {
    const { user } = openSettings()
    await user.type(await screen.findByRole('textbox', { name: 'Message' }), 'Back at three.')
    expect(screen.queryByText(BANNER)).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Start maintenance' }))
    expect(server.bodies(maintenanceCalls.start)).toEqual([])
    const dialog = await screen.findByRole('dialog', { name: 'Start maintenance' })
    await user.click([...dialog.querySelectorAll('button')].at(-1) ?? dialog)
    expect(await screen.findByText(BANNER)).toBeDefined()
    expect(server.bodies(maintenanceCalls.start)).toEqual([{ message: 'Back at three.' }])
    expect(screen.getByText('Ruth Adler')).toBeDefined()
    await user.click(screen.getByRole('button', { name: 'End maintenance' }))
    expect(await screen.findByText('Maintenance has ended. Everyone can work again.')).toBeDefined()
    await waitFor(() => expect(screen.queryByText(BANNER)).toBeNull())
  })

  it('marks a blank message in place of asking for a confirmation', async () => {
    server.on(maintenanceCalls.start, () => errorAnswer('invalid', 'Please check the fields.', { message: ['Please enter a message.'] }))
    const { user } = openSettings()
    await screen.findByRole('textbox', { name: 'Message' })
    await user.click(screen.getByRole('button', { name: 'Start maintenance' }))
    expect(await screen.findByText('Please enter a message.')).toBeDefined()
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('changes its message', async () => {
    current = STARTED
    const { user } = openSettings()
    await user.type(await screen.findByDisplayValue('Back at two.'), ' At the latest.')
    await user.click(screen.getByRole('button', { name: 'Save message' }))
    expect(await screen.findByText('The message was saved.')).toBeDefined()
    expect(server.bodies(maintenanceCalls.start)).toEqual([{ message: 'Back at two. At the latest.' }])
  })

  it('does not exist for other users', async () => {
    renderApp('/settings', sessionWith(['view_company_details', 'update_companies']))
    await screen.findByText('Your Company')
    expect(screen.queryByText('Maintenance')).toBeNull()
    expect(server.requests.filter((request) => request.endsWith('/maintenance'))).toEqual([])
  })
})

describe('an administrator whose connection was lost for a moment during maintenance', () => {
  it('stays on the page', async () => {
    current = STARTED
    server.on(sessionCalls.status, () => errorAnswer('maintenance', STARTED.message))
    const { path } = openSettings()
    await screen.findByText(BANNER)
    emitPageEvent('unreachable', null)
    await waitFor(() => expect(server.requests).toContain('GET /status'))
    await screen.findByText(BANNER)
    expect(path()).toBe('/settings')
  })
})

describe('a call that is rejected during maintenance', () => {
  /** As commands do, which show what failed in a toast. */
  const call = () => act(async () => showError(await api(initCalls.init).catch((error: unknown) => error)))

  it('leads to the maintenance page without a toast of the same words', async () => {
    const { path } = renderApp('/settings', sessionWith(['view_company_details', 'update_companies']))
    await screen.findByText('Your Company')
    const maintenance = () => errorAnswer('maintenance', STARTED.message)
    server.on(initCalls.init, maintenance).on(sessionCalls.status, maintenance)
    const warning = vi.spyOn(toast, 'warning')
    onTestFinished(() => warning.mockRestore())
    await call()
    await screen.findByRole('heading', { name: 'System Maintenance' })
    expect(path()).toBe('/maintenance')
    expect((await screen.findByText(STARTED.message)).getAttribute('role')).toBe('status')
    expect(warning).not.toHaveBeenCalled()
  })

  it('is shown in a toast where unsaved changes may keep the page', async () => {
    unsavedForms.set(1)
    onTestFinished(() => unsavedForms.set(0))
    renderApp('/settings', sessionWith(['view_company_details', 'update_companies']))
    await screen.findByText('Your Company')
    server.on(initCalls.init, () => errorAnswer('maintenance', STARTED.message))
    await call()
    expect(await screen.findByText('Warning:')).toBeDefined()
  })
})
