import { screen, within } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { PERMISSION_GROUPS, type PermissionName } from '#contract/permissions.ts'
import { roleCalls, type Role } from '#contract/roles.ts'
import { userCalls } from '#contract/users.ts'
import { fakeServer, onePage } from '#web/testing/fake-server.ts'
import { openRecordPanel } from '#web/testing/record-panel.tsx'
import { renderApp } from '#web/testing/render-app.tsx'
import { resetPage } from '#web/testing/render.tsx'
import { sessionWith } from '#web/testing/session.ts'

const role: Role = {
  id: '0198c0de-0000-7000-8000-0000000000aa',
  name: 'surveyor',
  label: 'Surveyor',
  company: null,
  permissions: ['view_account_details', 'view_account_files'],
  users: 3,
  companies: [{ id: '0198c0de-0000-7000-8000-0000000000bb', name: 'Harbor Point' }],
  version: 1,
  created_at: '2026-01-02T12:00:00Z',
  updated_at: '2026-01-02T12:00:00Z',
  deleted_at: null,
  accessible_features: { update: false, delete: false },
}

afterEach(resetPage)

/** The parts of a group of permissions in the panel: its heading, and the lists of what is allowed and what is not. */
const groupIn = (panel: HTMLElement, heading: string) => {
  const section = within(within(panel).getByRole('region', { name: 'Permissions' }))
  const group = section.getByText(heading, { exact: false, selector: 'summary' }).closest('details')
  const texts = [...(group?.querySelectorAll('ul') ?? [])].map((list) => [...list.children].map(({ textContent }) => textContent))
  return { isOpen: group?.open, summary: group?.querySelector('summary')?.textContent, texts }
}

it('lists one by one what a role allows of a group, and what it does not', async () => {
  const { panel, server } = await openRecordPanel('roles', { ...role, permissions: ['view_users_component', 'create_users'] }, 'Surveyor')
  const { isOpen, summary, texts } = groupIn(panel, 'Users')
  expect([isOpen, summary]).toEqual([true, `Users 1 of ${PERMISSION_GROUPS.users.length}`])
  const [allowed = [], missing = []] = texts
  expect([allowed, missing.length]).toEqual([['Create users'], PERMISSION_GROUPS.users.length - 1])
  expect(missing).toContain('Edit users')
  server.close()
})

it('folds groups of which a role allows everything or nothing', async () => {
  const permissions = [...PERMISSION_GROUPS.companies]
  const { panel, server } = await openRecordPanel('roles', { ...role, permissions }, 'Surveyor')
  const [all, none] = [PERMISSION_GROUPS.companies.length, PERMISSION_GROUPS.users.length]
  expect(groupIn(panel, 'Companies')).toMatchObject({ isOpen: false, summary: `Companies All ${all}` })
  expect(groupIn(panel, 'Users')).toMatchObject({ isOpen: false, summary: `Users None of ${none}` })
  expect(groupIn(panel, 'Users').texts).toHaveLength(1)
  server.close()
})

it('lists the permissions of a group one by one', async () => {
  const { panel, server } = await openRecordPanel('roles', { ...role, permissions: ['view_account_files', 'download_files'] }, 'Surveyor')
  const listed = within(panel).getByText('See documents').closest('ul')
  expect([...(listed?.children ?? [])].map(({ textContent }) => textContent)).toEqual(['See documents', 'Download documents'])
  server.close()
})

it('shows company, users and permissions of a role in its panel, without Edit for those who cannot change it', async () => {
  const { panel, server } = await openRecordPanel('roles', role, 'Surveyor', ['update_roles'])
  for (const text of ['All companies', '3', 'Open an account', 'See documents']) expect(within(panel).getByText(text)).toBeDefined()
  expect(within(panel).queryByText('Edit')).toBeNull()
  server.close()
})

/** The panel of a role for a user who sees and adds users. */
async function openWithUsers(shown: Role) {
  const server = fakeServer()
    .on(roleCalls.show, () => ({ data: shown }))
    .on(roleCalls.index, () => onePage([]))
    .on(roleCalls.columns, () => ({ data: [] }))
    .on(userCalls.index, () => onePage([]))
  const sees: PermissionName[] = ['view_users_component', 'create_users', 'view_companies_component', 'view_company_details']
  renderApp(`/roles/${shown.id}`, sessionWith(['view_roles_component', ...sees]))
  const panel = await screen.findByRole('dialog', { name: shown.label })
  const add = await within(panel).findByRole('link', { name: 'Add user' })
  return { server, panel, add: add.getAttribute('href') }
}

it('has the users and companies of a role as links, and adds a user with the role', async () => {
  const { server, panel, add } = await openWithUsers(role)
  expect(add).toBe(`/users/create?roles=${role.id}`)
  expect(server.requests.some((request) => request.startsWith('GET /users?') && request.includes(`filter__role_id=${role.id}`))).toBe(true)
  expect(within(panel).getByRole('link', { name: 'Harbor Point' }).getAttribute('href')).toBe(`/companies/${role.companies[0]?.id ?? ''}`)
  server.close()
})

it('adds a user with the role of a company in that company', async () => {
  const company = { id: '0198c0de-0000-7000-8000-0000000000bb', name: 'Harbor Point' }
  const { server, add } = await openWithUsers({ ...role, company })
  expect(add).toBe(`/users/create?roles=${role.id}&company_id=${company.id}`)
  server.close()
})
