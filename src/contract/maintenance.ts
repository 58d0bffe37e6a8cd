import { z } from 'zod'
import { Nothing, call, json, paragraphs } from './route.ts'

export const MAINTENANCE_MESSAGE_MAX = 500

export const Maintenance = z.object({
  /** What other users are shown. */
  message: z.string(),
  started_at: z.string(),
  /** Null if the user was permanently deleted. */
  started_by: z.string().nullable(),
})
export type Maintenance = z.output<typeof Maintenance>

const MaintenanceInput = z.strictObject({
  message: paragraphs(MAINTENANCE_MESSAGE_MAX).min(1, 'Please enter what other users are shown.'),
})

/** The user with this permission makes every call during maintenance. */
export const MAINTENANCE_PERMISSION = 'manage_maintenance'

export const maintenanceCalls = {
  show: call('GET', '/maintenance', MAINTENANCE_PERMISSION, 'Get whether the product is in maintenance', {
    output: json(Maintenance.nullable()),
  }),
  start: call('PUT', '/maintenance', MAINTENANCE_PERMISSION, 'Start maintenance, or change its message', {
    body: MaintenanceInput,
    output: json(Maintenance),
  }),
  end: call('DELETE', '/maintenance', MAINTENANCE_PERMISSION, 'End maintenance', { output: json(Nothing) }),
}
