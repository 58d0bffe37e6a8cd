import { within } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { PERMISSION_GROUPS } from '#contract/permissions.ts'
import type { Role } from '#contract/roles.ts'
import { openRecordPanel } from '#web/testing/record-panel.tsx'
import { resetPage } from '#web/testing/render.tsx'

const role: Role = {
  id: '0198c0de-0000-7000-8000-0000000000aa',
  name: 'surveyor',
  label: 'Surveyor',
  company: null,
  permissions: ['view_account_details', 'view_account_files'],
  users: 3,
  version: 1,
  created_at: '2026-01-02T12:00:00Z',
  updated_at: '2026-01-02T12:00:00Z',
  deleted_at: null,
  accessible_features: { update: false, delete: false },
}

afterEach(resetPage)

it('counts the permissions of a group in which the role has all of them', async () => {
  const permissions = [...PERMISSION_GROUPS.companies, 'view_account_files' as const]
  const { panel, server } = await openRecordPanel('roles', { ...role, permissions }, 'Surveyor')
  expect(within(panel).getByText(`All ${PERMISSION_GROUPS.companies.length}`)).toBeDefined()
  expect(within(panel).getByText('See documents')).toBeDefined()
  server.close()
})

it('shows company, users and permissions of a role in its panel, without Edit for those who cannot change it', async () => {
  const { panel, server } = await openRecordPanel('roles', role, 'Surveyor', ['update_roles'])
  for (const text of ['All companies', '3', 'Permissions: Accounts', 'Open an account', 'Permissions: Documents', 'See documents'])
    expect(within(panel).getByText(text)).toBeDefined()
  expect(within(panel).queryByText('Edit')).toBeNull()
  server.close()
})
