import { guestCalls } from '#contract/guests.ts'
import { implement } from '#server/engines/http/answer.ts'
import { requireVisibleAccount } from '#server/access/require.ts'
import { inviting } from './inviting.queries.ts'
import { viewAs } from './view-as.commands.ts'

export const guestRoutes = implement(
  guestCalls,
  {
    inviting: async ({ ctx }) => ({ data: await inviting(ctx) }),
    viewAs: async ({ ctx, params, body, caller }) => ({ data: await viewAs(ctx, params.id, body, caller) }),
  },
  (ctx, { id = '' }) => requireVisibleAccount(ctx.db, ctx.viewer, id),
)
