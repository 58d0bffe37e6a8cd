import { OFFLINE_PROBE_MS } from '#contract/limits.ts'
import { probe } from './client.ts'
import { emitPageEvent } from './page-events.ts'

/**
 * Loads a module of the page. Fails only while the service answers, as after an update that removed the module; until then the page is
 * covered, and reloaded or kept when the service is back. Browsers do not fetch a module again after it failed.
 */
export async function loadCode<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch (error) {
    emitPageEvent('unreachable', null)
    while ((await probe()).state === 'down') await new Promise((resolve) => setTimeout(resolve, OFFLINE_PROBE_MS))
    throw error
  }
}
