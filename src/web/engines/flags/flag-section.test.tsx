import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { flagCalls, type Flag } from '#contract/flags.ts'
import { errorAnswer, fakeServer, type FakeServer } from '#web/testing/fake-server.ts'
import { renderWithSession, resetPage } from '#web/testing/render.tsx'
import { USER_ID, sessionWith } from '#web/testing/session.ts'
import { FlagSection } from './flag-section.tsx'
import { closedFlag, flag, flagRow } from '#web/testing/flags.ts'

const [ACCOUNT, PROPERTY] = [flag.account_id, flag.flaggable_id]

let server: FakeServer
let stored: Flag[]
beforeEach(() => {
  stored = [flag, closedFlag]
  const meta = () => ({ current_page: 1, from: 1, to: 1, per_page: 100, last_page: 1, total: stored.length })
  server = fakeServer()
    .on(flagCalls.index, () => ({ data: stored.map(flagRow), meta: meta() }))
    .on(flagCalls.assignees, () => ({ data: [{ id: USER_ID, full_name: 'Dana Whitfield', company: 'Harbor Point Brokerage' }] }))
})
afterEach(resetPage)

const open = (permissions: Parameters<typeof sessionWith>[0] = ['manage_flags'], notNow?: string) =>
  renderWithSession(<FlagSection record={{ account_id: ACCOUNT, type: 'account_property', id: PROPERTY }} notNow={notNow} />, {
    session: sessionWith(permissions),
  })

