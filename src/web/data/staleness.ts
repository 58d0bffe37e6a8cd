import type { ChannelEvents } from '#contract/events.ts'
import { queryClient } from './query-client.ts'

/** A rule for every event of every channel: a new event does not compile without one. */
type Rules = { [K in keyof ChannelEvents]: { [E in keyof ChannelEvents[K]]: (payload: ChannelEvents[K][E]) => void } }

const stale = (...key: unknown[]) => void queryClient.invalidateQueries({ queryKey: key })

export const staleAfter: Rules = {
  account: {
    'model-updated': ({ id, updatedAt, scope }) => {
      if (isKnown(id, updatedAt)) return
      stale('record', 'accounts', id)
      stale('activity', id)
      if (scope === 'data') {
        stale('metric', id)
        stale('map', id)
      }
    },
  },
  datatable: {
    'model-updated': ({ model, id }) => {
      stale('index', model)
      stale('search', model)
      if (id !== null) stale('record', model, id)
      // Events about documents carry no id, since not every subscriber has access to the document.
      else if (model === 'account_files') stale('record', model)
      if (model === 'accounts') {
        stale('metric', 'all')
        stale('status-counts')
      }
    },
  },
  user: { notification: () => stale('notifications') },
}

/** The event of a change that this page made itself is no news. */
function isKnown(accountId: string, updatedAt: string): boolean {
  const account = queryClient.getQueryData<{ updated_at: string }>(['record', 'accounts', accountId])
  return account !== undefined && Date.parse(updatedAt) <= Date.parse(account.updated_at)
}

/** The same rules after a write of this page, without waiting for the event. */
export function invalidateAfterWrite(model: string, id: string | null, accountId: string | null = null): void {
  stale('index', model)
  stale('search', model)
  if (id !== null) stale('record', model, id)
  if (accountId !== null) {
    stale('record', 'accounts', accountId)
    stale('metric', accountId)
    stale('map', accountId)
    stale('activity', accountId)
  }
  if (model === 'accounts') {
    stale('metric', 'all')
    stale('status-counts')
  }
}
