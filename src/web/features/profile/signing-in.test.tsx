import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { factorCalls, type Factors } from '#contract/factors.ts'
import { initCalls } from '#contract/init.ts'
import { sessionCalls } from '#contract/session.ts'
import { isSignedIn } from '#web/data/tokens.ts'
import { errorAnswer, fakeServer, type FakeServer } from '#web/testing/fake-server.ts'
import { renderApp } from '#web/testing/render-app.tsx'
import { resetPage } from '#web/testing/render.tsx'
import { sessionWith } from '#web/testing/session.ts'

const PASSKEY_ID = '0198c0de-0000-7000-8000-000000000301'
const browser = vi.hoisted(() => ({
  startRegistration: vi.fn<(asked: object) => Promise<object>>(),
  startAuthentication: vi.fn<(asked: object) => Promise<object>>(),
}))
vi.mock('@simplewebauthn/browser', () => browser)

const CODES = Array.from({ length: 10 }, (_, n) => `abcd-000${n}`)
const OPTIONS = {
  rp: { id: 'localhost', name: 'Plumbline' },
  user: { id: 'dQ', name: 'dana@harborpoint.example', displayName: 'Dana' },
  challenge: 'Y2g',
  pubKeyCredParams: [{ alg: -7, type: 'public-key' as const }],
  timeout: 300_000,
  excludeCredentials: [],
  authenticatorSelection: { residentKey: 'required' as const, requireResidentKey: true as const, userVerification: 'required' as const },
  attestation: 'none' as const,
}
const passkey = { id: PASSKEY_ID, name: 'Laptop', created_at: '2026-03-04T15:00:00.000Z', last_used_at: null }

let factors: Factors
let server: FakeServer
beforeEach(() => {
  vi.stubGlobal('PublicKeyCredential', class {})
  factors = { app_since: null, recovery_codes: 0, passkeys: [] }
  server = fakeServer()
    .on(initCalls.init, () => ({ data: sessionWith([]) }))
    .on(factorCalls.show, () => ({ data: factors }))
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.clearAllMocks()
  resetPage()
})

const openProfile = () => renderApp('/profile', sessionWith([]))
const confirmWith = async (user: ReturnType<typeof renderApp>['user'], button: string) => {
  const dialog = within(await screen.findByRole('dialog'))
  await user.type(dialog.getByLabelText('Current Password'), 'secret password')
  await user.click(dialog.getByRole('button', { name: button }))
}

describe('the authenticator app in the profile', () => {
  it('is set up with a QR code or key, a first code and the password, and shows the recovery codes once', async () => {
    server
      .on(factorCalls.startApp, () => ({
        data: { secret: 'ABCDEFGHIJKLMNOP', uri: 'otpauth://totp/Plumbline:dana?secret=ABCDEFGHIJKLMNOP' },
      }))
      .on(factorCalls.confirmApp, ({ body }) => {
        if (body.code !== '123456') return errorAnswer('invalid', 'Check.', { code: ['This code is not right.'] })
        factors = { ...factors, app_since: '2026-03-04T15:00:00.000Z', recovery_codes: 10 }
        return { data: { recovery_codes: CODES }, message: 'Your authenticator app is set up.' }
      })
    const { user } = openProfile()
    await user.click(await screen.findByRole('button', { name: 'Set up' }))
    expect(await screen.findByRole('img', { name: 'QR code for your authenticator app' })).toBeDefined()
    expect(screen.getByDisplayValue('ABCD EFGH IJKL MNOP')).toBeDefined()
    await user.type(screen.getByLabelText('Code of the app'), '000000')
    await confirmWith(user, 'Confirm')
    expect(await screen.findByText('This code is not right.')).toBeDefined()
    await user.clear(screen.getByLabelText('Code of the app'))
    await user.type(screen.getByLabelText('Code of the app'), '123456')
    await user.click(screen.getByRole('button', { name: 'Confirm' }))
    const list = await screen.findByRole('list', { name: 'Recovery codes' })
    expect(within(list).getAllByRole('listitem')).toHaveLength(10)
    await user.click(screen.getByRole('button', { name: 'Done' }))
    expect(await screen.findByText(/10 recovery codes left/)).toBeDefined()
    await waitFor(() => expect(screen.queryByText('abcd-0000')).toBeNull())
  })

  it('is removed with the password, whose error is shown in the dialog', async () => {
    factors = { ...factors, app_since: '2026-03-04T15:00:00.000Z', recovery_codes: 0 }
    server.on(factorCalls.removeApp, () => errorAnswer('invalid', 'Check.', { current_password: ['This is not your current password.'] }))
    const { user } = openProfile()
    expect(await screen.findByText(/No recovery codes are left/)).toBeDefined()
    await user.click(screen.getByRole('button', { name: 'Remove app' }))
    await confirmWith(user, 'Remove')
    expect(await screen.findByText('This is not your current password.')).toBeDefined()
    server.on(factorCalls.removeApp, () => {
      factors = { ...factors, app_since: null }
      return { data: null, message: 'Removed.' }
    })
    await confirmWith(user, 'Remove')
    expect(await screen.findByRole('button', { name: 'Set up' })).toBeDefined()
    expect(server.bodies(factorCalls.removeApp).at(-1)).toEqual({ current_password: 'secret password' })
  })
})

