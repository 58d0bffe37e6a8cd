import { screen, waitFor } from '@testing-library/react'
import { afterEach, describe, expect, test } from 'vitest'
import type { Account } from '#contract/accounts.ts'
import type { InitData } from '#contract/init.ts'
import { PERMISSION_NAMES, type PermissionName } from '#contract/permissions.ts'
import { ACCOUNT_ID, accountServer, accountWith } from '#web/testing/account-server.ts'
import { renderApp } from '#web/testing/render-app.tsx'
import { resetPage } from '#web/testing/render.tsx'
import { sessionWith } from '#web/testing/session.ts'
import { hasSeenTour } from './seen-tour.ts'
import { tourSteps } from './steps.ts'

afterEach(() => {
  document.cookie = 'seen_tour=; Max-Age=0; Path=/'
  resetPage()
})

const GUEST: PermissionName[] = ['view_account_details', 'view_account_properties', 'view_account_files', 'view_property_types_pie_metric']

function open(
  user: Partial<InitData['auth_user']> = { via_share_link: true },
  account: Account = accountWith(),
  role = 'share_guest',
  path = '',
  more: PermissionName[] = [],
) {
  const session = sessionWith([...GUEST, ...more], { roles: [{ id: ACCOUNT_ID, name: role, label: role }], ...user })
  accountServer(account, session)
  return renderApp(`/accounts/${ACCOUNT_ID}${path}`, session)
}
const inState = (state: 'uploading' | 'processing') =>
  accountWith({ type: 'managed', status: { id: ACCOUNT_ID, name: state, color: '#000000', state } })
const welcome = () => screen.findByRole('dialog', { name: 'Welcome to Cascadia Portfolio' })
const titleOf = () => screen.getByRole('dialog').getAttribute('aria-labelledby')
const heading = (name: string) => screen.findByRole('dialog', { name })

describe('the steps', () => {
  const everything = { can: () => true, hasBell: true, hasChat: true, hasDiscrepancies: true, collecting: false }
  const targets = (viewer: Partial<Parameters<typeof tourSteps>[0]>) => tourSteps({ ...everything, ...viewer }).map(({ target }) => target)

  test('are in the specified order for a user with all permissions', () => {
    expect(targets({})).toEqual(['downloads', 'overview', 'discrepancies', 'properties', 'files', 'notifications', 'chat'])
  })

  test('depend on the permissions', () => {
    const without = (missing: PermissionName) => {
      const left = targets({ can: (name) => name !== missing })
      return targets({}).filter((target) => !left.includes(target))
    }
    const lost = PERMISSION_NAMES.map((name) => [name, without(name)] as const).filter(([, gone]) => gone.length > 0)
    expect(Object.fromEntries(lost)).toEqual({
      view_account_reconciliation_metric: ['discrepancies'],
      view_account_properties: ['properties'],
      view_account_files: ['files'],
    })
    expect(targets({ can: () => false, hasBell: false })).toEqual(['overview', 'chat'])
    expect(targets({ hasBell: false, hasChat: false })).not.toContain('chat')
    expect(targets({ hasDiscrepancies: false })).not.toContain('discrepancies')
  })

  test('are about what is there while documents are collected', () => {
    expect(targets({ collecting: true, hasBell: false })).toEqual(['files', 'chat'])
  })
})

