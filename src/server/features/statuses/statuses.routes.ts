import { statusCalls } from '#contract/statuses.ts'
import { done, implement } from '#server/engines/http/answer.ts'
import { companyStatuses, createStatus, deleteStatus, requireStatus, updateStatus } from './statuses.commands.ts'

export const statusRoutes = implement(
  statusCalls,
  {
    index: async ({ ctx }) => ({ data: await companyStatuses(ctx) }),
    create: async ({ ctx, body }) => ({ status: 201, data: await createStatus(ctx, body), message: 'The status was added.' }),
    update: async ({ ctx, params, body }) => ({ data: await updateStatus(ctx, params.id, body), message: 'The status was saved.' }),
    remove: async ({ ctx, params }) => done(deleteStatus(ctx, params.id), 'The status was deleted.'),
  },
  (ctx, { id = '' }) => requireStatus(ctx, id),
)
