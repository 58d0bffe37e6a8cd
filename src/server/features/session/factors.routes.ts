import { factorCalls } from '#contract/factors.ts'
import { done, implement } from '#server/engines/http/answer.ts'
import { confirmApp, newRecoveryCodes, removeApp, startApp } from './authenticator-app.commands.ts'
import { signInWithPasskey, startPasskeySignIn } from './passkey-sign-in.commands.ts'
import { addPasskey, factorsOf, removePasskey, requirePasskey, startPasskey } from './passkeys.commands.ts'

const SIGNED_OUT = 'You are signed out on all other devices.'

export const factorRoutes = implement(
  factorCalls,
  {
    show: async ({ ctx }) => ({ data: await factorsOf(ctx) }),
    startApp: async ({ ctx }) => ({ data: await startApp(ctx) }),
    confirmApp: async ({ ctx, body }) => ({
      data: { recovery_codes: await confirmApp(ctx, body) },
      message: `Your authenticator app is set up. ${SIGNED_OUT}`,
    }),
    removeApp: ({ ctx, body }) => done(removeApp(ctx, body.current_password), `Your authenticator app was removed. ${SIGNED_OUT}`),
    newRecoveryCodes: async ({ ctx, body }) => ({
      data: { recovery_codes: await newRecoveryCodes(ctx, body.current_password) },
      message: `Your recovery codes were replaced. ${SIGNED_OUT}`,
    }),
    startPasskey: async ({ ctx, body }) => ({ data: await startPasskey(ctx, body.current_password) }),
    addPasskey: async ({ ctx, body }) => ({ data: await addPasskey(ctx, body), message: `The passkey was added. ${SIGNED_OUT}` }),
    removePasskey: ({ ctx, params, body }) =>
      done(removePasskey(ctx, params.id, body.current_password), `The passkey was removed. ${SIGNED_OUT}`),
    startPasskeySignIn: async ({ ctx, caller }) => ({ data: await startPasskeySignIn(ctx, caller) }),
    passkeySignIn: async ({ ctx, body, caller }) => ({ data: null, extra: await signInWithPasskey(ctx, body, caller) }),
  },
  (ctx, { id }) => (id === undefined ? Promise.resolve() : requirePasskey(ctx, id)),
)
