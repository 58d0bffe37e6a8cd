import { maintenanceCalls } from '#contract/maintenance.ts'
import { done, implement } from '#server/engines/http/answer.ts'
import { currentMaintenance, endMaintenance, startMaintenance } from './maintenance.commands.ts'

export const maintenanceRoutes = implement(maintenanceCalls, {
  show: async ({ ctx }) => ({ data: await currentMaintenance(ctx) }),
  start: async ({ ctx, body }) => ({ data: await startMaintenance(ctx, body.message) }),
  end: ({ ctx }) => done(endMaintenance(ctx), 'Maintenance has ended. Everyone can work again.'),
})
