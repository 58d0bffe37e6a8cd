import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { factorCalls } from '#contract/factors.ts'
import { initCalls } from '#contract/init.ts'
import { notificationCalls, type NotificationPreference } from '#contract/notifications.ts'
import { profileCalls, type Profile, type SignedInDevice } from '#contract/profile.ts'
import { queries } from '#web/data/queries.ts'
import { queryClient } from '#web/data/query-client.ts'
import { errorAnswer, fakeServer, type FakeServer } from '#web/testing/fake-server.ts'
import { renderApp } from '#web/testing/render-app.tsx'
import { resetPage } from '#web/testing/render.tsx'
import { USER_ID, sessionWith } from '#web/testing/session.ts'
import { deviceName } from './device-name.ts'

const profile: Profile = {
  id: USER_ID,
  version: 2,
  first_name: 'Dana',
  last_name: 'Whitfield',
  full_name: 'Dana Whitfield',
  name: { first_name: 'Dana', last_name: 'Whitfield' },
  email: { text: 'dana@harborpoint.example' },
  enable_2fa: false,
}
const device = (n: number, current: boolean): SignedInDevice => ({
  id: `0198c0de-0000-7000-8000-00000000020${String(n)}`,
  current,
  client: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  address: '203.0.113.7',
  signed_in_at: '2026-03-04T15:00:00.000Z',
  last_used_at: '2026-03-04T15:00:00.000Z',
})

const draft = ({ first_name = '', last_name = '' }: { first_name?: string | undefined; last_name?: string | undefined }) => ({
  first_name,
  last_name,
})

let preferences: NotificationPreference[] = []

let server: FakeServer
beforeEach(() => {
  preferences = [{ kind: 'files_added', label: 'New documents on an account', delivery: 'page' }]
  server = fakeServer()
  server
    .on(initCalls.init, () => ({ data: sessionWith([]) }))
    .on(profileCalls.show, () => ({ data: profile }))
    .on(notificationCalls.preferences, () => ({ data: preferences }))
    .on(factorCalls.show, () => ({ data: { app_since: null, recovery_codes: 0, passkeys: [] } }))
    .on(profileCalls.sessions, () => ({ data: [device(1, true), device(2, false)] }))
})
afterEach(resetPage)
const openProfile = () => renderApp('/profile', sessionWith([]))

