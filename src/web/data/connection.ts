import { sessionCalls } from '#contract/session.ts'
import { api } from './client.ts'
import { isApiError } from './errors.ts'

export type Reachability = 'up' | 'maintenance' | 'down'

/** Checks whether the service answers: 503 is maintenance, other 5xx and no answer are down. */
export async function probe(): Promise<Reachability> {
  try {
    await api(sessionCalls.status)
    return 'up'
  } catch (error) {
    if (!isApiError(error)) return 'down'
    if (error.status === 503) return 'maintenance'
    return error.status === 0 || error.status >= 500 ? 'down' : 'up'
  }
}
