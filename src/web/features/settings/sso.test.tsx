import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { initCalls } from '#contract/init.ts'
import { ssoCalls, type SsoProvider, type SsoSettings } from '#contract/sso.ts'
import { errorAnswer, fakeServer, type FakeServer } from '#web/testing/fake-server.ts'
import { renderApp } from '#web/testing/render-app.tsx'
import { resetPage } from '#web/testing/render.tsx'
import { USER_ID, sessionWith } from '#web/testing/session.ts'

const REDIRECT = 'https://plumbline.example/api/v1/sso/callback'
const OTHER_ID = '0198c0de-0000-7000-8000-000000000009'
const session = () => sessionWith(['update_companies'])

const aProvider = (more: Partial<SsoProvider> = {}): SsoProvider => ({
  issuer: 'https://login.harborpoint.example',
  client_id: 'plumbline',
  domains: ['harborpoint.example'],
  enabled: true,
  password_allowed: true,
  emergency_user_id: null,
  version: 3,
  test: { state: 'unknown' },
  last_sign_in_at: null,
  last_failure: null,
  ...more,
})

let server: FakeServer
let stored: SsoSettings
const providerIs = (provider: SsoProvider | null) => {
  stored = { ...stored, provider }
}

beforeEach(() => {
  stored = {
    provider: null,
    redirect_uri: REDIRECT,
    administrators: [
      { id: USER_ID, name: 'Dana Whitfield', email: 'dana@harborpoint.example' },
      { id: OTHER_ID, name: 'Ruth Adler', email: 'ruth@harborpoint.example' },
    ],
  }
  server = fakeServer()
    .on(initCalls.init, () => ({ data: session() }))
    .on(ssoCalls.settings, () => ({ data: stored }))
    .on(ssoCalls.remove, () => ({ data: null, message: 'The single sign-on was removed.' }))
    .on(ssoCalls.save, () => {
      providerIs(aProvider({ version: 4 }))
      return { data: stored, message: 'The single sign-on was saved.' }
    })
})
afterEach(resetPage)

async function open() {
  const { user } = renderApp('/settings', session())
  return { user, form: within(await screen.findByRole('form', { name: 'Single Sign-On' })) }
}
type Opened = Awaited<ReturnType<typeof open>>

/** Adds a text at the end of a field at once. */
async function enter(user: Opened['user'], field: HTMLElement, text: string) {
  await user.click(field)
  await user.paste(text)
}

async function confirm(user: Opened['user'], button: string) {
  const dialog = within(await screen.findByRole('dialog'))
  await enter(user, dialog.getByLabelText('Current Password'), 'correct horse battery')
  await user.click(dialog.getByRole('button', { name: button }))
}
async function save({ user, form }: Opened) {
  await user.click(form.getByRole('button', { name: 'Save Single Sign-On' }))
  await confirm(user, 'Save')
}
const saved = () => server.bodies(ssoCalls.save)