describe('passkeys in the profile', () => {
  beforeEach(() => {
    server
      .on(factorCalls.startPasskey, () => ({ data: OPTIONS }))
      .on(factorCalls.addPasskey, ({ body }) => {
        factors = { ...factors, passkeys: [{ ...passkey, name: body.name }] }
        return { data: passkey, message: 'The passkey was added.' }
      })
  })
  const created = {
    id: 'aWQ',
    rawId: 'aWQ',
    type: 'public-key',
    response: { clientDataJSON: 'e30', attestationObject: 'oA', transports: ['internal'], publicKeyAlgorithm: -7 },
    clientExtensionResults: {},
  }

  it('are added by the browser, with a name', async () => {
    browser.startRegistration.mockResolvedValue(created)
    const { user } = openProfile()
    await user.click(await screen.findByRole('button', { name: 'Add passkey' }))
    const name = await screen.findByLabelText('Name')
    await user.clear(name)
    await user.type(name, 'Work laptop')
    await confirmWith(user, 'Continue')
    expect(await screen.findByText('Work laptop')).toBeDefined()
    expect(browser.startRegistration).toHaveBeenCalledWith({ optionsJSON: OPTIONS })
    const { clientDataJSON, attestationObject, transports } = created.response
    expect(server.bodies(factorCalls.addPasskey)).toEqual([
      {
        name: 'Work laptop',
        current_password: 'secret password',
        response: { id: 'aWQ', rawId: 'aWQ', type: 'public-key', response: { clientDataJSON, attestationObject, transports } },
      },
    ])
  })

  it('are not added when the dialog of the browser is canceled, and the form stays', async () => {
    browser.startRegistration.mockRejectedValue(Object.assign(new Error('canceled'), { name: 'NotAllowedError' }))
    const { user } = openProfile()
    await user.click(await screen.findByRole('button', { name: 'Add passkey' }))
    await confirmWith(user, 'Continue')
    expect(await screen.findByText('No passkey was added.')).toBeDefined()
    expect(screen.getByLabelText('Name')).toBeDefined()
    expect(server.bodies(factorCalls.addPasskey)).toEqual([])
  })

  it('are removed by name', async () => {
    factors = { ...factors, passkeys: [passkey] }
    server.on(factorCalls.removePasskey, ({ params }) => {
      factors = { ...factors, passkeys: factors.passkeys.filter(({ id }) => id !== params.id) }
      return { data: null, message: 'The passkey was removed.' }
    })
    const { user } = openProfile()
    await user.click(await screen.findByRole('button', { name: 'Remove Laptop' }))
    await confirmWith(user, 'Remove')
    await waitFor(() => expect(screen.queryByText('Laptop')).toBeNull())
  })

  it('cannot be added in a browser without passkeys', async () => {
    vi.stubGlobal('PublicKeyCredential', undefined)
    openProfile()
    expect(await screen.findByText(/This browser cannot use passkeys/)).toBeDefined()
    expect(screen.queryByRole('button', { name: 'Add passkey' })).toBeNull()
  })
})

describe('the sign-in with a passkey', () => {
  const asked = { challenge: 'Y2g', rpId: 'localhost', timeout: 300_000, userVerification: 'required' as const }
  const response = { clientDataJSON: 'e30', authenticatorData: 'AA', signature: 'AA', userHandle: 'dQ' }
  beforeEach(() => {
    server
      .on(factorCalls.startPasskeySignIn, () => ({ data: asked }))
      .on(factorCalls.passkeySignIn, () => ({ data: null, token: 'access', refresh_token: 'refresh', two_factor: false }))
  })

  it('begins the session, remembered if chosen', async () => {
    browser.startAuthentication.mockResolvedValue({ id: 'aWQ', rawId: 'aWQ', type: 'public-key', response, clientExtensionResults: {} })
    const { user } = renderApp('/login')
    await user.click(await screen.findByLabelText('Remember me'))
    await user.click(screen.getByRole('button', { name: 'Sign in with a passkey' }))
    await waitFor(() => expect(isSignedIn()).toBe(true))
    expect(browser.startAuthentication).toHaveBeenCalledWith({ optionsJSON: asked })
    expect(server.bodies(factorCalls.passkeySignIn)).toEqual([
      { response: { id: 'aWQ', rawId: 'aWQ', type: 'public-key', response }, remember: true },
    ])
    expect(server.bodies(sessionCalls.login)).toEqual([])
  })

  it('that is rejected says so', async () => {
    browser.startAuthentication.mockResolvedValue({ id: 'aWQ', rawId: 'aWQ', type: 'public-key', response, clientExtensionResults: {} })
    server.on(factorCalls.passkeySignIn, () => errorAnswer('unauthenticated', 'This passkey was not accepted.'))
    const { user } = renderApp('/login')
    await user.click(await screen.findByRole('button', { name: 'Sign in with a passkey' }))
    expect(await screen.findByText('This passkey was not accepted.')).toBeDefined()
    expect(isSignedIn()).toBe(false)
  })

  it('is not offered by a browser without passkeys', async () => {
    vi.stubGlobal('PublicKeyCredential', undefined)
    renderApp('/login')
    await screen.findByLabelText('Email')
    expect(screen.queryByRole('button', { name: 'Sign in with a passkey' })).toBeNull()
  })
})
