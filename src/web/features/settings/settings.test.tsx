import { act, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { companyCalls } from '#contract/companies.ts'
import type { Form } from '#contract/form.ts'
import { initCalls } from '#contract/init.ts'
import type { PermissionName } from '#contract/permissions.ts'
import { statusCalls, type CompanyStatus } from '#contract/statuses.ts'
import { queryClient } from '#web/data/query-client.ts'
import { aCompany } from '#web/testing/company.ts'
import { errorAnswer, fakeServer, type FakeServer } from '#web/testing/fake-server.ts'
import { renderApp } from '#web/testing/render-app.tsx'
import { resetPage, signInAs } from '#web/testing/render.tsx'
import { COMPANY_ID, sessionWith } from '#web/testing/session.ts'

const SEES: PermissionName[] = ['view_company_details', 'view_company_statuses']
const EDITS: PermissionName[] = [...SEES, 'update_companies', 'create_statuses', 'update_statuses', 'delete_statuses']
/** Longer than the wait for more typing. */
const AFTER_SAVE = { timeout: 3_000 }

const status = (n: number, name: string, more: Partial<CompanyStatus> = {}): CompanyStatus => ({
  id: `0198c0de-0000-7000-8000-00000000010${String(n)}`,
  name,
  color: '#1976D2',
  state: null,
  model_type: 'account',
  position: n,
  used: 0,
  ...more,
})
const NEW = status(0, 'New', { used: 3 })
const BOUND = status(1, 'Bound')
const companyForm = (name: string, version: number): Form => ({
  model: 'companies',
  id: COMPANY_ID,
  title: 'Edit company',
  version,
  sections: [{ title: '', fields: [{ name: 'name', label: 'Company Name', type: 'text', value: name, required: true }] }],
})

let server: FakeServer
beforeEach(() => {
  server = fakeServer()
  server.on(statusCalls.index, () => ({ data: [NEW, BOUND] })).on(companyCalls.editForm, () => ({ data: companyForm('Harbor Point', 4) }))
})
afterEach(resetPage)

const openSettings = (permissions: readonly PermissionName[], more: Parameters<typeof sessionWith>[1] = {}) =>
  renderApp('/settings', sessionWith(permissions, more))
const group = async (name: string) => within(await screen.findByRole('group', { name }))
const names = async () => (await group('Accounts')).getAllByRole<HTMLInputElement>('textbox').map(({ value }) => value)

describe('the settings', () => {
  it('say that the company has no valid subscription', async () => {
    openSettings([], { subscription: { id: '0', name: '', created_at: null, ends_at: null, term: null } })
    expect(await screen.findByText('Your company does not have a valid Subscription.')).toBeDefined()
  })

  it('say until when the subscription of the company is active', async () => {
    const [created_at, ends_at] = ['2026-11-23T15:00:00.000Z', '2027-11-23T15:00:00.000Z']
    openSettings([], { subscription: { id: 'yearly', name: 'Yearly', created_at, ends_at, term: 12 } })
    expect(await screen.findByText('Active until Nov 23, 2027')).toBeDefined()
  })

  it('do not exist for guests', async () => {
    const { path } = openSettings(SEES, { via_share_link: true })
    await waitFor(() => expect(path()).toBe('/404'))
  })

  it('keep what is entered for the company, and say so, when the permission is taken away', async () => {
    const { user } = openSettings(['view_company_details', 'update_companies'])
    await user.type(await screen.findByRole('textbox', { name: 'Company Name' }), ' West')
    act(() => signInAs(sessionWith(['view_company_details'])))
    expect(await screen.findByText('You can no longer change this.')).toBeDefined()
    expect(screen.getByDisplayValue('Harbor Point West')).toBeDefined()
    expect(screen.getByRole('button', { name: 'Save Changes' }).hasAttribute('disabled')).toBe(true)
  })

  it('save the company and load the session again', async () => {
    const loads = () => server.requests.filter((request) => request === 'GET /init').length
    server
      .on(initCalls.init, () => ({ data: sessionWith(EDITS) }))
      .on(companyCalls.update, ({ body }) => {
        server.on(companyCalls.editForm, () => ({ data: companyForm(String(body.name), 5) }))
        return { data: aCompany({ version: 5, name: String(body.name) }), message: 'The company was saved.' }
      })
    const { user } = openSettings(EDITS)
    const input = await screen.findByRole('textbox', { name: /Company Name/ })
    await user.clear(input)
    await user.type(input, 'Harbor West')
    await user.click(screen.getByRole('button', { name: 'Save Changes' }))
    expect(await screen.findByText('The company was saved.')).toBeDefined()
    await waitFor(() => expect(loads()).toBe(1))
    expect(server.bodies(companyCalls.update)).toEqual([{ name: 'Harbor West', version: 4 }])
    await user.type(await screen.findByRole('textbox', { name: /Company Name/ }), '!')
    await user.click(screen.getByRole('button', { name: 'Save Changes' }))
    await waitFor(() => expect(server.bodies(companyCalls.update).at(-1)).toEqual({ name: 'Harbor West!', version: 5 }))
  })
})

describe('an error of the settings', () => {
  const saveWith = async (kind: 'forbidden' | 'internal', message: string) => {
    server.on(companyCalls.update, () => errorAnswer(kind, message))
    const { user } = openSettings(EDITS)
    await user.type(await screen.findByRole('textbox', { name: /Company Name/ }), '!')
    await user.click(screen.getByRole('button', { name: 'Save Changes' }))
    return (await screen.findByText(message)).textContent
  }

  it('is a warning if the server rejects the change', async () => {
    expect(await saveWith('forbidden', 'You cannot do this.')).toBe('Warning: You cannot do this.')
  })

  it('is an alert if it is another message of the server', async () => {
    expect(await saveWith('internal', 'The server is broken.')).toBe('Problem: The server is broken.')
  })
})

describe('the logo of the settings', () => {
  const LOGO = 'https://files.example/old.png'
  const choose = async () => {
    const { user } = openSettings(EDITS, {
      company: { id: COMPANY_ID, name: 'Harbor Point', logo_url: LOGO, timezone: 'America/New_York' },
    })
    const box = await screen.findByRole('group', { name: 'Company Logo' })
    expect(within(box).getByRole('img').getAttribute('src')).toBe(LOGO)
    const input = box.parentElement?.querySelector<HTMLInputElement>('input[type=file]')
    if (!input) throw new Error('There is no input for a file')
    await user.upload(input, new File(['x'], 'logo.png', { type: 'image/png' }))
    return box
  }

  it('is shown as missing, without a message, after an upload that failed for an unknown reason, and stays stored', async () => {
    server.on(companyCalls.signLogo, () => ({ data: { postEndpoint: '/no-store', fields: { key: 'a' } } }))
    const box = await choose()
    await waitFor(() => expect(within(box).queryByRole('img')).toBeNull())
    expect(document.querySelectorAll('[data-position] [role=alert]')).toHaveLength(0)
    expect(server.bodies(companyCalls.update)).toEqual([])
  })

  it('stays, with a warning, after an upload that the server rejects', async () => {
    server.on(companyCalls.signLogo, () => errorAnswer('invalid', 'Please check.', { contentType: ['This is no image.'] }))
    const box = await choose()
    expect(await screen.findByText('This is no image.')).toBeDefined()
    expect(within(box).getByRole('img')).toBeDefined()
  })
})

describe('the statuses of the settings', () => {
  it('have a group for simple accounts and one for risk control only with their permissions', async () => {
    openSettings([...EDITS, 'view_risk_control'])
    await group('Risk Control')
    expect(screen.queryByRole('group', { name: 'Simple Accounts' })).toBeNull()
  })

  it('are not editable without the permissions', async () => {
    openSettings(SEES)
    expect((await group('Accounts')).getByDisplayValue<HTMLInputElement>('Bound').readOnly).toBe(true)
    expect(screen.queryByRole('button', { name: 'Delete Bound' })).toBeNull()
    expect(screen.queryByRole('button', { name: 'Add status' })).toBeNull()
  })

  it.each<[PermissionName[], string]>([
    [[], 'You can see these, but not change them.'],
    [['create_statuses'], 'You can add these, but not change them.'],
    [['create_statuses', 'delete_statuses'], 'You can add and delete these, but not change them.'],
    [['update_statuses'], 'Changes are saved as you type.'],
  ])('say what the user can do with %j', async (permissions, text) => {
    openSettings([...SEES, ...permissions])
    expect(await screen.findByText(text)).toBeDefined()
  })

  it('are saved once, a moment after the last key', async () => {
    server.on(statusCalls.update, ({ body }) => ({ data: { ...BOUND, name: String(body.name) } }))
    const { user } = openSettings(EDITS)
    await user.type((await group('Accounts')).getByDisplayValue('Bound'), ' 2027')
    expect(server.bodies(statusCalls.update)).toEqual([])
    await waitFor(() => expect(server.bodies(statusCalls.update)).toEqual([{ name: 'Bound 2027', before: { name: 'Bound' } }]), AFTER_SAVE)
  })

  it('do not overwrite a name and a color that another user has saved meanwhile, say so, and replace the name after the next change', async () => {
    const theirs = { ...BOUND, name: 'Placed', color: '#C62828' }
    server.on(statusCalls.update, () => {
      server.on(statusCalls.index, () => ({ data: [NEW, theirs] }))
      return errorAnswer('conflict', 'Another user renamed this status to “Placed”.')
    })
    const { user } = openSettings(EDITS)
    const input = (await group('Accounts')).getByDisplayValue('Bound')
    await user.type(input, '!')
    expect(await screen.findByText('Another user renamed this status to “Placed”.', {}, AFTER_SAVE)).toBeDefined()
    expect(await screen.findByRole('button', { name: 'Color of Bound!: #C62828' })).toBeDefined()
    server.on(statusCalls.update, ({ body }) => ({ data: { ...theirs, name: String(body.name) } }))
    await user.type(input, '!')
    await waitFor(() => expect(server.bodies(statusCalls.update)).toHaveLength(2), AFTER_SAVE)
    expect(server.bodies(statusCalls.update)).toEqual([
      { name: 'Bound!', before: { name: 'Bound' } },
      { name: 'Bound!!', before: { name: 'Placed' } },
    ])
  })

  it('stay with what was typed when another user deletes one, and are added again by the next change', async () => {
    server.on(statusCalls.index, () => ({ data: [NEW, BOUND, status(2, 'Closed')] }))
    const { user } = openSettings(EDITS)
    const input = (await group('Accounts')).getByDisplayValue('Bound')
    await user.type(input, '!')
    server.on(statusCalls.index, () => ({ data: [NEW, status(2, 'Closed')] }))
    await act(() => queryClient.invalidateQueries())
    const lost = 'Another user deleted this status, so your change is not saved. Change it again to add it as a new one.'
    expect(await screen.findByText(lost, {}, AFTER_SAVE)).toBeDefined()
    expect([await names(), document.activeElement]).toEqual([['New', 'Bound!', 'Closed'], input])
    expect(server.bodies(statusCalls.update)).toEqual([])
    server.on(statusCalls.create, ({ body }) => {
      server.on(statusCalls.index, () => ({ data: [NEW, status(2, 'Closed'), status(3, body.name)] }))
      return { data: status(3, body.name) }
    })
    await user.type(input, '!')
    await waitFor(async () => expect(await names()).toEqual(['New', 'Closed', 'Bound!!']), AFTER_SAVE)
    expect(server.bodies(statusCalls.create)).toEqual([{ model_type: 'account', name: 'Bound!!', color: '#1976D2', state: null }])
  })

  it('have a color that screen readers can choose', async () => {
    const { user } = openSettings(EDITS)
    await user.click((await group('Accounts')).getByRole('button', { name: 'Color of Bound: #1976D2' }))
    const names = (await screen.findAllByRole('slider')).map((slider) => slider.getAttribute('aria-label'))
    expect(names).toEqual(['Saturation and brightness', 'Hue'])
  })

  it('are not saved without a name', async () => {
    const { user } = openSettings(EDITS)
    await user.clear((await group('Accounts')).getByDisplayValue('Bound'))
    expect(await screen.findByText('Please enter a name.', {}, AFTER_SAVE)).toBeDefined()
    expect(server.bodies(statusCalls.update)).toEqual([])
  })

  it('show the error of the server under the name', async () => {
    server.on(statusCalls.update, () => errorAnswer('invalid', 'Check.', { name: ['Another status of this group has this name.'] }))
    const { user } = openSettings(EDITS)
    await user.type((await group('Accounts')).getByDisplayValue('Bound'), 'x')
    expect(await screen.findByText('Another status of this group has this name.', {}, AFTER_SAVE)).toBeDefined()
  })

  it('are added once, also when typing goes on during the first save, and keep the focus', async () => {
    let answer = () => {}
    const sent = new Promise<void>((resolve) => (answer = resolve))
    const stored = (name: string) => {
      server.on(statusCalls.index, () => ({ data: [NEW, BOUND, status(2, name)] }))
      return { data: status(2, name) }
    }
    server
      .on(statusCalls.create, async ({ body }) => {
        await sent
        return stored(body.name)
      })
      .on(statusCalls.update, ({ body }) => stored(String(body.name)))
    const { user } = openSettings(EDITS)
    await user.click((await group('Accounts')).getByRole('button', { name: 'Add status' }))
    await user.keyboard('On')
    await waitFor(() => expect(server.bodies(statusCalls.create)).toHaveLength(1), AFTER_SAVE)
    await user.keyboard(' hold')
    answer()
    await waitFor(() => expect(server.bodies(statusCalls.update)).toMatchObject([{ name: 'On hold' }]), AFTER_SAVE)
    expect(server.bodies(statusCalls.create)).toHaveLength(1)
    expect(document.activeElement).toHaveProperty('value', 'On hold')
    expect(await names()).toEqual(['New', 'Bound', 'On hold'])
  })

  it('are removed without a question while they are new and empty', async () => {
    const { user } = openSettings(EDITS)
    await user.click((await group('Accounts')).getByRole('button', { name: 'Add status' }))
    await user.click(screen.getByRole('button', { name: 'Delete the new status' }))
    expect(await names()).toEqual(['New', 'Bound'])
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('are deleted after a question, and stay with the reason if the server rejects it', async () => {
    server.on(statusCalls.remove, () => errorAnswer('conflict', '3 accounts have the status New. Change it first.'))
    const { user } = openSettings(EDITS)
    await user.click((await group('Accounts')).getByRole('button', { name: 'Delete New' }))
    expect(await screen.findByText('Are you sure you wish to delete this status? This cannot be undone.')).toBeDefined()
    await user.click(screen.getByRole('button', { name: 'Delete' }))
    expect(await screen.findByText('3 accounts have the status New. Change it first.')).toBeDefined()
    expect(await names()).toEqual(['New', 'Bound'])
  })

  it('give the focus to the next one when one is deleted, and back when it is not', async () => {
    server.on(statusCalls.remove, () => {
      server.on(statusCalls.index, () => ({ data: [BOUND] }))
      return { data: null, message: 'The status was deleted.' }
    })
    const { user } = openSettings(EDITS)
    const deletion = async (name: string) => (await group('Accounts')).getByRole('button', { name: `Delete ${name}` })
    await user.click(await deletion('New'))
    await screen.findByRole('dialog')
    await user.keyboard('{Escape}')
    await waitFor(async () => expect(document.activeElement).toBe(await deletion('New')))
    await user.keyboard('{Enter}')
    await user.click(await screen.findByRole('button', { name: 'Delete' }))
    await waitFor(async () => expect(await names()).toEqual(['Bound']))
    expect(document.activeElement).toBe(await deletion('Bound'))
  })
})