describe('the single sign-on in the settings', () => {
  it('is set up with a confirmed password', async () => {
    const opened = await open()
    const { user, form } = opened
    await enter(user, form.getByLabelText(/^Issuer/), 'https://login.harborpoint.example')
    await enter(user, form.getByLabelText(/^Client ID/), 'plumbline')
    await enter(user, form.getByLabelText(/^Client secret/), 'between two services')
    await enter(user, form.getByLabelText(/^Email domains/), 'harborpoint.example, @hp.example')
    await save(opened)
    expect(await screen.findByText('The single sign-on was saved.')).toBeDefined()
    expect(saved()).toEqual([
      {
        issuer: 'https://login.harborpoint.example',
        client_id: 'plumbline',
        client_secret: 'between two services',
        domains: ['harborpoint.example', '@hp.example'],
        enabled: true,
        password_allowed: true,
        emergency_user_id: null,
        version: null,
        current_password: 'correct horse battery',
      },
    ])
    expect(form.getByLabelText(/^Client secret/)).toHaveProperty('value', '')
    expect(form.getByPlaceholderText('A secret is stored')).toBeDefined()
  })

  it('requires every field before it asks for the password', async () => {
    const { user, form } = await open()
    await enter(user, form.getByLabelText(/^Email domains/), 'no-domain')
    await user.click(form.getByRole('button', { name: 'Save Single Sign-On' }))
    for (const message of [
      'Please enter the address of the sign-in service.',
      'Please enter the client ID.',
      'Please enter the client secret.',
      'no-domain: Please enter a domain such as example.com.',
    ])
      expect(await form.findByText(message)).toBeDefined()
    await waitFor(() => expect(document.activeElement).toBe(form.getByLabelText(/^Issuer/)))
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('shows errors of the server at their fields, and that of the password in the dialog', async () => {
    providerIs(aProvider())
    const opened = await open()
    const { user, form } = opened
    await enter(user, form.getByLabelText(/^Issuer/), '/tenant')
    await enter(user, form.getByLabelText(/^Client secret/), 'another')
    server.on(ssoCalls.save, () => errorAnswer('invalid', '', { current_password: ['This is not your current password.'] }))
    await save(opened)
    expect(await within(screen.getByRole('dialog')).findByText('This is not your current password.')).toBeDefined()
    server.on(ssoCalls.save, () => errorAnswer('invalid', '', { issuer: ['The service does not answer.'] }))
    await confirm(user, 'Save')
    expect(await form.findByText('The service does not answer.')).toBeDefined()
    await waitFor(() => expect(document.activeElement).toBe(form.getByLabelText(/^Issuer/)))
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(form.getByLabelText(/^Issuer/)).toHaveProperty('value', 'https://login.harborpoint.example/tenant')
  })

  it('allows only single sign-on with an emergency administrator, and says what that does', async () => {
    providerIs(aProvider())
    const { user, form } = await open()
    await user.click(form.getByLabelText('Only single sign-on'))
    expect(form.getByText(/^No user has signed in with it yet/)).toBeDefined()
    expect(form.getByRole('combobox', { name: /^Emergency administrator/ })).toHaveProperty(
      'value',
      'Dana Whitfield (dana@harborpoint.example)',
    )
    await user.click(form.getByRole('button', { name: 'Save Single Sign-On' }))
    expect(await screen.findByText(/^All other users of your company are signed out, and only Dana Whitfield can still/)).toBeDefined()
    await confirm(user, 'Save')
    await waitFor(() => expect(saved()).toMatchObject([{ password_allowed: false, emergency_user_id: USER_ID, version: 3 }]))
  })

  it('shows the test of the service, and none after a change that was not tested', async () => {
    providerIs(aProvider())
    const { user, form } = await open()
    expect(form.getByText('Not tested yet')).toBeDefined()
    const answered = Promise.withResolvers<undefined>()
    const at = '2026-11-23T15:00:00.000Z'
    server.on(ssoCalls.test, async () => {
      await answered.promise
      return { data: { ...stored, provider: aProvider({ test: { state: 'failed', at, reason: 'The service does not answer.' } }) } }
    })
    await user.click(form.getByRole('button', { name: 'Test the service' }))
    expect(await form.findByText('Testing…')).toBeDefined()
    answered.resolve(undefined)
    expect(await form.findByText(/^Failed, .+: The service does not answer\.$/)).toBeDefined()
    server.on(ssoCalls.test, () => ({ data: { ...stored, provider: aProvider({ test: { state: 'done', at } }) } }))
    await user.click(form.getByRole('button', { name: 'Test the service' }))
    expect(await form.findByText(/^Done, .+: the service answered/)).toBeDefined()
    await enter(user, form.getByLabelText(/^Issuer/), '/tenant')
    expect(form.getByText('Not tested with your changes. Save them first.')).toBeDefined()
    expect(form.getByRole('button', { name: 'Test the service' })).toHaveProperty('disabled', true)
    await user.click(form.getByRole('button', { name: 'Discard changes' }))
    expect(form.getByText(/^Done, .+: the service answered/)).toBeDefined()
  })

  it('keeps the changes when another user has saved in the meantime, and saves them over theirs', async () => {
    providerIs(aProvider())
    const opened = await open()
    const { user, form } = opened
    await enter(user, form.getByLabelText(/^Client ID/), '-web')
    server.on(ssoCalls.save, () => errorAnswer('conflict', 'Another user changed the single sign-on in the meantime.'))
    providerIs(aProvider({ domains: ['harborpoint.example', 'hp.example'], version: 5 }))
    await save(opened)
    expect(await form.findByText(/^Another user changed the single sign-on in the meantime\. Your changes are still here/)).toBeDefined()
    await waitFor(() => expect(form.getByLabelText(/^Email domains/)).toHaveProperty('value', 'harborpoint.example, hp.example'))
    expect(form.getByLabelText(/^Client ID/)).toHaveProperty('value', 'plumbline-web')
    await save(opened)
    await waitFor(() => expect(saved().at(-1)).toMatchObject({ client_id: 'plumbline-web', version: 5 }))
  })

  it('is removed with a confirmed password', async () => {
    providerIs(aProvider())
    const { user, form } = await open()
    await user.click(form.getByRole('button', { name: 'Remove' }))
    providerIs(null)
    await confirm(user, 'Remove')
    expect(await screen.findByText('The single sign-on was removed.')).toBeDefined()
    expect(server.bodies(ssoCalls.remove)).toEqual([{ current_password: 'correct horse battery' }])
    await waitFor(() => expect(form.getByLabelText(/^Issuer/)).toHaveProperty('value', ''))
    expect(form.queryByRole('button', { name: 'Test the service' })).toBeNull()
  })

  it('copies the redirect address', async () => {
    const { user, form } = await open()
    const clipboard = vi.spyOn(navigator.clipboard, 'writeText')
    await user.click(form.getByRole('button', { name: 'Copy' }))
    expect(clipboard).toHaveBeenCalledWith(REDIRECT)
    expect(await screen.findByText('The redirect address was copied.')).toBeDefined()
  })

  it('does not exist for users who cannot change their company', async () => {
    renderApp('/settings', sessionWith(['view_company_details']))
    await screen.findByText('Your Company')
    expect(screen.queryByText('Single Sign-On')).toBeNull()
    expect(server.requests.filter((request) => request.endsWith('/sso'))).toEqual([])
  })
})
