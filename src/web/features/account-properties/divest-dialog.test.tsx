import { screen, waitFor } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { propertyCalls, type Property } from '#contract/account-properties.ts'
import { isoDateIn } from '#contract/format.ts'
import { errorAnswer, fakeServer, type FakeServer } from '#web/testing/fake-server.ts'
import { renderWithSession, resetPage } from '#web/testing/render.tsx'
import { sessionWith } from '#web/testing/session.ts'
import { DivestDialog, changeStatus } from './divest-dialog.tsx'

const property: Property = {
  id: '0198c0de-0000-7000-8000-0000000000b1',
  account_id: '0198c0de-0000-7000-8000-0000000000a1',
  account_name: 'Cascadia',
  full_address: '1 Main St, Salem, OR',
  status: 'active',
  divested_on: null,
  divested_reason: null,
  divested_note: null,
  values: {},
  tiv: 0,
  quality_score: null,
  custom: {},
  sources: {},
  findings: [],
  documents: 0,
  version: 7,
  created_at: '2026-03-04T00:00:00Z',
  updated_at: '2026-03-04T00:00:00Z',
  deleted_at: null,
  accessible_features: { update: true, delete: true, divest: true },
}

let server: FakeServer
beforeEach(() => {
  server = fakeServer().on(propertyCalls.act, () => ({
    data: null,
    message: '1 property marked as divested.',
    export: null,
    changed: [{ id: property.id, version: 8 }],
  }))
})
afterEach(resetPage)

async function enterDate(user: UserEvent, date: string) {
  const input = await screen.findByLabelText(/Divested on/)
  await user.clear(input)
  if (date !== '') await user.type(input, date)
}

const open = () => {
  const onClose = vi.fn<() => void>()
  return { onClose, ...renderWithSession(<DivestDialog property={property} onClose={onClose} />, { session: sessionWith([]) }) }
}

test('divesting sends date, reason and the trimmed note, says so and closes the dialog', async () => {
  const { user, onClose } = open()
  await enterDate(user, '2026-06-30')
  await user.type(screen.getByRole('textbox', { name: 'Note' }), ' Sold to Acme ')
  await user.click(screen.getByRole('button', { name: 'Divest' }))
  await screen.findByText('1 property marked as divested.')
  expect(onClose).toHaveBeenCalledOnce()
  expect(server.bodies(propertyCalls.act)).toEqual([
    {
      action: 'divest',
      selectedIds: [property.id],
      account_id: property.account_id,
      input: { divested_on: '2026-06-30', divested_reason: 'sold', divested_note: 'Sold to Acme' },
    },
  ])
})

test('an empty note is not sent', async () => {
  const { user } = open()
  await enterDate(user, '2026-06-30')
  await user.click(screen.getByRole('button', { name: 'Divest' }))
  await waitFor(() =>
    expect(server.bodies(propertyCalls.act)).toMatchObject([{ input: { divested_on: '2026-06-30', divested_reason: 'sold' } }]),
  )
  expect(JSON.stringify(server.bodies(propertyCalls.act))).not.toContain('divested_note')
})

test('a rejected date is shown at its field, any other error above the fields', async () => {
  const { user, onClose } = open()
  server.on(propertyCalls.act, () => errorAnswer('invalid', 'Please check.', { divested_on: ['This is before the acquisition.'] }))
  await enterDate(user, '2026-06-30')
  await user.click(screen.getByRole('button', { name: 'Divest' }))
  await screen.findByText('This is before the acquisition.')
  expect(screen.queryByText('Please check.')).toBeNull()
  server.on(propertyCalls.act, () => errorAnswer('conflict', 'It is already divested.'))
  await user.click(screen.getByRole('button', { name: 'Divest' }))
  await screen.findByText('It is already divested.')
  expect(onClose).not.toHaveBeenCalled()
})

test('the date of a divestment is today until it is changed', async () => {
  const { user } = open()
  expect(await screen.findByLabelText(/Divested on/)).toHaveProperty('value', isoDateIn(new Date(), 'America/New_York'))
  await enterDate(user, '')
  await user.click(screen.getByRole('button', { name: 'Divest' }))
  await screen.findByText('Please enter the date.')
  expect(server.bodies(propertyCalls.act)).toEqual([])
})

test('the dialog names the property and its value', async () => {
  open()
  expect((await screen.findByText(/will no longer be part/)).textContent).toContain(
    '1 Main St, Salem, OR, with a total insured value of $0',
  )
})

test('a divestment can be undone from its message', async () => {
  const { user } = open()
  await user.click(await screen.findByRole('button', { name: 'Divest' }))
  await user.click(await screen.findByRole('button', { name: 'Undo' }))
  await waitFor(() =>
    expect(server.bodies(propertyCalls.act).at(-1)).toMatchObject({
      action: 'reactivate',
      selectedIds: [property.id],
      versions: { [property.id]: 8 },
    }),
  )
})

test('a divestment that another user had made before cannot be undone', async () => {
  server.on(propertyCalls.act, () => ({ data: null, message: '1 property was already divested.', export: null, changed: [] }))
  const { user } = open()
  await user.click(await screen.findByRole('button', { name: 'Divest' }))
  await screen.findByText('1 property was already divested.')
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull()
})

test('a reactivation can be undone with the date and reason that the property had', async () => {
  const divested = {
    ...property,
    status: 'divested' as const,
    divested_on: '2026-01-31',
    divested_reason: 'sold',
    divested_note: 'To Acme',
  }
  const { user } = open()
  await changeStatus(divested, 'reactivate', {})
  await user.click(await screen.findByRole('button', { name: 'Undo' }))
  await waitFor(() =>
    expect(server.bodies(propertyCalls.act).at(-1)).toMatchObject({
      action: 'divest',
      input: { divested_on: '2026-01-31', divested_reason: 'sold', divested_note: 'To Acme' },
      versions: { [property.id]: 8 },
    }),
  )
})
