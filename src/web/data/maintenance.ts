import { queryOptions } from '@tanstack/react-query'
import { MAINTENANCE_PROBE_MS } from '#contract/limits.ts'
import { MAINTENANCE_PERMISSION, maintenanceCalls } from '#contract/maintenance.ts'
import { callQuery } from './call-query.ts'
import { can, knownSession } from './session.ts'

/** For users who can switch it. Others may do so, too, and no event says so. */
export const maintenanceQuery = queryOptions({
  ...callQuery(['maintenance'], maintenanceCalls.show),
  staleTime: 0,
  refetchInterval: MAINTENANCE_PROBE_MS,
})

/** Whether the user of this page works during maintenance. */
export function worksInMaintenance(): boolean {
  const session = knownSession()
  return session !== undefined && can(session, MAINTENANCE_PERMISSION)
}