describe('the flags of a record', () => {
  it('are absent without the permission to manage flags', async () => {
    open(['view_account_properties'])
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(screen.queryByRole('region', { name: 'Flags' })).toBeNull()
    expect(server.requests).toEqual([])
  })

  it('show the open ones with who raised them and until when, as plain text, and count the closed ones', async () => {
    open()
    expect(await screen.findByText('Is <b>this</b> the value of both buildings?')).toBeDefined()
    expect(screen.getByText('Open, High priority')).toBeDefined()
    expect(screen.getByText(/Raised by Dana Whitfield/)).toBeDefined()
    expect(screen.getByText(/^due .*Apr/)).toBeDefined()
    expect(screen.getByText('1 closed')).toBeDefined()
    expect(screen.getByText(/Raised by Plumbline/)).toBeDefined()
    expect(server.requests[0]).toBe(`GET /flags?filter__property_id=${PROPERTY}&paginate=100`)
  })

  it('cannot be raised on a record that is not in use, which says why', async () => {
    stored = []
    open(['manage_flags'], 'A divested property cannot be flagged.')
    expect(await screen.findByText('A divested property cannot be flagged.')).toBeDefined()
    expect(screen.queryByRole('button', { name: 'Raise a flag' })).toBeNull()
  })

  it('are raised with a message, which is required', async () => {
    server.on(flagCalls.raise, ({ body }) => {
      stored = [{ ...flag, id: '0198c0de-0000-7000-8000-000000000405', message: body.message }, ...stored]
      return { data: flag, message: 'The flag was raised.' }
    })
    const { user } = open()
    await user.click(await screen.findByRole('button', { name: 'Raise a flag' }))
    await user.click(screen.getByRole('button', { name: 'Raise flag' }))
    expect(await screen.findByText('Please say what needs attention.')).toBeDefined()
    expect(server.bodies(flagCalls.raise)).toEqual([])
    await user.type(screen.getByRole('textbox', { name: /What needs attention/ }), 'Check the roof.')
    await user.click(screen.getByRole('checkbox', { name: 'High priority' }))
    await user.click(screen.getByRole('button', { name: 'Raise flag' }))
    expect(await screen.findByText('Check the roof.')).toBeDefined()
    expect(server.bodies(flagCalls.raise)).toEqual([
      {
        flaggable_type: 'account_property',
        flaggable_id: PROPERTY,
        reason: 'needs_review',
        message: 'Check the roof.',
        priority: 'high',
        assigned_to: null,
        due_on: null,
      },
    ])
    expect(screen.queryByRole('form', { name: 'Raise a flag' })).toBeNull()
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Raise a flag' })))
  })

  it('show the form with its text again after an error', async () => {
    server.on(flagCalls.raise, () => errorAnswer('conflict', 'A divested property cannot be flagged. Reactivate it first.'))
    const { user } = open()
    await user.click(await screen.findByRole('button', { name: 'Raise a flag' }))
    await user.type(screen.getByRole('textbox', { name: /What needs attention/ }), 'Check the roof.')
    await user.click(screen.getByRole('button', { name: 'Raise flag' }))
    expect(await screen.findByText('A divested property cannot be flagged. Reactivate it first.')).toBeDefined()
    expect(screen.getByRole('textbox', { name: /What needs attention/ })).toHaveProperty('value', 'Check the roof.')
  })

  it('are resolved with a text, in the version that is shown', async () => {
    server.on(flagCalls.update, ({ body }) => {
      if (body.resolution === '') return errorAnswer('invalid', 'Check.', { resolution: ['Please say how this was resolved.'] })
      stored = [{ ...flag, status: 'resolved', closed_at: flag.raised_at, resolution: body.resolution ?? '' }, closedFlag]
      return { data: flag, message: 'The flag was saved.' }
    })
    const { user } = open()
    await user.click(await screen.findByRole('button', { name: 'Resolve' }))
    await user.click(screen.getByRole('button', { name: 'Resolve flag' }))
    expect(await screen.findByText('Please say how this was resolved.')).toBeDefined()
    await user.type(screen.getByRole('textbox', { name: /How was it resolved/ }), 'Asked the owner.')
    await user.click(screen.getByRole('button', { name: 'Resolve flag' }))
    expect(await screen.findByText('2 closed')).toBeDefined()
    expect(server.bodies(flagCalls.update).at(-1)).toEqual({ status: 'resolved', resolution: 'Asked the owner.', version: 4 })
    await user.click(await screen.findByRole('button', { name: 'Undo' }))
    await waitFor(() => expect(server.bodies(flagCalls.update).at(-1)).toMatchObject({ status: 'open' }))
  })

  it('that another user closed meanwhile say so and are loaded again', async () => {
    server.on(flagCalls.update, () => {
      stored = [{ ...flag, status: 'dismissed', closed_at: flag.raised_at, resolution: 'Old.' }]
      return errorAnswer('conflict', 'Kim Lee has closed this flag. Reopen it to change it.')
    })
    const { user } = open()
    await user.click(await screen.findByRole('button', { name: 'Dismiss' }))
    await user.type(screen.getByRole('textbox', { name: /Why is it dismissed/ }), 'Wrong.')
    await user.click(screen.getByRole('button', { name: 'Dismiss flag' }))
    expect(await screen.findByText('Kim Lee has closed this flag. Reopen it to change it.')).toBeDefined()
    expect(await screen.findByText('1 closed')).toBeDefined()
  })

  it('are assigned to a user who works on the account, with the message of the user who raised them', async () => {
    server.on(flagCalls.update, () => ({ data: flag, message: 'The flag was saved.' }))
    const { user } = open()
    await user.click(await screen.findByRole('button', { name: 'Edit' }))
    await user.click(await screen.findByRole('combobox', { name: 'Assigned to' }))
    await user.click(await within(document.body).findByText('Dana Whitfield, Harbor Point Brokerage'))
    await user.click(screen.getByRole('button', { name: 'Save flag' }))
    const sent = { assigned_to: USER_ID, due_on: '2026-04-01', priority: 'high', version: 4 }
    await waitFor(() => expect(server.bodies(flagCalls.update)).toEqual([sent]))
    await waitFor(() => expect(screen.queryByRole('form', { name: 'Edit flag' })).toBeNull())
    await user.click(screen.getByRole('button', { name: 'Edit' }))
    await user.type(screen.getByRole('textbox', { name: /What needs attention/ }), ' Please answer.')
    await user.click(screen.getByRole('button', { name: 'Save flag' }))
    await waitFor(() => expect(server.bodies(flagCalls.update).at(-1)?.message).toBe(`${flag.message} Please answer.`))
  })

  it('have no message to edit for other users', async () => {
    stored = [{ ...flag, accessible_features: { ...flag.accessible_features, edit_message: false } }]
    const { user } = open()
    await user.click(await screen.findByRole('button', { name: 'Edit' }))
    expect(screen.getByRole('form', { name: 'Edit flag' })).toBeDefined()
    expect(screen.queryByRole('textbox', { name: /What needs attention/ })).toBeNull()
  })
})
