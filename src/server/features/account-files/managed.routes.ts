import { managedCalls } from '#contract/managed.ts'
import { requireVisibleAccount } from '#server/access/require.ts'
import { implement } from '#server/engines/http/answer.ts'
import { handOver } from '../accounts/hand-over.commands.ts'
import { receiptOf } from './receipt.queries.ts'

export const managedRoutes = implement(
  managedCalls,
  {
    handOver: async ({ ctx, params }) => {
      await handOver(ctx, params.id)
      return { data: null, message: 'A review of your files has been requested.' }
    },
    receipt: async ({ ctx, params }) => ({ data: await receiptOf(ctx, params.id) }),
  },
  (ctx, { id = '' }) => requireVisibleAccount(ctx.db, ctx.viewer, id),
)