describe('the tour', () => {
  test('opens for a guest on the first visit, walks through its slides and is remembered', async () => {
    const { user } = open()
    await welcome()
    expect(screen.getByText('1 of 5 slides')).toBeDefined()
    await user.click(screen.getByRole('button', { name: 'Start Tour' }))
    await heading('Read the overview')
    await user.click(screen.getByRole('button', { name: 'Previous' }))
    await welcome()
    await user.click(screen.getByRole('button', { name: 'Start Tour' }))
    for (const name of ['Look at the properties', 'Open the documents', 'Ask us']) {
      await user.click(await screen.findByRole('button', { name: 'Next' }))
      await heading(name)
    }
    expect(screen.getByText('5 of 5 slides')).toBeDefined()
    await user.click(screen.getByRole('button', { name: 'Back to Beginning' }))
    await welcome()
    expect(hasSeenTour()).toBe(false)
    await user.keyboard('{ArrowRight}{ArrowRight}{ArrowLeft}{ArrowRight}{ArrowRight}{ArrowRight}{ArrowRight}')
    await user.click(await screen.findByRole('button', { name: 'Finish' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(document.cookie).toContain('seen_tour=1')
    await user.click(screen.getByRole('button', { name: 'View Tour' }))
    await welcome()
    expect(titleOf()).not.toBeNull()
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  test('opens the tab of each step', async () => {
    const { user, router } = open()
    await user.click(await screen.findByRole('button', { name: 'Start Tour' }))
    const shown: unknown[] = []
    for (const name of ['Read the overview', 'Look at the properties', 'Open the documents']) {
      await heading(name)
      await waitFor(() => expect(router.state.location.search).toHaveProperty('tab'))
      await waitFor(() => expect(screen.getAllByRole('tab', { selected: true, hidden: true })).toHaveLength(1))
      shown.push(screen.getByRole('tab', { selected: true, hidden: true }).textContent?.replace(/\d+$/, ''))
      await user.click(screen.getByRole('button', { name: 'Next' }))
    }
    expect(shown).toEqual(['Overview', 'Properties', 'Documents'])
    await user.click(screen.getByRole('button', { name: 'Previous' }))
    await heading('Open the documents')
    await user.click(screen.getByRole('button', { name: 'Previous' }))
    await waitFor(() => expect(router.state.location.search).toMatchObject({ tab: 'properties' }))
  })

  test('has no step about what does not agree for an invited viewer, whose page does not show it', async () => {
    const { user } = open({ via_invite: true }, accountWith(), 'invite_guest', '', ['view_account_reconciliation_metric'])
    await user.click(await screen.findByRole('button', { name: 'Start Tour' }))
    await heading('Read the overview')
    await user.click(screen.getByRole('button', { name: 'Next' }))
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Read the overview' })).toBeNull())
    screen.getByRole('dialog', { name: 'Look at the properties' })
  })

  test('keeps the focus, and returns it to the button that opened it', async () => {
    document.cookie = 'seen_tour=1; Path=/'
    const { user } = open()
    const button = await screen.findByRole('button', { name: 'View Tour' })
    await user.click(button)
    await welcome()
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Start Tour'))
    for (let press = 0; press < 4; press += 1) {
      await user.tab()
      expect(screen.getByRole('dialog').contains(document.activeElement)).toBe(true)
    }
    await user.keyboard('{Escape}')
    await waitFor(() => expect(document.activeElement).toBe(button))
  })

  test('does not open again after it was skipped', async () => {
    const { user, router } = open({ via_invite: true }, accountWith(), 'invite_guest')
    await welcome()
    await user.click(screen.getAllByRole('button', { name: 'Skip Tour' }).at(-1) as HTMLElement)
    await waitFor(() => expect(hasSeenTour()).toBe(true))
    await router.navigate({ to: '/404' })
    await router.navigate({ to: '/accounts/$id', params: { id: ACCOUNT_ID } })
    await screen.findByRole('button', { name: 'View Tour' })
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  test.each(['uploading', 'processing'] as const)('does not open by itself while the account is %s', async (state) => {
    open({ via_share_link: true }, inState(state))
    await screen.findByRole('button', { name: 'View Tour' })
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  test.each([
    ['users who only upload', { via_invite: true }, 'upload_only', ''],
    ['users who are no guests', {}, 'broker', ''],
    ['a panel over the account', { via_share_link: true }, 'share_guest', '/upload'],
  ])('does not exist for %s', async (_name, user, role, path) => {
    open(user, accountWith(), role, path)
    await screen.findByRole('heading', { name: 'Cascadia Portfolio', hidden: true })
    expect(screen.queryByRole('button', { name: 'View Tour', hidden: true })).toBeNull()
    expect(screen.queryByText(/^1 of/)).toBeNull()
  })
})
