import { realtimeCalls } from '#contract/events.ts'
import { sessionCalls } from '#contract/session.ts'
import { authorizeChannel } from '#server/access/channels.ts'
import { done, implement } from '#server/engines/http/answer.ts'
import { signChannel } from '#server/engines/realtime/realtime.ts'
import { forbidden } from '#server/kernel/errors.ts'
import { checkReset, recoverPassword, resetPassword } from './password.commands.ts'
import { answerChallenge, resendChallenge } from './second-factor.commands.ts'
import { exchangeTokens, signOut } from './session.commands.ts'
import { signIn } from './sign-in.commands.ts'

export const sessionRoutes = [
  ...implement(sessionCalls, {
    login: async ({ ctx, body, caller }) => ({ data: null, extra: await signIn(ctx, body, caller) }),
    challenge: async ({ ctx, body, caller }) => ({ data: null, extra: await answerChallenge(ctx, body, caller) }),
    resendChallenge: ({ ctx, caller }) => done(resendChallenge(ctx, caller), 'A new code is on its way.'),
    logout: ({ ctx }) => done(signOut(ctx)),
    logoutPost: ({ ctx }) => done(signOut(ctx)),
    keep: async ({ ctx, body, caller }) => ({ data: null, extra: await exchangeTokens(ctx, body.refresh_token, caller) }),
    recover: ({ ctx, body, caller }) =>
      done(recoverPassword(ctx, body.email, caller), 'If an account uses this email, a link to set a new password is on its way.'),
    checkReset: async ({ ctx, params }) => ({ data: { email: await checkReset(ctx, params.token) } }),
    reset: async ({ ctx, body, caller }) => {
      const { isFirst } = await resetPassword(ctx, body, caller)
      return { data: null, message: `Your password was ${isFirst ? 'set' : 'changed'}. Please sign in with it.` }
    },
    status: async () => ({ data: { status: 'up' as const } }),
  }),
  ...implement(realtimeCalls, {
    authorize: async ({ ctx, body }) => {
      const allowed = await authorizeChannel(ctx.db, ctx.viewer, body.channel_name)
      if (allowed === undefined) throw forbidden("You don't have access to this channel.")
      return { data: { auth: signChannel(ctx.config.secretKey, body.socket_id, body.channel_name) } }
    },
  }),
]
