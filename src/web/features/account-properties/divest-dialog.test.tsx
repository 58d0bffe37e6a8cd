import { screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { propertyCalls, type Property } from '#contract/account-properties.ts'
import { errorAnswer, fakeServer, type FakeServer } from '#web/testing/fake-server.ts'
import { renderWithSession, resetPage } from '#web/testing/render.tsx'
import { sessionWith } from '#web/testing/session.ts'
import { DivestDialog } from './divest-dialog.tsx'

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
  server = fakeServer().on(propertyCalls.act, () => ({ data: null, message: '1 property marked as divested.', export: null }))
})
afterEach(resetPage)

const open = () => {
  const onClose = vi.fn<() => void>()
  return { onClose, ...renderWithSession(<DivestDialog property={property} onClose={onClose} />, { session: sessionWith([]) }) }
}

test('divesting sends date, reason and the trimmed note, says so and closes the dialog', async () => {
  const { user, onClose } = open()
  await user.type(await screen.findByLabelText(/Divested on/), '2026-06-30')
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
  await user.type(await screen.findByLabelText(/Divested on/), '2026-06-30')
  await user.click(screen.getByRole('button', { name: 'Divest' }))
  await waitFor(() =>
    expect(server.bodies(propertyCalls.act)).toMatchObject([{ input: { divested_on: '2026-06-30', divested_reason: 'sold' } }]),
  )
  expect(JSON.stringify(server.bodies(propertyCalls.act))).not.toContain('divested_note')
})

test('a rejected date is shown at its field, any other error above the fields', async () => {
  const { user, onClose } = open()
  server.on(propertyCalls.act, () => errorAnswer('invalid', 'Please check.', { divested_on: ['This is before the acquisition.'] }))
  await user.type(await screen.findByLabelText(/Divested on/), '2026-06-30')
  await user.click(screen.getByRole('button', { name: 'Divest' }))
  await screen.findByText('This is before the acquisition.')
  expect(screen.queryByText('Please check.')).toBeNull()
  server.on(propertyCalls.act, () => errorAnswer('conflict', 'It is already divested.'))
  await user.click(screen.getByRole('button', { name: 'Divest' }))
  await screen.findByText('It is already divested.')
  expect(onClose).not.toHaveBeenCalled()
})
