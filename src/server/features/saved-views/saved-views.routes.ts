import { savedViewCalls } from '#contract/saved-views.ts'
import { done, implement } from '#server/engines/http/answer.ts'
import { createView, deleteView, requireView, savedViews, updateView } from './saved-views.commands.ts'

export const savedViewRoutes = implement(
  savedViewCalls,
  {
    index: async ({ ctx, query }) => ({ data: await savedViews(ctx, query.model) }),
    create: async ({ ctx, body }) => ({ status: 201, data: await createView(ctx, body), message: 'The view was saved.' }),
    update: async ({ ctx, params, body }) => ({ data: await updateView(ctx, params.id, body), message: 'The view was saved.' }),
    remove: async ({ ctx, params }) => done(deleteView(ctx, params.id), 'The view was deleted.'),
  },
  (ctx, { id = '' }) => requireView(ctx, id),
)
