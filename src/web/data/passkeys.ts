import { factorCalls, type Passkey } from '#contract/factors.ts'
import { api } from './client.ts'
import { apiError } from './errors.ts'
import { beginSignedIn } from './session.ts'

export const canUsePasskeys = (): boolean => typeof window.PublicKeyCredential === 'function'

/** Loaded with the first passkey: most sign-ins need no passkey. */
const library = () => import('@simplewebauthn/browser')

/** The dialog of the browser was closed or has timed out; browsers do not say which. */
export class PasskeyCanceled extends Error {
  override readonly name = 'PasskeyCanceled'
}

/** Runs a dialog of the browser. Throws `PasskeyCanceled`, or an ApiError with a message for the user. */
async function asking<T>(dialog: () => Promise<T>): Promise<T> {
  try {
    return await dialog()
  } catch (error) {
    const name = error instanceof Error ? error.name : ''
    if (name === 'NotAllowedError' || name === 'AbortError') throw new PasskeyCanceled('The passkey was not used.', { cause: error })
    const message =
      name === 'InvalidStateError'
        ? 'There is a passkey for your account on this device already.'
        : 'The browser could not use a passkey here. Please try another device.'
    throw apiError({ kind: 'unsupported_media', status: 415, message })
  }
}

export async function signInWithPasskey(remember: boolean): Promise<void> {
  const { data: optionsJSON } = await api(factorCalls.startPasskeySignIn)
  const { startAuthentication } = await library()
  const { id, rawId, type, response } = await asking(() => startAuthentication({ optionsJSON }))
  const { clientDataJSON, authenticatorData, signature, userHandle } = response
  const body = { response: { id, rawId, type, response: { clientDataJSON, authenticatorData, signature, userHandle } }, remember }
  beginSignedIn(await api(factorCalls.passkeySignIn, { body }), remember)
}

export async function addPasskey(name: string, current_password: string): Promise<{ data: Passkey; message: string }> {
  const { data: optionsJSON } = await api(factorCalls.startPasskey, { body: { current_password } })
  const { startRegistration } = await library()
  const { id, rawId, type, response } = await asking(() => startRegistration({ optionsJSON }))
  const { clientDataJSON, attestationObject, transports } = response
  const credential = { id, rawId, type, response: { clientDataJSON, attestationObject, transports } }
  return api(factorCalls.addPasskey, { body: { name, current_password, response: credential } })
}