describe('the profile', () => {
  it('has a panel for a phone that is hidden, with a mask', async () => {
    openProfile()
    await screen.findByRole('textbox', { name: 'First Name' })
    expect(screen.queryByRole('heading', { name: 'Phone 2FA' })).toBeNull()
    const phone = screen.getByPlaceholderText<HTMLInputElement>('+1 (###) ###-####')
    fireEvent.change(phone, { target: { value: '2145550123' } })
    expect(phone.value).toBe('+1 (214) 555-0123')
  })

  it('saves the name without a password', async () => {
    server.on(profileCalls.update, ({ body }) => ({
      data: { ...profile, version: 3, first_name: String(body.first_name) },
      message: 'Saved.',
    }))
    const { user } = openProfile()
    await user.type(await screen.findByRole('textbox', { name: 'First Name' }), 'h')
    expect(screen.queryByText('Required to change how you sign in.')).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Save Changes' }))
    expect(await screen.findByText('Saved.')).toBeDefined()
    expect(server.bodies(profileCalls.update)).toEqual([
      { first_name: 'Danah', last_name: 'Whitfield', email: 'dana@harborpoint.example', enable_2fa: false, version: 2 },
    ])
  })

  it.each([
    ['no field', {}, 'Please check the data.'],
    ['a field that the form does not have', { phone: ['This is not a phone number.'] }, 'Please check the data.'],
  ])('shows in a toast a rejection that names %s', async (_, fields, text) => {
    server.on(profileCalls.update, () => errorAnswer('invalid', 'Please check the data.', fields))
    const { user } = openProfile()
    await user.type(await screen.findByRole('textbox', { name: 'First Name' }), 'h')
    await user.click(screen.getByRole('button', { name: 'Save Changes' }))
    expect(await screen.findByText(text)).toBeDefined()
  })

  it('continues from what an administrator has saved meanwhile, and names a value that both have changed', async () => {
    const { user } = openProfile()
    await user.type(await screen.findByRole('textbox', { name: 'Last Name' }), '-Reed')
    server
      .on(profileCalls.show, () => ({ data: { ...profile, version: 3, first_name: 'Diana', last_name: 'White' } }))
      .on(profileCalls.update, ({ body }) =>
        body.version === 3
          ? { data: { ...profile, ...draft(body), version: 4 }, message: 'Saved.' }
          : errorAnswer('conflict', 'Compare both versions.', {}, { changed_by: 'Mira Chen' }),
      )
    await user.click(screen.getByRole('button', { name: 'Save Changes' }))
    expect(await screen.findByText('Mira Chen changed your profile while you were editing. Check the values and save again.')).toBeDefined()
    expect(screen.getByText('Mira Chen saved White meanwhile. Save again to keep yours.')).toBeDefined()
    expect([screen.getByDisplayValue('Diana'), screen.getByDisplayValue('Whitfield-Reed')]).toHaveLength(2)
    await user.click(screen.getByRole('button', { name: 'Save Changes' }))
    expect(await screen.findByText('Saved.')).toBeDefined()
    expect(server.bodies(profileCalls.update).at(-1)).toMatchObject({ first_name: 'Diana', last_name: 'Whitfield-Reed', version: 3 })
    await waitFor(() => expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Save Changes' }).disabled).toBe(true))
    expect(screen.getByDisplayValue('Whitfield-Reed')).toBeDefined()
  })

  it('keeps what is entered when the profile is read again', async () => {
    const { user } = openProfile()
    await user.type(await screen.findByRole('textbox', { name: 'Last Name' }), '-Reed')
    server.on(profileCalls.show, () => ({ data: { ...profile, version: 3 } }))
    await act(() => queryClient.refetchQueries({ queryKey: queries.profile().queryKey }))
    expect(screen.getByDisplayValue('Whitfield-Reed')).toBeDefined()
  })

  it('requires the current password for a change of the second factor, and shows its error in place', async () => {
    server.on(profileCalls.update, () => errorAnswer('invalid', 'Check.', { current_password: ['This is not your current password.'] }))
    const { user } = openProfile()
    await user.click(await screen.findByRole('checkbox', { name: 'Enable Email 2FA' }))
    expect(await screen.findByText('Required to change how you sign in.')).toBeDefined()
    await user.click(screen.getByRole('button', { name: 'Save Changes' }))
    expect(await screen.findByText('This is not your current password.')).toBeDefined()
  })

  it('can change the password only when all three are filled and the new one is repeated', async () => {
    server.on(profileCalls.password, () => ({ data: null, message: 'Your password was changed.' }))
    const { user } = openProfile()
    const button = await screen.findByRole<HTMLButtonElement>('button', { name: 'Change Password' })
    await user.type(screen.getByLabelText('Current Password'), 'old one')
    await user.type(screen.getByLabelText('New Password'), 'brand new one')
    await user.type(screen.getByLabelText('Confirm New Password'), 'brand new two')
    expect(button.disabled).toBe(true)
    expect(screen.getByText('The passwords you entered do not match')).toBeDefined()
    await user.type(screen.getByLabelText('Confirm New Password'), '{Backspace>3/}one')
    expect(button.disabled).toBe(false)
    await user.click(button)
    expect(await screen.findByText('Your password was changed.')).toBeDefined()
    expect(screen.getByLabelText('Current Password')).toHaveProperty('value', '')
  })

  it('has no notifications to choose for a user whose role gets none', async () => {
    preferences = []
    openProfile()
    await screen.findByLabelText('Current Password')
    await waitFor(() => expect(screen.queryByText(/list at the bell/)).toBeNull())
  })

  it('saves each choice of how a kind of notification arrives, and shows the stored one after an error', async () => {
    server.on(notificationCalls.savePreferences, () => ({ data: preferences, message: 'Your notifications were saved.' }))
    const { user } = openProfile()
    const choice = await screen.findByRole('combobox', { name: 'New documents on an account' })
    await user.selectOptions(choice, 'Daily email')
    expect(await screen.findByText('Your notifications were saved.')).toBeDefined()
    expect(server.bodies(notificationCalls.savePreferences)).toEqual([{ preferences: { files_added: 'digest' } }])
    expect(choice).toHaveProperty('value', 'digest')
    server.on(notificationCalls.savePreferences, () => errorAnswer('conflict', 'Please try again in a minute.'))
    await user.selectOptions(choice, 'Off')
    expect(await screen.findByText('Please try again in a minute.')).toBeDefined()
    await waitFor(() => expect(choice).toHaveProperty('value', 'page'))
  })

  it('lists where the user is signed in and signs out one device or all others', async () => {
    server
      .on(profileCalls.endOne, () => ({ data: null, message: 'This device is signed out.' }))
      .on(profileCalls.endOthers, () => ({ data: null, message: 'You are signed out on 1 other device.' }))
    const { user } = openProfile()
    expect(await screen.findAllByText('Firefox on Linux')).toHaveLength(2)
    await user.click(screen.getByRole('button', { name: 'Sign out' }))
    expect(await screen.findByText('This device is signed out.')).toBeDefined()
    await user.click(screen.getByRole('button', { name: 'Sign out everywhere else' }))
    await waitFor(() => expect(server.requests).toContain('DELETE /users/sessions'))
    expect(server.requests).toContain(`DELETE /users/sessions/${device(2, false).id}`)
  })
})

it.each([
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0',
    'Edge on Windows',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile/15E148 Safari/604.1',
    'Safari on iPhone',
  ],
  ['Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0 Mobile Safari/537.36', 'Chrome on Android'],
  ['curl/8.5.0', 'curl/8.5.0'],
  ['', 'Unknown device'],
])('the name of the device %j is %j', (client, name) => {
  expect(deviceName(client)).toBe(name)
})
